import { idempotencyMigration } from '@sallyport/sql/idempotency'
import { sessionsMigration } from '@sallyport/sql/sessions'
import type { Migration } from 'kysely/migration'
import { resources } from './0001-resources.ts'

/** Every migration of the REST API's tables, by name; a name is never changed, and new ones sort behind it. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-resources': resources,
  '0002-sessions': sessionsMigration,
  '0003-idempotency': idempotencyMigration,
}

/** The table that remembers which of them have run. */
export const migrationTable = 'server_migrations'
