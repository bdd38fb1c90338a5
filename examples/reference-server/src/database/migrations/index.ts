import { alertsMigration } from '@sallyport/sql/alerts'
import { auditMigration } from '@sallyport/sql/audit'
import { endpointsMigration } from '@sallyport/sql/endpoints'
import { idempotencyMigration } from '@sallyport/sql/idempotency'
import { apiKeysMigration } from '@sallyport/sql/keys'
import { sessionsMigration } from '@sallyport/sql/sessions'
import { trafficMigration } from '@sallyport/sql/traffic'
import { unprocessedMigration } from '@sallyport/sql/unprocessed'
import type { Migration } from 'kysely/migration'
import { resources } from './0001-resources.ts'

/** The migrations of the tables of the REST API. Names never change; the name of a new migration sorts last. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-resources': resources,
  '0002-sessions': sessionsMigration,
  '0003-idempotency': idempotencyMigration,
  '0004-endpoints': endpointsMigration,
  '0005-traffic': trafficMigration,
  '0006-unprocessed': unprocessedMigration,
  '0007-keys': apiKeysMigration,
  '0008-audit': auditMigration,
  '0009-alerts': alertsMigration,
}

/** The table of the migrations that have run. */
export const migrationTable = 'server_migrations'
