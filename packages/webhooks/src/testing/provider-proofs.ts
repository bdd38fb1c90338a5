import { utf8 } from '../crypto/bytes.ts'
import { hmacOf } from '../crypto/crypto.ts'
import { decodeText, encodeBytes } from '../crypto/text.ts'
import type { SuiteContext } from './provider-context.ts'
import { deliveryOf } from './provider-sample.ts'

/** Long enough for no digest to be missed, and too long for a time or a word. */
const runs = /[\w+/-]{20,}/g

/**
 * What a text holds that could be a proof, as the bytes behind it in hexadecimal: the same digest is the same in any of
 * its encodings.
 */
export function proofsIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(runs)].flatMap(([run]) => readings(run)))
}

function readings(run: string): string[] {
  const unpadded = run.replaceAll('+', '-').replaceAll('/', '_')
  const decoded = [decodeText('hex', run.toLowerCase()), decodeText('base64url', unpadded)]
  return decoded.flatMap((bytes) => (bytes === undefined ? [] : [encodeBytes('hex', bytes)]))
}

/**
 * The proofs of a delivery with this text as its body, and the digests of the text itself: where a scheme signs more
 * than the body, whoever has a text of his choice signed writes that into it too.
 */
export async function proofsOf(text: string, context: SuiteContext): Promise<ReadonlySet<string>> {
  const { provider, secret, now, url } = context
  const signing = async () => provider.signature.sign(deliveryOf({}, utf8(text), url), secret, now)
  const headers: Readonly<Record<string, string>> = await signing().catch(() => ({}))
  const digests = await Promise.all(
    (['sha1', 'sha256', 'sha512'] as const).flatMap((algorithm) =>
      keysOf(secret).map(async (key) => hmacOf(algorithm, 'hex', key)([text])),
    ),
  )
  return new Set([...digests, ...Object.values(headers).flatMap((value) => [...proofsIn(value)])])
}

/** A secret as text, and as the base64 that some are behind a prefix. */
function keysOf(secret: string): (string | Uint8Array)[] {
  const decoded = decodeText('base64', secret.slice(secret.indexOf('_') + 1))
  return decoded === undefined || decoded.length === 0 ? [secret] : [secret, decoded]
}
