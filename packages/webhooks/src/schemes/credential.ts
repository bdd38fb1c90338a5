import { whenAll } from '@sallyport/internal/promises'
import { utf8 } from '../crypto/bytes.ts'
import { equalText, sha256Hex } from '../crypto/crypto.ts'
import type { MaybePromise, Verification } from '../ports/ports.ts'
import type { Delivery } from '../ports/delivery.ts'
import { refusal } from './proof.ts'

/**
 * Compares a credential with all expected credentials by their hashes. The duration reveals neither a length nor the
 * position in the list.
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
