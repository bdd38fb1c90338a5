import { openPostgres } from '@sallyport/sql/postgres'
import type { Migration } from 'kysely/migration'

export type Database = Awaited<ReturnType<typeof openDatabase>>

/** Connects to the database, and creates or updates the tables. */
export async function openDatabase(
  url: string,
  migrations: Readonly<Record<string, Migration>>,
  schema = 'public',
) {
  const database = await openPostgres({ url, schema, migrate: true })
  await database.migrate(migrations, { table: 'app_migrations' })
  return database
}
