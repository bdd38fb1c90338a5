import type { BigintColumn } from '../bigint-column.ts'

/** What {@link kyselySessionStore} keeps, for queries of your own. A type, as `$extendTables` wants it, not an interface. */
export type SessionTables = {
  sessions: SessionsTable
}

/**
 * Refresh sessions. Times are in milliseconds since the epoch. In the ids a backslash, NUL and lone surrogates are
 * escaped as `\\` and `\uXXXX`.
 */
export interface SessionsTable {
  id: string
  user_id: string
  created_at: BigintColumn
  expires_at: BigintColumn
  /** SHA-256, in base64url, of the refresh token that may be used next. */
  token_hash: string
  previous_token_hash: string | null
  rotated_at: BigintColumn
  /** When it was ended; null while it has not been. */
  revoked_at: BigintColumn | null
}
