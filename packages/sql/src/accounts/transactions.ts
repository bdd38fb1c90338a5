import type { Sessions } from '@sallyport/auth'
import { createKyselySessionStore } from '../sessions/session-store.ts'
import { type Kysely, PostgresAdapter, sql } from 'kysely'
import { retryOnContention, type ContentionOptions } from '../rows/contention.ts'
import type { AccountTables, UserRow } from './tables.ts'
import type { Access } from './access.ts'
import { createUsers, type OnUserRemoved, type Users } from './users.ts'
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
  db: Kysely<AccountTables>,
  access: Pick<Access, 'during'>,
  options: ContentionOptions & { readonly onRemoved?: OnUserRemoved | undefined } = {},
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
                users: createUsers(transaction, { onRemoved: options.onRemoved }),
                sessions: sessionsIn(createKyselySessionStore(transaction)),
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
      options,
    )
}

export const isActiveAdmin = (user: Pick<UserRow, 'role' | 'status'> | undefined): boolean =>
  user?.role === 'admin' && user.status === 'active'

/**
 * Requires an active admin in a transaction that demotes, suspends or deletes one.
 *
 * @throws SallyportError 409 `LAST_ADMIN`
 */
async function requireActiveAdmin(transaction: Kysely<AccountTables>): Promise<void> {
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
