import { joinedBytes } from '../crypto/bytes.ts'
import { keyCache } from '../crypto/key-cache.ts'
import {
  importKey,
  type Jwk,
  type KeyEncoding,
  type PublicKey,
  type SignatureAlgorithm,
} from '../crypto/public-key.ts'
import { decodeText, encodeBytes } from '../crypto/text.ts'
import type { MaybePromise, SignatureScheme } from '../ports/ports.ts'
import { inTime, isSecret, refuseEmpty } from './keys.ts'
import { providerUnavailable } from '../gateway/refusals.ts'
import { proofHeaders, refusal, type ProofOptions } from './proof.ts'
import { signedParts } from './signed-content.ts'

/** What the schemes with key pairs have in common: `secrets` are public keys to verify, a private key to sign. */
export interface PublicKeyOptions extends ProofOptions {
  /**
   * Finds the public keys that verify, for services that publish them; it keeps and renews them itself, and has 5 seconds.
   * It is given the secrets, of which one may be the address of the keys.
   *
   * @default the secrets are the keys
   */
  readonly keys?: (secrets: readonly string[]) => MaybePromise<readonly (string | Jwk)[]>
}

interface Internals {
  readonly algorithm: SignatureAlgorithm
  readonly keyEncoding: KeyEncoding
  /** A requirement in addition to the encoding, for error messages. */
  readonly keyNeeds?: string
  /** The form that WebCrypto reads; undefined for what is none of this algorithm's signatures. */
  readonly read: (signature: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer> | undefined
  readonly write?: (signature: Uint8Array<ArrayBuffer>) => Uint8Array
}

/** Each costs an operation with every key. */
const maximumSignatures = 8

export function publicKeyScheme(options: PublicKeyOptions, internals: Internals): SignatureScheme {
  const { encoding, keys: findKeys, timestamp } = options
  const { algorithm, keyEncoding, keyNeeds, read, write } = internals
  const { operation } = algorithm
  const proof = proofHeaders(options)
  const contentOf = signedParts(options.content)
  const cached = keyCache<Promise<PublicKey>>()
  const keyForm = [keyEncoding, keyNeeds].filter(Boolean).join(', ')

  const keyOf = (key: string | Jwk, use: 'verify' | 'sign'): Promise<PublicKey> =>
    cached(`${use}:${typeof key === 'string' ? key : JSON.stringify(key)}`, () =>
      importKey(algorithm, keyEncoding, use, key),
    ).catch(() => {
      const half = use === 'verify' ? 'public' : 'private'
      throw providerUnavailable(`A key of this provider is no ${half} key that it could use (${keyForm})`)
    })

  const keysOf = async (secrets: readonly string[]): Promise<readonly (string | Jwk)[]> => {
    if (findKeys === undefined) return secrets
    try {
      return await inTime(findKeys(secrets))
    } catch (cause) {
      throw providerUnavailable('The public keys of this provider cannot be had now: try again', cause)
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
      const content = joinedBytes(await contentOf(delivery, body, presented))
      const keys = await keysOf(secrets.filter(isSecret))
      const verdicts = await Promise.allSettled(
        keys.map(async (one) => {
          const key = await keyOf(one, 'verify')
          const held = signatures.map((signature) => crypto.subtle.verify(operation, key, signature, content))
          return (await Promise.all(held)).includes(true)
        }),
      )
      if (verdicts.some((verdict) => verdict.status === 'fulfilled' && verdict.value)) {
        return timestamp?.refuses?.(body, now) ?? { verified: true, body }
      }
      const unusable = verdicts.find((verdict) => verdict.status === 'rejected')
      if (unusable) throw unusable.reason
      return refusal('mismatch')
    },

    ...(findKeys === undefined && {
      async checkSecret(secret: string) {
        await keyOf(secret, 'verify')
      },
    }),

    async sign(delivery, secret, now) {
      refuseEmpty(secret)
      return proof.write(delivery, now, async (stamps) => {
        const content = joinedBytes(await contentOf(delivery, delivery.body, stamps))
        const signed = await crypto.subtle.sign(operation, await keyOf(secret, 'sign'), content)
        const signature = new Uint8Array(signed)
        return encodeBytes(encoding, write?.(signature) ?? signature)
      })
    },
  }
}

/** Signatures of one length only. */
export function ofLength(length: number): Internals['read'] {
  return (signature) => (signature.length === length ? signature : undefined)
}
