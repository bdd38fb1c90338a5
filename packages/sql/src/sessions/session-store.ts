import type { SessionRecord, SessionStore } from '@sallyport/auth/store'
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely'
import { deleteInBatches } from '../internal/delete-in-batches.ts'
import { escapeText, unescapeText } from '../internal/text.ts'
import type { SessionsTable, SessionTables } from './tables.ts'

export interface KyselySessionStoreOptions<Tables> {
  /** The database for lookups by id, such as the `reads` of a SQLite database; never a transaction. @default the database */
  readonly reads?: Kysely<Tables>
}

/**
 * Stores refresh sessions in a database that {@link restMigrations.sessions} has migrated.
 *
 * A token is rotated once, also under concurrent requests in several processes: each method is one statement that checks
 * and changes. PostgreSQL must use its default isolation level, read committed.
 *
 * Call `prune` regularly, such as once an hour, to delete old sessions.
 *
 * @param database a Kysely instance with any tables, or a transaction of yours
 */
export function createKyselySessionStore<Tables>(
  database: Kysely<Tables> | Transaction<Tables>,
  options: KyselySessionStoreOptions<Tables> = {},
): SessionStore {
  const db = database as unknown as Kysely<SessionTables>
  const reads = (options.reads ?? database) as unknown as Kysely<SessionTables>

  return {
    async create(session) {
      await db.insertInto('sessions').values(toRow(session)).execute()
    },

    async get(id) {
      const all = reads.selectFrom('sessions').selectAll()
      const row = await all.where('id', '=', escapeText(id)).executeTakeFirst()
      return row && toRecord(row)
    },

    async rotate(id, { from, to, at }) {
      const { numUpdatedRows } = await db
        .updateTable('sessions')
        .set({ token_hash: to, previous_token_hash: from, rotated_at: at })
        .where('id', '=', escapeText(id))
        .where('token_hash', '=', from)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    async revoke(id, at) {
      const { numUpdatedRows } = await db
        .updateTable('sessions')
        .set({ revoked_at: at })
        .where('id', '=', escapeText(id))
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    async revokeUser(userId, { at, except, keep = 0 }) {
      const others = db
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', escapeText(userId))
        .where('revoked_at', 'is', null)
        .$if(except !== undefined, (select) => select.where('id', '!=', escapeText(except ?? '')))
      const surplus = others
        .orderBy('rotated_at', 'desc')
        .orderBy('id', 'desc')
        // SQLite allows an offset only after a limit.
        .limit(sql<number>`${sql.lit(2 ** 31 - 1)}`)
        .offset(keep)
      const ended = await db
        .updateTable('sessions')
        .set({ revoked_at: at })
        .where('id', 'in', keep === 0 ? others : surplus)
        .where('revoked_at', 'is', null)
        .returning('id')
        .execute()
      return ended.map(({ id }) => unescapeText(id))
    },

    async revokeAll(at) {
      const ended = await db
        .updateTable('sessions')
        .set({ revoked_at: at })
        .where('revoked_at', 'is', null)
        .returning('id')
        .execute()
      return ended.map(({ id }) => unescapeText(id))
    },

    async list(userId) {
      const rows = await db
        .selectFrom('sessions')
        .selectAll()
        .where('user_id', '=', escapeText(userId))
        .where('revoked_at', 'is', null)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute()
      return rows.map(toRecord)
    },

    prune: (before) =>
      deleteInBatches((limit) =>
        db
          .deleteFrom('sessions')
          .where('id', 'in', (portion) =>
            portion
              .selectFrom('sessions')
              .select('id')
              .where((session) =>
                session.or([session('expires_at', '<', before), session('revoked_at', '<', before)]),
              )
              .limit(limit),
          )
          .executeTakeFirst(),
      ),
  }
}

function toRow(session: SessionRecord) {
  return {
    id: escapeText(session.id),
    user_id: escapeText(session.userId),
    created_at: session.createdAt,
    expires_at: session.expiresAt,
    token_hash: session.tokenHash,
    previous_token_hash: session.previousTokenHash,
    rotated_at: session.rotatedAt,
    revoked_at: session.revokedAt,
  }
}

function toRecord(row: Selectable<SessionsTable>): SessionRecord {
  return {
    id: unescapeText(row.id),
    userId: unescapeText(row.user_id),
    createdAt: Number(row.created_at),
    expiresAt: Number(row.expires_at),
    tokenHash: row.token_hash,
    previousTokenHash: row.previous_token_hash,
    rotatedAt: Number(row.rotated_at),
    revokedAt: row.revoked_at === null ? null : Number(row.revoked_at),
  }
}
