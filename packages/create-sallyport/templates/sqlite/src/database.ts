import { openSqlite } from '@sallyport/sql/sqlite'
import type { Migration } from 'kysely/migration'

export type Database = Awaited<ReturnType<typeof openDatabase>>

/** Opens the file, and creates or updates the tables. */
export async function openDatabase(path: string, migrations: Readonly<Record<string, Migration>>) {
  const database = await openSqlite({ path })
  await database.migrate(migrations, { table: 'app_migrations' })
  return database
}
