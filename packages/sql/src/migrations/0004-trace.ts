import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The trace context of events. */
export function traceMigration(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('events').addColumn('trace', 'text').execute()
    },
  }
}
