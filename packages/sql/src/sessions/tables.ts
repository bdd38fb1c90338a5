import type { BigintColumn } from '../internal/bigint-column.ts'

/** The table of {@link kyselySessionStore}, for your own queries. A type, because `$extendTables` accepts no interface. */
export type SessionTables = {
  sessions: SessionsTable
}

/**
 * Refresh sessions. Times are in milliseconds since the epoch. In ids, a backslash, NUL and lone surrogates are escaped
 * as `\\` and `\uXXXX`.
 */
export interface SessionsTable {
  id: string
  user_id: string
  created_at: BigintColumn
  expires_at: BigintColumn
  /** SHA-256 of the next valid refresh token, in base64url. */
  token_hash: string
  previous_token_hash: string | null
  rotated_at: BigintColumn
  /** When the session was revoked; null for an active session. */
  revoked_at: BigintColumn | null
}
