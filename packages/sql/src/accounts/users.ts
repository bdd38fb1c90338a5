import { PostgresAdapter, sql, type Kysely } from 'kysely'
import { createRepository, type Repository, type RepositoryOptions } from '../rows/repository.ts'
import { retryOnContention, type ContentionOptions } from '../rows/contention.ts'
import type { AccountTables, UserRow } from './tables.ts'

export type Users = Repository<UserRow, AccountTables>

/** Changes your own tables in the transaction that deletes a user. */
export type OnUserRemoved = (transaction: Kysely<AccountTables>, id: string) => Promise<unknown>

interface UsersOptions extends Omit<RepositoryOptions<AccountTables>, 'noun'> {
  readonly onRemoved?: OnUserRemoved | undefined
}

/** Creates the repository of users. */
export function createUsers(db: Kysely<AccountTables>, { onRemoved, ...options }: UsersOptions = {}): Users {
  const { now = Date.now } = options
  return {
    ...createRepository(db, 'users', { ...options, noun: 'user' }),
    remove: (key, decide) =>
      within(db, options, async (transaction) => {
        const users = createRepository(transaction, 'users', { noun: 'user', now })
        const { id } = await users.get(key)
        await lockForDeletion(transaction, id)
        await onRemoved?.(transaction, id)
        await users.remove({ id }, decide)
      }),
  }
}

/** Runs in the current transaction, or in a new one that is retried on contention. */
function within<T>(
  db: Kysely<AccountTables>,
  options: ContentionOptions,
  act: (transaction: Kysely<AccountTables>) => Promise<T>,
): Promise<T> {
  return db.isTransaction ? act(db) : retryOnContention(() => db.transaction().execute(act), options)
}

/**
 * Locks a user that a transaction deletes, so that no other transaction adds a reference to the user. Waits for
 * transactions that have added one.
 */
async function lockForDeletion(transaction: Kysely<AccountTables>, id: string): Promise<void> {
  // A write transaction of SQLite excludes all others.
  if (!(transaction.getExecutor().adapter instanceof PostgresAdapter)) return
  // One deletion at a time: two deletions would lock the rows that refer to both users in different orders.
  await sql`select pg_advisory_xact_lock(hashtext('sallyport'), hashtext('users'))`.execute(transaction)
  // Only this row lock excludes the locks of foreign keys.
  await transaction.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
}
