import { equalText, hmacOf, type ContentPart, type Hmac, type HmacAlgorithm } from '../crypto/crypto.ts'
import { keyCache } from '../crypto/key-cache.ts'
import { encodeBytes } from '../crypto/text.ts'
import { whenAll, whenReady } from '../internal/maybe-promise.ts'
import type { MaybePromise, SignatureScheme, Verification } from '../ports/ports.ts'
import { readKeys, refuseEmpty } from './keys.ts'
import { proofHeaders, refusal, type ProofOptions } from './proof.ts'
import { signedParts } from './signed-content.ts'

export interface HmacOptions extends ProofOptions {
  readonly algorithm: HmacAlgorithm
  /** The key of a secret, such as {@link base64Secret}; what it gives is kept. @default its UTF-8 bytes */
  readonly key?: (secret: string) => ContentPart
  /**
   * The forms of a body that may have been signed, the received one first, such as {@link compactJson}.
   *
   * @default the bytes as they came
   */
  readonly forms?: (body: Uint8Array) => Iterable<Uint8Array>
}

/**
 * HMAC over the raw body, or over parts that the service signs with it.
 *
 * One form of a signature is accepted: the prefix, then the whole digest in the canonical form of its encoding
 * (lower-case hexadecimal, padded base64, unpadded base64url). Each that is presented is compared with every secret
 * in constant time; an empty secret verifies nothing.
 *
 * @throws TypeError when `content` is missing and a time or an id is to be signed, when the algorithm or the encoding is
 *   none, or a header has no valid name; from `sign` when the secret is empty
 * @throws SallyportError `PROVIDER_UNAVAILABLE` (503) when no secret verifies and one of them cannot be read, or when
 *   the public address is signed and not known
 *
 * @example
 * ```ts
 * import { hmac } from '@sallyport/webhooks'
 *
 * const signature = hmac({
 *   algorithm: 'sha256',
 *   encoding: 'hex',
 *   header: 'x-hub-signature-256',
 *   prefix: 'sha256=',
 * })
 * ```
 *
 * @see RFC 2104
 */
export function hmac(options: HmacOptions): SignatureScheme {
  const { algorithm, encoding, key, forms, timestamp } = options
  const proof = proofHeaders(options)
  const contentOf = signedParts(options.content)
  const imported = keyCache<Hmac>()
  const hmacWith = (secret: string) =>
    imported(secret, () => hmacOf(algorithm, encoding, key ? key(secret) : secret))
  const signatureLength = encodeBytes(encoding, new Uint8Array(digestBytes[algorithm])).length
  if (!signatureLength) throw new TypeError('algorithm must be sha1, sha256 or sha512')

  return {
    ...proof.names,

    verify(delivery, secrets, now) {
      const presented = proof.read(delivery, now)
      if ('verified' in presented) return presented
      if (!presented.signatures.some(({ length }) => length === signatureLength)) return refusal('malformed')
      const { usable, unusable } = readKeys(secrets, hmacWith)

      const tryForm = (body: Uint8Array): MaybePromise<Verification | undefined> =>
        whenReady(contentOf(delivery, body, presented), (content) =>
          whenAll(
            usable.map((compute) => compute(content)),
            (digests) =>
              anyEqual(digests, presented.signatures)
                ? (timestamp?.refuses?.(body, now) ?? { verified: true, body })
                : undefined,
          ),
        )
      const tried = forms ? firstOf(forms(delivery.body), tryForm) : tryForm(delivery.body)
      return whenReady(tried, (verification) => {
        if (verification === undefined && unusable) throw unusable
        return verification ?? refusal('mismatch')
      })
    },

    checkSecret(secret) {
      hmacWith(secret)
    },

    async sign(delivery, secret, now) {
      refuseEmpty(secret)
      // The last form is the one that the service itself would have made.
      const body = [...(forms?.(delivery.body) ?? [])].at(-1) ?? delivery.body
      return proof.write(delivery, now, async (stamps) =>
        hmacWith(secret)(await contentOf(delivery, body, stamps)),
      )
    },
  }
}

/** What the first of the forms has a result for. */
async function firstOf<Form, Result>(
  forms: Iterable<Form>,
  attempt: (form: Form) => MaybePromise<Result | undefined>,
): Promise<Result | undefined> {
  for (const form of forms) {
    const result = await attempt(form)
    if (result !== undefined) return result
  }
  return undefined
}

/** Compares all with all: how long it takes does not tell which secret it was. */
function anyEqual(digests: readonly string[], signatures: readonly string[]): boolean {
  let matches = 0
  for (const digest of digests) {
    // Comparing text with text leaves no decoder that could take a second form for the same signature.
    for (const signature of signatures) matches += Number(equalText(digest, signature))
  }
  return matches > 0
}

const digestBytes = { sha1: 20, sha256: 32, sha512: 64 } as const
