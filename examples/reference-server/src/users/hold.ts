import { PostgresAdapter, sql, type Kysely } from 'kysely'
import type { Tables } from '../database/tables.ts'

/**
 * Keeps a user that a transaction deletes, so that nobody refers to it anew until that ends: what others are about to is
 * waited for first.
 */
export async function holdForDeletion(transaction: Kysely<Tables>, id: string): Promise<void> {
  // A transaction of SQLite has the database to itself.
  if (!(transaction.getExecutor().adapter instanceof PostgresAdapter)) return
  // What belongs to two users, such as tasks for each other, each deletion would lock in another order.
  await sql`select pg_advisory_xact_lock(hashtext('sallyport'), hashtext('users'))`.execute(transaction)
  // No lesser lock than this one holds off those that foreign keys take.
  await transaction.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
}
