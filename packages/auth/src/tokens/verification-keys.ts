import type { SigningAlgorithm } from './signing-key.ts'
import type { UsableKey } from './key-types.ts'

/** The algorithms that verify tokens. Keys of the later ones are remote. */
export type VerificationAlgorithm = SigningAlgorithm | 'RS384' | 'RS512' | 'PS256' | 'ES384' | 'ES512'

/** The key that an unverified token names. */
export interface KeyHint {
  readonly alg: string
  readonly kid?: string
}

/** A key with its algorithm. */
export interface VerificationKey {
  readonly alg: VerificationAlgorithm
  readonly key: UsableKey
}

/**
 * The source of a verifier's keys: a {@link KeyRing} or {@link createRemoteKeys}.
 */
export interface VerificationKeys {
  /** Changes when a key is removed, which invalidates cached verifications. */
  readonly version: number
  /**
   * Returns the keys that may verify a token, with the algorithm of the hint. With a `kid`, only the key with that name.
   *
   * Throws 503 `SERVICE_UNAVAILABLE` when the keys are unavailable.
   */
  find(hint: KeyHint): readonly VerificationKey[] | Promise<readonly VerificationKey[]>
}
