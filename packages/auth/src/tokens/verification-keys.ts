import type { SigningAlgorithm } from './signing-key.ts'
import type { UsableKey } from './key-types.ts'

/** What an unverified token says about the key that it was signed with. */
export interface KeyHint {
  readonly alg: string
  readonly kid?: string
}

/** A key with the one algorithm that it may verify. */
export interface VerificationKey {
  readonly alg: SigningAlgorithm
  readonly key: UsableKey
}

/**
 * Where a verifier finds its keys: a {@link KeyRing} or {@link createRemoteKeys}.
 */
export interface VerificationKeys {
  /** Changes whenever a key is withdrawn: what was verified before is then verified again. */
  readonly version: number
  /**
   * The keys that a token may have been signed with, none when there is no such key. All of them have the
   * algorithm of the hint; with a `kid` only the key of that name is found.
   *
   * Throws 503 `SERVICE_UNAVAILABLE` when the keys cannot be had.
   */
  find(hint: KeyHint): readonly VerificationKey[] | Promise<readonly VerificationKey[]>
}
