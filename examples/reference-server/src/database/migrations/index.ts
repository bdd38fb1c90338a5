import { restMigrations } from '@sallyport/sql/rest'
import type { Migration } from 'kysely/migration'
import { resources } from './0002-resources.ts'

/** The migrations of the tables of the REST API. Names never change; the name of a new migration sorts last. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-accounts': restMigrations.accounts,
  '0002-resources': resources,
  '0003-sessions': restMigrations.sessions,
  '0004-keys': restMigrations.apiKeys,
}

/** The table of the migrations that have run. */
export const migrationTable = 'server_migrations'
