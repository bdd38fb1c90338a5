import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createAlertTable } from '../alerts/tables.ts'
import { createAuditTable } from '../audit/tables.ts'
import { createDestinationTables } from '../destinations/tables.ts'
import { createEndpointTables } from '../endpoints/tables.ts'
import { createIdempotencyTable } from '../idempotency/tables.ts'
import { createProcessTable } from '../processes/tables.ts'
import { createReconciliationTable } from '../reconciliations/tables.ts'
import { createSubscriptionTable } from '../subscriptions/tables.ts'
import { createTrafficTable } from '../traffic/tables.ts'
import { createUnprocessedTable } from '../unprocessed/tables.ts'
import { createBodyObjects, indexObjects } from './body-objects.ts'
import { createBus } from './bus.ts'
import { createDeliveries, createDeliveryValues, createIdempotencyKeys } from './deliveries.ts'
import type { Engine } from './engine.ts'
import { createEncryptionKeys } from './encryption.ts'
import { createEvents } from './events.ts'
import { createLanes } from './lanes.ts'
import { createNotifications } from './notifications.ts'
import { createQueue } from './queue.ts'
import { createReplayJobs } from './replay-jobs.ts'

/** The table of applied migrations. */
export const migrationTable = 'sallyport_migrations'

/** Returns the migrations of the package's tables by name. Names never change, and new names sort last. */
export function migrationsFor(engine: Engine): Readonly<Record<string, Migration>> {
  return {
    '0001-initial': initialMigration(engine),
  }
}

function initialMigration(engine: Engine): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await createBodyObjects(db, engine)
      await createDeliveries(db, engine)
      await createDeliveryValues(db, engine)
      await createEvents(db, engine)
      await createLanes(db)
      await createIdempotencyKeys(db, engine)
      await createNotifications(db, engine)
      await createBus(db, engine)
      await indexObjects(db)
      await createQueue(db, engine)
      await createReplayJobs(db)
      await createDestinationTables(db)
      await createEndpointTables(db)
      await createSubscriptionTable(db)
      await createTrafficTable(db)
      await createUnprocessedTable(db)
      await createAlertTable(db)
      await createProcessTable(db)
      await createAuditTable(db)
      await createIdempotencyTable(db)
      await createReconciliationTable(db)
      await createEncryptionKeys(db)
      await engine.setStorage?.(db)
    },
  }
}
