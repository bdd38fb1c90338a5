import { SallyportError } from '@sallyport/errors'
import { PostgresAdapter, sql, type Kysely } from 'kysely'
import type { Tables, UserRow } from '../database/tables.ts'

export const isActiveAdmin = (user: Pick<UserRow, 'role' | 'status'> | undefined): boolean =>
  user?.role === 'admin' && user.status === 'active'

/**
 * Requires an active admin in a transaction that demotes, suspends or deletes one.
 *
 * @throws SallyportError 409 `LAST_ADMIN`
 */
export async function requireActiveAdmin(transaction: Kysely<Tables>): Promise<void> {
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
