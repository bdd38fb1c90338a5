import {
  importKey,
  type ImportedKey,
  type KeyInput,
  type PublicJwk,
  type SigningAlgorithm,
} from './signing-key.ts'
import type { UsableKey } from './key-types.ts'
import type { VerificationKeys } from './verification-keys.ts'

/** The key that signs new tokens. */
interface Signer {
  readonly alg: SigningAlgorithm
  readonly kid: string
  readonly key: UsableKey
}

/** A JSON Web Key Set (RFC 7517) of public keys. */
export interface PublicJwks {
  readonly keys: readonly PublicJwk[]
}

/** The keys of one token issuer. The first key signs, and every key verifies. */
export interface KeyRing extends VerificationKeys {
  /** The first key; undefined when the first key is public. */
  readonly signer: Signer | undefined
  /**
   * Returns the public keys for `/.well-known/jwks.json`. Secrets are never included, so the set of a ring with only secrets
   * is empty.
   */
  readonly jwks: () => PublicJwks
  /**
   * Replaces all keys at once. Tokens of removed keys become invalid immediately, also those in the cache of a verifier.
   *
   * To rotate without rejecting valid tokens: append the new key and wait until every verifier has it, then move it to the
   * front, then remove the old key after its last token has expired.
   */
  readonly rotate: (keys: readonly KeyInput[]) => void
}

const maxKeys = 16

/**
 * Creates a key ring. The first key signs, and every key verifies. Each key is bound to one algorithm.
 *
 * A token names its key by `kid`. A token without a `kid` is checked against every key of its algorithm. A JSON Web Key
 * keeps its own `kid`.
 *
 * @throws TypeError when `keys` is not an array, is empty or has over 16 keys; for a secret under 32 bytes, an RSA key under
 *   2048 bits, a key that does not fit its algorithm, a JSON Web Key whose `use`, `key_ops` or `alg` does not allow
 *   signatures, and a repeated `kid`
 * @example
 * ```ts
 * import { createKeyRing } from '@sallyport/auth'
 *
 * const secrets = (process.env.JWT_SECRET ?? '').split(',')
 * const keys = createKeyRing(secrets)
 * ```
 */
export function createKeyRing(keys: readonly KeyInput[]): KeyRing {
  let ring = importRing(keys)
  let verifying = ring.map(toVerificationKey)
  let version = 0

  return {
    get version() {
      return version
    },
    get signer() {
      const [first] = ring
      return first?.signKey && { alg: first.alg, kid: first.kid, key: first.signKey }
    },
    find: ({ alg, kid }) =>
      verifying.filter((key) => key.alg === alg && (kid === undefined || key.kid === kid)),
    jwks: () => ({ keys: ring.flatMap(({ publicJwk }) => publicJwk ?? []) }),
    rotate(next) {
      ring = importRing(next)
      verifying = ring.map(toVerificationKey)
      version += 1
    },
  }
}

/** Removes the signing key, which a verifier does not need. */
const toVerificationKey = ({ alg, kid, verifyKey }: ImportedKey) => ({ alg, kid, key: verifyKey })

function importRing(keys: readonly KeyInput[]): readonly ImportedKey[] {
  const given: unknown = keys
  if (!Array.isArray(given)) throw new TypeError('keys must be an array')
  if (keys.length === 0) throw new TypeError('keys must hold at least one key')
  if (keys.length > maxKeys) throw new TypeError(`keys must hold at most ${maxKeys} keys`)
  const ring = keys.map((key, index) => importKey(key, `keys[${index}]`))
  const kids = ring.map(({ kid }) => kid)
  const repeated = kids.findIndex((kid, index) => kids.indexOf(kid) !== index)
  if (repeated !== -1) throw new TypeError(`keys[${repeated}] repeats a kid; each key needs its own`)
  return ring
}
