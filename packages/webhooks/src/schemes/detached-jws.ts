import {
  errors,
  FlattenedSign,
  flattenedVerify,
  type FlattenedJWSInput,
  type JWTHeaderParameters,
  type JWTVerifyGetKey,
} from 'jose'
import { decodeText, encodeBytes, joinBytes } from '../crypto/encoding.ts'
import type { SignatureScheme } from '../ports/ports.ts'
import { createFinders, readSigningKey, type TokenKeyOptions } from './jwt-keys.ts'
import { createProof, refusal, type ProofOptions } from './proof.ts'

export interface DetachedJwsOptions extends Omit<ProofOptions, 'encoding' | 'header'>, TokenKeyOptions {
  /** The header with the token, `<header>..<signature>`. */
  readonly header: string
  /** The algorithms of RFC 7518 that are accepted, the one to sign with first. All have public keys. */
  readonly algorithms: readonly [string, ...string[]]
}

/**
 * A JSON Web Signature with a detached payload: the header has `<protected header>..<signature>`, and the payload is the body or
 * other content.
 *
 * @throws TypeError for an algorithm with a shared key and for an invalid header name; from `sign` for an empty secret
 * @throws SallyportError `PROVIDER_UNAVAILABLE` (503) when no key verifies and a key is unusable, or when the keys are not
 *   available
 *
 * @example
 * ```ts
 * import { detachedJws } from '@sallyport/webhooks/jwt'
 *
 * const signature = detachedJws({
 *   header: 'fireblocks-webhook-signature',
 *   algorithms: ['RS512'],
 *   keySet: 'https://keys.fireblocks.io/.well-known/jwks.json',
 * })
 * ```
 *
 * @see RFC 7515, appendix F
 */
export function detachedJws(options: DetachedJwsOptions): SignatureScheme {
  const { algorithms, signingKey, keyId, timestamp } = options
  if (
    algorithms.length === 0 ||
    algorithms.some((name) => !/^(?:RS|PS|ES)\d{3}$|^EdDSA$|^Ed25519$/.test(name))
  )
    throw new TypeError('algorithms must name algorithms with public keys')
  const proof = createProof({ ...options, encoding: 'base64url' })

  const verifyWith = async (key: JWTVerifyGetKey, token: string, payload: Uint8Array): Promise<boolean> => {
    const [header = '', , signature = ''] = token.split('.')
    const jws = { protected: header, payload: encodeBytes('base64url', payload), signature }
    try {
      await flattenedVerify(
        jws,
        (own: Partial<JWTHeaderParameters> | undefined, input: FlattenedJWSInput) =>
          key({ alg: '', ...own }, input),
        { algorithms: [...algorithms] },
      )
      return true
    } catch (error) {
      if (error instanceof errors.JOSEError) return false
      throw error
    }
  }

  const listKeys = createFinders(options, false)

  return {
    ...proof.names,
    description: { scheme: 'detached-jws', options },

    async verify(delivery, secrets, now) {
      const presented = proof.read(delivery, now)
      if ('verified' in presented) return presented
      const [token = ''] = presented.signatures
      if (!isDetached(token)) return refusal('malformed')
      const contents = await proof.contents(delivery, delivery.body, presented, '')
      const attempts = listKeys(secrets).flatMap((key) =>
        contents.map((content) => verifyWith(key, token, joinBytes(content))),
      )
      const verdicts = await Promise.allSettled(attempts)
      if (verdicts.some((verdict) => verdict.status === 'fulfilled' && verdict.value)) {
        return timestamp?.refuses?.(delivery, now) ?? { verified: true, body: delivery.body }
      }
      const unusable = verdicts.find((verdict) => verdict.status === 'rejected')
      if (unusable) throw unusable.reason
      return refusal('mismatch')
    },

    ...proof.signers(async (content, secret) => {
      const [alg] = algorithms
      const key = await readSigningKey(signingKey ?? secret, alg, false)
      const jws = await new FlattenedSign(joinBytes(content))
        .setProtectedHeader({ alg, ...(keyId !== undefined && { kid: keyId }) })
        .sign(key)
      return `${jws.protected ?? ''}..${jws.signature}`
    }),
  }
}

/** A decoder could accept several texts for the same token. */
function isDetached(token: string): boolean {
  const [header = '', payload, signature = '', ...more] = token.split('.', 4)
  const isCanonical = (part: string) => part !== '' && decodeText('base64url', part) !== undefined
  return payload === '' && more.length === 0 && isCanonical(header) && isCanonical(signature)
}
