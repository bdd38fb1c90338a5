import { PostgresAdapter, type Kysely } from 'kysely'

/** Reports whether a database, which is SQLite or PostgreSQL, is PostgreSQL. */
export function isPostgres<Tables>(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}
