import {
  digestBytes,
  equalText,
  hashText,
  prepareHmac,
  type ContentPart,
  type Hmac,
  type HmacAlgorithm,
} from '../crypto/crypto.ts'
import { encodeBytes } from '../crypto/encoding.ts'
import { createHeaders } from './create-headers.ts'
import { contentHeader } from '../provider/idempotency-key.ts'
import type { MaybePromise, SignatureScheme } from '../ports/ports.ts'
import { changeDelivery } from './change-delivery.ts'
import { createKeyCache, createRandomSecret, readKeys } from './keys.ts'
import { createProof, refusal, type ProofOptions } from './proof.ts'

export interface HmacOptions extends ProofOptions {
  readonly algorithm: HmacAlgorithm
  /** Decodes the key of a secret, such as {@link base64Secret}. The scheme caches the key. @default the UTF-8 bytes */
  readonly key?: (secret: string) => MaybePromise<ContentPart>
  /** Lists the forms of a body that a service may sign, such as {@link compactJson}. @default the received bytes */
  readonly forms?: (body: Uint8Array) => Iterable<Uint8Array>
  /**
   * Selects the part of the signed content that identifies a delivery, for a service that signs fields without borders between
   * them, such as Twilio. A copy with other borders has another body and the same signature: the hash of this part, instead of
   * the hash of the body, is then the id of an event without an id.
   *
   * @default the signed body identifies a delivery
   */
  readonly identity?: (content: readonly ContentPart[]) => readonly ContentPart[]
}

/**
 * HMAC over the raw body, or over parts that the service signs with the body.
 *
 * One form of a signature is accepted: the prefix, then the whole digest in the canonical form of its encoding
 * (lower-case hexadecimal, padded base64, unpadded base64url). Each signature is compared with each secret in constant
 * time. An empty secret verifies nothing.
 *
 * @throws TypeError when the scheme signs a time or an id without `content`, for an unknown algorithm or encoding and for
 *   an invalid header name; from `sign` for an empty secret
 * @throws SallyportError `PROVIDER_UNAVAILABLE` (503) when no secret verifies and a secret is unusable, or when the scheme
 *   signs the public URL and the host has none
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
  const { algorithm, encoding, key, forms, timestamp, identity } = options
  const proof = createProof(options)
  const imported = createKeyCache<Hmac>()
  const hmacWith = (secret: string) =>
    imported(secret, () => {
      const bytes = key ? key(secret) : secret
      if (!(bytes instanceof Promise)) return prepareHmac(algorithm, encoding, bytes)
      return async (content) => prepareHmac(algorithm, encoding, await bytes)(content)
    })
  const signatureLength = encodeBytes(encoding, new Uint8Array(digestBytes[algorithm])).length
  if (!signatureLength) throw new TypeError('algorithm must be md5, sha1, sha256 or sha512')

  return {
    ...proof.names,
    description: { scheme: 'hmac', options },
    ...(identity && {
      signedHeaders: [...(proof.names.signedHeaders ?? []), contentHeader],
      signedIds: [...(proof.names.signedIds ?? []), contentHeader],
    }),

    async verify(delivery, secrets, now) {
      const presented = proof.read(delivery, now)
      if ('verified' in presented) return presented
      if (!presented.signatures.some(({ length }) => length === signatureLength)) return refusal('malformed')
      const { usable, unusable } = readKeys(secrets, (secret) => ({ secret, compute: hmacWith(secret) }))
      for (const body of forms?.(delivery.body) ?? [delivery.body]) {
        let matched: readonly ContentPart[] | undefined
        for (const { secret, compute } of usable) {
          for (const content of await proof.contents(delivery, body, presented, secret)) {
            const digest = await compute(content)
            // The texts are compared: a decoder could accept several texts for the same signature.
            for (const signature of presented.signatures) if (equalText(digest, signature)) matched = content
          }
        }
        if (matched === undefined) continue
        const refused = timestamp?.refuses?.(changeDelivery(delivery, { body }), now)
        if (refused || !identity) return refused ?? { verified: true, body }
        const hash = await hashText('sha256', 'hex', identity(matched))
        return { verified: true, body, headers: createHeaders([...delivery.headers, [contentHeader, hash]]) }
      }
      if (unusable) throw unusable
      return refusal('mismatch')
    },

    checkSecret(secret) {
      hmacWith(secret)
    },

    createSecret: () => createRandomSecret(key),

    ...proof.signers(
      (content, secret) => hmacWith(secret)(content),
      // The service signs the last form.
      (body) => [...(forms?.(body) ?? [])].at(-1) ?? body,
    ),
  }
}
