import { accountsMigration } from '@sallyport/sql/accounts'
import { apiKeysMigration } from '@sallyport/sql/keys'
import { sessionsMigration } from '@sallyport/sql/sessions'
import type { Migration } from 'kysely/migration'
import { resources } from './0002-resources.ts'

/** The migrations of the tables of the REST API. Names never change; the name of a new migration sorts last. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-accounts': accountsMigration,
  '0002-resources': resources,
  '0003-sessions': sessionsMigration,
  '0004-keys': apiKeysMigration,
}

/** The table of the migrations that have run. */
export const migrationTable = 'server_migrations'
