/** A response as it is kept and replayed. */
export interface StoredResponse {
  readonly status: number
  /** Those headers that belong to the response itself, such as `Location`; not a request id or a rate limit. */
  readonly headers: Readonly<Record<string, string>>
  /** The body's text, `null` when it is empty. */
  readonly body: string | null
}

/** What a store knows about a key at the moment that it is claimed. */
export type IdempotencyClaim =
  /** Nobody held the key, or its holder's lock had ended: it is the caller's now. */
  | { readonly state: 'claimed' }
  /** Another request is running under the key. */
  | {
      readonly state: 'in-use'
      readonly fingerprint: string
      /** Milliseconds until its lock ends at the latest. */
      readonly retryAfter: number
    }
  /** The key's request has been answered. */
  | { readonly state: 'completed'; readonly fingerprint: string; readonly response: StoredResponse }

export interface ClaimRequest {
  /** The record's key, fixed-length text. */
  readonly key: string
  readonly fingerprint: string
  /** Fences the holder: only who claimed with this token may complete or release. */
  readonly token: string
  /** Milliseconds after which a lock that was neither completed nor released ends, as if its holder had crashed. */
  readonly lockFor: number
}

/**
 * Where idempotency records are kept.
 *
 * Every member is one atomic operation by the store's own clock; an expired record is as good as none.
 */
export interface IdempotencyStore {
  /** Claims a key, or tells what is known about it; of two at once exactly one is given the key. */
  readonly claim: (request: ClaimRequest) => Promise<IdempotencyClaim>
  /**
   * Keeps the response for `keepFor` milliseconds and ends the lock.
   *
   * @returns whether the token still held the key; nothing is kept otherwise
   */
  readonly complete: (request: {
    readonly key: string
    readonly token: string
    readonly response: StoredResponse
    readonly keepFor: number
  }) => Promise<boolean>
  /** Ends the lock and forgets the key, if the token still holds it. */
  readonly release: (request: { readonly key: string; readonly token: string }) => Promise<void>
}
