import { apiKeysMigration } from '@sallyport/sql/keys'
import { sessionsMigration } from '@sallyport/sql/sessions'
import type { Migration } from 'kysely/migration'
import { resources } from './0001-resources.ts'

/** The migrations of the tables of the REST API. Names never change; the name of a new migration sorts last. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-resources': resources,
  '0002-sessions': sessionsMigration,
  '0003-keys': apiKeysMigration,
}

/** The table of the migrations that have run. */
export const migrationTable = 'server_migrations'
