/** A response that an idempotency store saves and replays. */
export interface StoredResponse {
  readonly status: number
  /** Headers of the response itself, such as `Location`; not a request id or rate limit headers. */
  readonly headers: Readonly<Record<string, string>>
  /** The text of the body; `null` for an empty body. */
  readonly body: string | null
}

/** The result of claiming an idempotency key. */
export type IdempotencyClaim =
  /** The key was free or its lock had expired; the caller holds it now. */
  | { readonly state: 'claimed' }
  /** Another request holds the key. */
  | {
      readonly state: 'in-use'
      readonly fingerprint: string
      /** Milliseconds until the lock expires. */
      readonly retryAfterMs: number
    }
  /** The store has a response for the key. */
  | { readonly state: 'completed'; readonly fingerprint: string; readonly response: StoredResponse }

export interface ClaimRequest {
  /** The key of the record, a text of fixed length. */
  readonly key: string
  readonly fingerprint: string
  /** Fences the holder: only this token can complete or release the claim. */
  readonly token: string
  /** Milliseconds after which the lock expires, in case the holder crashed. */
  readonly lockMs: number
}

/**
 * The port to a store of idempotency records.
 *
 * Every method is one atomic operation and uses the clock of the store. An expired record counts as absent.
 */
export interface IdempotencyStore {
  /** Claims a key, or returns the existing record. Of concurrent claims exactly one succeeds. */
  readonly claim: (request: ClaimRequest) => Promise<IdempotencyClaim>
  /**
   * Saves the response for `retentionMs` milliseconds and ends the lock.
   *
   * @returns whether the token still held the key; otherwise the store saves nothing
   */
  readonly complete: (request: {
    readonly key: string
    readonly token: string
    readonly response: StoredResponse
    readonly retentionMs: number
  }) => Promise<boolean>
  /** Ends the lock and deletes the record if the token still holds the key. */
  readonly release: (request: { readonly key: string; readonly token: string }) => Promise<void>
}
