import { decodeText, encodeBytes, joinBytes } from '../crypto/encoding.ts'
import {
  importKey,
  type Jwk,
  type KeyEncoding,
  type PublicKey,
  type SignatureAlgorithm,
} from '../crypto/public-key.ts'
import { providerUnavailable } from '../ports/refusals.ts'
import type { Delivery } from '../ports/delivery.ts'
import type { MaybePromise, SignatureScheme } from '../ports/ports.ts'
import { changeDelivery } from './change-delivery.ts'
import { createKeyCache, isSecret, withLookupTimeout } from './keys.ts'
import { createProof, refusal, type ProofOptions } from './proof.ts'

/** Options of the schemes with key pairs. The secrets are public keys for `verify`, and a private key for `sign`. */
export interface PublicKeyOptions extends ProofOptions {
  /**
   * Finds the public keys of services that publish keys. The function caches and renews the keys. The timeout is 5 seconds.
   * The secrets can contain the URL of the keys. The headers of the delivery can name a key: a sender can name unknown keys,
   * so the function limits its requests.
   *
   * @default the secrets are the keys
   */
  readonly keys?: (secrets: readonly string[], delivery: Delivery) => MaybePromise<readonly (string | Jwk)[]>
  /** The private key of `sign`, for tests of a scheme with `keys`. @default the secret */
  readonly signingKey?: string
}

interface Internals {
  readonly algorithm: SignatureAlgorithm
  readonly keyEncoding: KeyEncoding
  /** A requirement in addition to the encoding, for error messages. */
  readonly keyNeeds?: string
  /** Converts a signature to the WebCrypto format; undefined for a malformed signature. */
  readonly read: (signature: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer> | undefined
  readonly write?: (signature: Uint8Array<ArrayBuffer>) => Uint8Array
}

/** Each signature is verified with each key. */
const maximumSignatures = 8

export function publicKeyScheme(options: PublicKeyOptions, internals: Internals): SignatureScheme {
  const { encoding, keys: findKeys, timestamp, signingKey } = options
  const { algorithm, keyEncoding, keyNeeds, read, write } = internals
  const { operation } = algorithm
  const proof = createProof(options)
  const cached = createKeyCache<Promise<PublicKey>>()
  const keyForm = [keyEncoding, keyNeeds].filter(Boolean).join(', ')

  const importCached = (key: string | Jwk, use: 'verify' | 'sign'): Promise<PublicKey> =>
    cached(`${use}:${typeof key === 'string' ? key : JSON.stringify(key)}`, () =>
      importKey(algorithm, keyEncoding, use, key),
    ).catch(() => {
      const half = use === 'verify' ? 'public' : 'private'
      throw providerUnavailable(`A key of this provider is not a usable ${half} key (${keyForm})`)
    })

  const findPublicKeys = async (
    secrets: readonly string[],
    delivery: Delivery,
  ): Promise<readonly (string | Jwk)[]> => {
    if (findKeys === undefined) return secrets
    try {
      return await withLookupTimeout(findKeys(secrets, delivery))
    } catch (cause) {
      throw providerUnavailable('The public keys of this provider are not available: try again', cause)
    }
  }

  return {
    ...proof.names,

    async verify(delivery, secrets, now) {
      const presented = proof.read(delivery, now)
      if ('verified' in presented) return presented
      if (presented.signatures.length > maximumSignatures) return refusal('malformed')
      const signatures = presented.signatures
        .map((text) => decodeText(encoding, text))
        .map((bytes) => bytes && read(bytes))
        .filter((bytes) => bytes !== undefined)
      if (signatures.length === 0) return refusal('malformed')

      const { body } = delivery
      const usable = secrets.filter(isSecret)
      // With fetched keys, a secret can be a part of the content.
      const named = findKeys && usable.length > 0 ? usable : ['']
      const built = await Promise.all(
        named.map((secret) => proof.contents(delivery, body, presented, secret)),
      )
      const contents = built.flat().map(joinBytes)
      const keys = await findPublicKeys(usable, delivery)
      const verdicts = await Promise.allSettled(
        keys.map(async (one) => {
          const key = await importCached(one, 'verify')
          const held = signatures.flatMap((signature) =>
            contents.map((content) => crypto.subtle.verify(operation, key, signature, content)),
          )
          return (await Promise.all(held)).includes(true)
        }),
      )
      if (verdicts.some((verdict) => verdict.status === 'fulfilled' && verdict.value)) {
        return timestamp?.refuses?.(changeDelivery(delivery, { body }), now) ?? { verified: true, body }
      }
      const unusable = verdicts.find((verdict) => verdict.status === 'rejected')
      if (unusable) throw unusable.reason
      return refusal('mismatch')
    },

    ...(findKeys === undefined && {
      async checkSecret(secret: string) {
        await importCached(secret, 'verify')
      },
    }),

    ...proof.signers(async (content, secret) => {
      const key = await importCached(signingKey ?? secret, 'sign')
      const signature = new Uint8Array(await crypto.subtle.sign(operation, key, joinBytes(content)))
      return encodeBytes(encoding, write?.(signature) ?? signature)
    }),
  }
}

/** Accepts signatures of one length. */
export function checkLength(length: number): Internals['read'] {
  return (signature) => (signature.length === length ? signature : undefined)
}
