import type { Sessions } from '@sallyport/auth'
import { kyselySessionStore } from '@sallyport/sql/sessions'
import { type Kysely, PostgresAdapter, sql } from 'kysely'
import { retryOnContention, type ContentionOptions } from '@sallyport/sql/rows'
import type { Tables, UserRow } from '../database/tables.ts'
import type { Access } from '../sessions/access.ts'
import { createUsers, type Users } from './repository.ts'
import { SallyportError } from '@sallyport/errors'

/** Users and their sessions in one transaction. Use no other connection of the database in the transaction. */
interface UserTransaction {
  readonly users: Users
  readonly sessions: Sessions
  /** Reads and locks a user until the transaction ends. */
  readonly lock: (id: string) => Promise<UserRow | undefined>
  /** @throws SallyportError 409 `LAST_ADMIN` when the transaction leaves no active admin */
  readonly requireActiveAdmin: () => Promise<void>
}

/**
 * Changes users and their sessions in a transaction, which is retried on contention. It must have no effect outside of the
 * transaction.
 */
export type UserTransactions = <T>(act: (transaction: UserTransaction) => Promise<T>) => Promise<T>

export function createUserTransactions(
  db: Kysely<Tables>,
  access: Pick<Access, 'during'>,
  contention?: ContentionOptions,
): UserTransactions {
  return (act) =>
    retryOnContention(
      () =>
        access.during((sessionsIn) =>
          // A check such as that for the last admin reads the commits of the transactions that it waited for.
          db
            .transaction()
            .setIsolationLevel('read committed')
            .execute((transaction) =>
              act({
                users: createUsers(transaction),
                sessions: sessionsIn(kyselySessionStore<Tables>(transaction)),
                // SQLite has no FOR UPDATE; an update without a change locks the row on every database.
                lock: (id) =>
                  transaction
                    .updateTable('users')
                    .set((row) => ({ version: row.ref('version') }))
                    .where('id', '=', id)
                    .returningAll()
                    .executeTakeFirst(),
                requireActiveAdmin: () => requireActiveAdmin(transaction),
              }),
            ),
        ),
      contention,
    )
}

export const isActiveAdmin = (user: Pick<UserRow, 'role' | 'status'> | undefined): boolean =>
  user?.role === 'admin' && user.status === 'active'

/**
 * Requires an active admin in a transaction that demotes, suspends or deletes one.
 *
 * @throws SallyportError 409 `LAST_ADMIN`
 */
async function requireActiveAdmin(transaction: Kysely<Tables>): Promise<void> {
  // If two admins demote each other, the second transaction waits and reads the commit of the first.
  // A write transaction of SQLite excludes all others.
  if (transaction.getExecutor().adapter instanceof PostgresAdapter)
    await sql`select pg_advisory_xact_lock(hashtext('sallyport'), hashtext('admins'))`.execute(transaction)
  const admin = await transaction
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .limit(1)
    .executeTakeFirst()
  if (admin === undefined)
    throw new SallyportError('LAST_ADMIN', 'There is no other active admin: make another user an admin first')
}
