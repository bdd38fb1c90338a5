import { PostgresAdapter, sql, type Kysely } from 'kysely'
import {
  createRepository,
  retryOnContention,
  type ContentionOptions,
  type RepositoryOptions,
} from '@sallyport/sql/rows'
import type { Rows, Tables, UserRow } from '../database/tables.ts'

export type Users = Rows<UserRow>

/** Creates the repository of users. The deletion of a user unassigns its tasks. */
export function createUsers(
  db: Kysely<Tables>,
  options: Omit<RepositoryOptions<Tables>, 'noun'> = {},
): Users {
  const { now = Date.now } = options
  return {
    ...createRepository(db, 'users', { ...options, noun: 'user' }),
    remove: (key, decide) =>
      within(db, options, async (transaction) => {
        const users = createRepository(transaction, 'users', { noun: 'user', now })
        const { id } = await users.get(key)
        await lockForDeletion(transaction, id)
        // The foreign key would also unassign the tasks, but would not change their versions.
        await transaction
          .updateTable('tasks')
          .set((row) => ({
            assignee_id: null,
            version: row('version', '+', 1),
            updated_at: new Date(now()).toISOString(),
          }))
          .where('assignee_id', '=', id)
          .execute()
        await users.remove({ id }, decide)
      }),
  }
}

/** Runs in the current transaction, or in a new one that is retried on contention. */
function within<T>(
  db: Kysely<Tables>,
  options: ContentionOptions,
  act: (transaction: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  return db.isTransaction ? act(db) : retryOnContention(() => db.transaction().execute(act), options)
}

/**
 * Locks a user that a transaction deletes, so that no other transaction adds a reference to the user. Waits for
 * transactions that have added one.
 */
async function lockForDeletion(transaction: Kysely<Tables>, id: string): Promise<void> {
  // A write transaction of SQLite excludes all others.
  if (!(transaction.getExecutor().adapter instanceof PostgresAdapter)) return
  // One deletion at a time: two deletions would lock the rows that refer to both users in different orders.
  await sql`select pg_advisory_xact_lock(hashtext('sallyport'), hashtext('users'))`.execute(transaction)
  // Only this row lock excludes the locks of foreign keys.
  await transaction.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
}
