/** A stored session. Times are milliseconds since 1970. */
export interface SessionRecord {
  readonly id: string
  readonly userId: string
  readonly createdAt: number
  /** The absolute end of the session. */
  readonly expiresAt: number
  /** SHA-256, in base64url, of the current refresh token. */
  readonly tokenHash: string
  /** The hash of the previous token; null before the first rotation. */
  readonly previousTokenHash: string | null
  /** The time of creation or of the last rotation. */
  readonly rotatedAt: number
  /** The time of revocation; null for a session that is not revoked. */
  readonly revokedAt: number | null
}

/** One rotation: the token with hash `to` replaces the token with hash `from`. */
interface SessionRotation {
  readonly from: string
  readonly to: string
  readonly at: number
}

export interface RevokeUserOptions {
  /** The time of revocation. */
  readonly at: number
  /** The id of a session to keep. */
  readonly except?: string
  /** The number of other sessions to keep: the most recently created or rotated ones. @default 0 */
  readonly keep?: number
}

/**
 * The port to a session store. Reads must see all previous writes, so a store must not read from a lagging replica.
 *
 * `testSessionStore` of `@sallyport/testing/auth` tests an implementation.
 */
export interface SessionStore {
  /** Stores a new session; rejects for an existing id. */
  create(session: SessionRecord): Promise<void>
  /** Returns the session, revoked or not. */
  get(id: string): Promise<SessionRecord | undefined>
  /**
   * Rotates the token by compare-and-swap and resolves to whether it succeeded. Of concurrent calls exactly one succeeds.
   * In SQL it is one statement:
   *
   * ```sql
   * UPDATE sessions SET token_hash = :to, previous_token_hash = :from, rotated_at = :at
   * WHERE id = :id AND token_hash = :from AND revoked_at IS NULL
   * ```
   */
  rotate(id: string, rotation: SessionRotation): Promise<boolean>
  /** Revokes a session; resolves to false if it was revoked before. */
  revoke(id: string, at: number): Promise<boolean>
  /** Revokes the sessions of a user except those to keep; resolves to the ids of the newly revoked sessions. */
  revokeUser(userId: string, options: RevokeUserOptions): Promise<readonly string[]>
  /** Revokes the sessions of all users; resolves to the ids of the newly revoked sessions. */
  revokeAll(at: number): Promise<readonly string[]>
  /** Lists the sessions of a user that are not revoked, newest first. */
  list(userId: string): Promise<readonly SessionRecord[]>
  /** Deletes the sessions that expired or were revoked before a time; resolves to their number. */
  prune(before: number): Promise<number>
}
