/** A session as it is stored. Times are milliseconds since 1970. */
export interface SessionRecord {
  readonly id: string
  readonly userId: string
  readonly createdAt: number
  /** When it ends, however much it is used. */
  readonly expiresAt: number
  /** SHA-256, in base64url, of the refresh token that may be used next. */
  readonly tokenHash: string
  /** The hash of the token that was used last; null before the first rotation. */
  readonly previousTokenHash: string | null
  /** When the session was created or its token last rotated. */
  readonly rotatedAt: number
  /** When it was ended; null while it has not been. */
  readonly revokedAt: number | null
}

/** One rotation: the token of hash `from` gives way to the one of hash `to`. */
export interface SessionRotation {
  readonly from: string
  readonly to: string
  readonly at: number
}

export interface RevokeUserOptions {
  /** When they ended. */
  readonly at: number
  /** The id of a session that stays. */
  readonly except?: string
  /** How many of the others stay: those that were created or rotated last. @default 0 */
  readonly keep?: number
}

/**
 * Where sessions are kept. Every call sees what the calls before it did: no reads from a lagging replica.
 *
 * `testSessionStore` of `@sallyport/auth/testing` checks an implementation.
 */
export interface SessionStore {
  /** Stores a new session; rejects when the id is taken. */
  create(session: SessionRecord): Promise<void>
  /** The session of an id, ended or not. */
  get(id: string): Promise<SessionRecord | undefined>
  /**
   * Rotates the token, and resolves to whether it did: compare and set in one atomic step, so that of any number of
   * calls at the same time one alone succeeds. On SQL it is one statement:
   *
   * ```sql
   * UPDATE sessions SET token_hash = :to, previous_token_hash = :from, rotated_at = :at
   * WHERE id = :id AND token_hash = :from AND revoked_at IS NULL
   * ```
   */
  rotate(id: string, rotation: SessionRotation): Promise<boolean>
  /** Ends a session; resolves to whether it had not ended before. */
  revoke(id: string, at: number): Promise<boolean>
  /** Ends the sessions of a user but those that stay; resolves to the ids of those that had not ended before. */
  revokeUser(userId: string, options: RevokeUserOptions): Promise<readonly string[]>
  /** The sessions of a user that were not ended, the newest first. */
  list(userId: string): Promise<readonly SessionRecord[]>
  /** Forgets the sessions that expired or were ended before a time; resolves to their number. */
  prune(before: number): Promise<number>
}
