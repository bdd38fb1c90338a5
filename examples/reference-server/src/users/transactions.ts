import type { Sessions } from '@sallyport/auth'
import { kyselySessionStore } from '@sallyport/sql/sessions'
import type { Kysely } from 'kysely'
import { untilUncontended, type ContentionOptions } from '../database/contention.ts'
import type { Tables, UserRow } from '../database/tables.ts'
import type { Access } from '../sessions/access.ts'
import { requireActiveAdmin } from './last-admin.ts'
import { createUsers, type Users } from './repository.ts'

/** Users and their sessions within one transaction. Nothing else may be asked of the database meanwhile. */
interface UserTransaction {
  readonly users: Users
  readonly sessions: Sessions
  /** A user as it is, and as it stays until the transaction ends. */
  readonly lock: (id: string) => Promise<UserRow | undefined>
  /** @throws SallyportError 409 `LAST_ADMIN` when the transaction leaves no active admin */
  readonly requireActiveAdmin: () => Promise<void>
}

/**
 * Changes users and their sessions, both or neither. What is done is done again when others were in its way, such as
 * to end a deadlock; it must have no effect outside of the transaction.
 */
export type UserTransactions = <T>(act: (transaction: UserTransaction) => Promise<T>) => Promise<T>

export function createUserTransactions(
  db: Kysely<Tables>,
  access: Pick<Access, 'during'>,
  contention?: ContentionOptions,
): UserTransactions {
  return (act) =>
    untilUncontended(
      () =>
        access.during((sessionsIn) =>
          db.transaction().execute((transaction) =>
            act({
              users: createUsers(transaction),
              sessions: sessionsIn(kyselySessionStore<Tables>(transaction)),
              // SQLite knows no FOR UPDATE; an update that changes nothing locks on every database.
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
