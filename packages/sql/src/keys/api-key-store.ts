import type { ApiKeyRecord, ApiKeyStore } from '@sallyport/auth/store'
import { sql, type Kysely, type Selectable } from 'kysely'
import { inTransaction } from '../internal/in-transaction.ts'
import { isPostgres } from '../internal/is-postgres.ts'
import { countRows, selectPage } from '../internal/page.ts'
import { escapeText, unescapeText } from '../internal/text.ts'
import type { ApiKeysTable, ApiKeyTables } from './tables.ts'

export interface KyselyApiKeyStoreOptions<Tables> {
  /** The database for lookups and lists, such as the `reads` of a SQLite database. @default the database */
  readonly reads?: Kysely<Tables>
}

/** Engines limit the parameters of a statement. */
const portion = 500

/**
 * Stores API keys in a database that {@link restMigrations.apiKeys} has migrated.
 *
 * @param database a Kysely instance with any tables, or a transaction; `delete` needs the isolation level read committed on
 *   PostgreSQL, or a child that is created meanwhile may outlive its parent
 */
export function createKyselyApiKeyStore<Tables>(
  database: Kysely<Tables>,
  options: KyselyApiKeyStoreOptions<Tables> = {},
): ApiKeyStore {
  const db = database as unknown as Kysely<ApiKeyTables>
  const reads = (options.reads ?? database) as unknown as Kysely<ApiKeyTables>

  return {
    async insert(key) {
      const row = toRow(key)
      if (row.parent_id === null) {
        await db.insertInto('api_keys').values(row).execute()
        return true
      }
      const values = Object.entries(row).map(([column, value]) => sql`${value}`.as(column))
      const parent = db.selectFrom('api_keys').select(values).where('id', '=', row.parent_id)
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('api_keys')
        .columns(Object.keys(row) as (keyof typeof row)[])
        // The lock lasts until the commit, so a deletion of the parent waits, and then finds the new key.
        .expression(isPostgres(db) ? parent.forKeyShare() : parent)
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },

    async get(id) {
      const all = reads.selectFrom('api_keys').selectAll()
      const row = await all.where('id', '=', escapeText(id)).executeTakeFirst()
      return row && toRecord(row)
    },

    async list(query) {
      const keys = selectPage(reads.selectFrom('api_keys').selectAll(), 'createdAt', query)
      return (await keys.execute()).map(toRecord)
    },

    count: () => countRows(reads.selectFrom('api_keys')),

    delete: (id) =>
      inTransaction(
        db,
        async (transaction) => {
          const remove = (column: 'id' | 'parent_id', ids: readonly string[]) =>
            transaction.deleteFrom('api_keys').where(column, 'in', ids).returning('id').execute()
          const deleted = await remove('id', [escapeText(id)])
          let searched = 0
          // Each statement sees the keys whose creation the lock on their parent has waited for.
          while (searched < deleted.length) {
            const parents = deleted.slice(searched, searched + portion).map((row) => row.id)
            searched += parents.length
            for (const row of await remove('parent_id', parents)) deleted.push(row)
          }
          return deleted.map((row) => unescapeText(row.id))
        },
        isPostgres(db) ? 'read committed' : undefined,
      ),

    async touch(id, at) {
      await db
        .updateTable('api_keys')
        .set({ last_used_at: at })
        .where('id', '=', escapeText(id))
        .where((key) => key.or([key('last_used_at', 'is', null), key('last_used_at', '<', at)]))
        .execute()
    },
  }
}

function toRow(key: ApiKeyRecord) {
  return {
    id: escapeText(key.id),
    name: escapeText(key.name),
    scopes: JSON.stringify(key.scopes),
    endpoints: key.endpoints === null ? null : escapeText(key.endpoints),
    owner_id: escapeText(key.ownerId),
    parent_id: key.parentId === null ? null : escapeText(key.parentId),
    secret_hash: key.secretHash,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    last_used_at: key.lastUsedAt,
  }
}

function toRecord(row: Selectable<ApiKeysTable>): ApiKeyRecord {
  return {
    id: unescapeText(row.id),
    name: unescapeText(row.name),
    scopes: JSON.parse(row.scopes) as readonly string[],
    endpoints: row.endpoints === null ? null : unescapeText(row.endpoints),
    ownerId: unescapeText(row.owner_id),
    parentId: row.parent_id === null ? null : unescapeText(row.parent_id),
    secretHash: row.secret_hash,
    createdAt: Number(row.created_at),
    expiresAt: row.expires_at === null ? null : Number(row.expires_at),
    lastUsedAt: row.last_used_at === null ? null : Number(row.last_used_at),
  }
}
