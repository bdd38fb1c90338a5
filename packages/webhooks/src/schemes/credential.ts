import { utf8 } from '../crypto/bytes.ts'
import { equalText, sha256Hex } from '../crypto/crypto.ts'
import { whenAll } from '../internal/maybe-promise.ts'
import type { MaybePromise, Verification } from '../ports/ports.ts'
import type { Delivery } from '../ports/delivery.ts'
import { refusal } from './proof.ts'

/**
 * Whether a credential is one of those expected. Their hashes are compared, all of them: neither a length nor the place
 * in the list shows in the time that it takes.
 */
export function verifyCredential(
  presented: string,
  expected: readonly string[],
  { body }: Delivery,
): MaybePromise<Verification> {
  const hashes = [presented, ...expected].map((text) => sha256Hex(utf8(text)))
  return whenAll(hashes, ([own = '', ...others]): Verification => {
    let matches = 0
    for (const other of others) matches += Number(equalText(own, other))
    return matches > 0 ? { verified: true, body } : refusal('mismatch')
  })
}
