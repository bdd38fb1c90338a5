import type { Sessions } from '@sallyport/auth'
import { kyselySessionStore } from '@sallyport/sql/sessions'
import type { Kysely } from 'kysely'
import { retryOnContention, type ContentionOptions } from '../database/contention.ts'
import type { Tables, UserRow } from '../database/tables.ts'
import type { Access } from '../sessions/access.ts'
import { requireActiveAdmin } from './last-admin.ts'
import { createUsers, type Users } from './repository.ts'

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
          db.transaction().execute((transaction) =>
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
