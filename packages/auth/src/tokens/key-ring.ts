import {
  importKey,
  type ImportedKey,
  type KeyInput,
  type PublicJwk,
  type SigningAlgorithm,
} from './signing-key.ts'
import type { UsableKey } from './key-types.ts'
import type { VerificationKeys } from './verification-keys.ts'

/** The key that new tokens are signed with. */
export interface Signer {
  readonly alg: SigningAlgorithm
  readonly kid: string
  readonly key: UsableKey
}

/** A JSON Web Key Set (RFC 7517) of public keys. */
export interface PublicJwks {
  readonly keys: readonly PublicJwk[]
}

/** The keys of one token issuer: the first signs, all of them verify. */
export interface KeyRing extends VerificationKeys {
  /** The first key, or undefined when it is a public key. */
  readonly signer: Signer | undefined
  /**
   * The public keys, for `/.well-known/jwks.json`. Secrets are never part of it, so that of a ring with secrets
   * only is empty.
   */
  readonly jwks: () => PublicJwks
  /**
   * Replaces all keys at once. Tokens of a key that is no longer listed are refused from then on, those in a
   * verifier's cache included.
   *
   * To rotate without refusing anybody: add the new key behind the old one and wait until every verifier has it;
   * put it first; drop the old one when its last token has expired.
   */
  readonly rotate: (keys: readonly KeyInput[]) => void
}

const maxKeys = 16

/**
 * Makes a ring of keys: the first signs, all of them verify. Each key is pinned to one algorithm and imported once.
 *
 * Tokens name their key by `kid`; one without a `kid` is tried against every key of its algorithm. A JSON Web Key keeps
 * its own `kid`.
 *
 * @throws TypeError for no array, no key, over 16 keys, a secret under 32 bytes, an RSA key under 2048 bits, a key of
 *   another algorithm than it is declared for, a JSON Web Key whose `use`, `key_ops` or `alg` is for something else, or a
 *   `kid` that occurs twice.
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
  let verifying = ring.map(verifyingHalf)
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
      verifying = ring.map(verifyingHalf)
      version += 1
    },
  }
}

/** Without what signs: whoever verifies is handed no more than that takes. */
const verifyingHalf = ({ alg, kid, verifyKey }: ImportedKey) => ({ alg, kid, key: verifyKey })

function importRing(keys: readonly KeyInput[]): readonly ImportedKey[] {
  const given: unknown = keys
  if (!Array.isArray(given)) throw new TypeError('The keys of a ring must be an array')
  if (keys.length === 0) throw new TypeError('A key ring needs at least one key')
  if (keys.length > maxKeys) throw new TypeError(`A key ring holds at most ${maxKeys} keys`)
  const ring = keys.map((key, index) => importKey(key, `keys[${index}]`))
  const kids = ring.map(({ kid }) => kid)
  const repeated = kids.findIndex((kid, index) => kids.indexOf(kid) !== index)
  if (repeated !== -1) throw new TypeError(`keys[${repeated}] has the kid of another key; each needs its own`)
  return ring
}
