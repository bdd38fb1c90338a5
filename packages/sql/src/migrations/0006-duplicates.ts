import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Whether the bus already had the id of an event. */
export function duplicatesMigration(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('events').addColumn('duplicate', 'smallint').execute()
    },
  }
}
