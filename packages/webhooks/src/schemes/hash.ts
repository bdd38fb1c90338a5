import { digestBytes, equalText, hashText, type HmacAlgorithm } from '../crypto/crypto.ts'
import { encodeBytes } from '../crypto/encoding.ts'
import type { SignatureScheme } from '../ports/ports.ts'
import { changeDelivery } from './change-delivery.ts'
import { isSecret } from './keys.ts'
import { createProof, refusal, type BuildContent, type ProofOptions } from './proof.ts'

export interface HashOptions extends ProofOptions {
  readonly algorithm: HmacAlgorithm
  /** Builds the signed content, with the secret as one part. The secret is the last part for most services. */
  readonly content: BuildContent | readonly BuildContent[]
}

/**
 * A plain hash over content that contains the secret, for services that do not use HMAC.
 *
 * A hash with the secret at the start lets an attacker append to the content of SHA-1, SHA-256 and SHA-512 (length
 * extension). Use {@link hmac} when the service offers HMAC.
 *
 * @throws TypeError for an unknown algorithm or encoding and for an invalid header name; from `sign` for an empty secret
 *
 * @example
 * ```ts
 * import { hash, signedTime } from '@sallyport/webhooks'
 *
 * const signature = hash({
 *   algorithm: 'sha256',
 *   encoding: 'hex',
 *   header: 'x-cld-signature',
 *   timestamp: signedTime({ header: 'x-cld-timestamp', toleranceSeconds: 7200 }),
 *   content: ({ body, timestamp, secret }) => [body, timestamp, secret],
 * })
 * ```
 */
export function hash(options: HashOptions): SignatureScheme {
  const { algorithm, encoding, timestamp } = options
  const proof = createProof(options)
  const signatureLength = encodeBytes(encoding, new Uint8Array(digestBytes[algorithm])).length
  if (!signatureLength) throw new TypeError('algorithm must be md5, sha1, sha256 or sha512')

  return {
    ...proof.names,
    description: { scheme: 'hash', options },

    async verify(delivery, secrets, now) {
      const presented = proof.read(delivery, now)
      if ('verified' in presented) return presented
      if (!presented.signatures.some(({ length }) => length === signatureLength)) return refusal('malformed')
      const { body } = delivery
      let matches = 0
      for (const secret of secrets.filter(isSecret)) {
        for (const content of await proof.contents(delivery, body, presented, secret)) {
          const digest = await hashText(algorithm, encoding, content)
          for (const signature of presented.signatures) matches += Number(equalText(digest, signature))
        }
      }
      if (matches > 0)
        return timestamp?.refuses?.(changeDelivery(delivery, { body }), now) ?? { verified: true, body }
      return refusal('mismatch')
    },

    ...proof.signers((content) => hashText(algorithm, encoding, content)),
  }
}
