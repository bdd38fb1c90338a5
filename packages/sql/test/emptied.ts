import { sql, type Kysely } from 'kysely'
import { migrationTable } from '../src/migrations/migrations.ts'

/** Deletes all rows of a SQLite database but its migrations and its key, and restarts its sequences. */
export async function emptyTables<Tables>(kysely: Kysely<Tables>): Promise<void> {
  await kysely.transaction().execute(async (transaction) => {
    await sql`pragma defer_foreign_keys = on`.execute(transaction)
    const { rows } = await sql<{ name: string }>`
      select name from sqlite_master
      where type = 'table' and name not in (${migrationTable}, 'sequences', 'encryption_keys')`.execute(
      transaction,
    )
    for (const { name } of rows) await sql`delete from ${sql.table(name)}`.execute(transaction)
    await sql`update sequences set value = 0`.execute(transaction)
  })
}
