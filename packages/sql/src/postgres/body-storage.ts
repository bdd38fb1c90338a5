import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Stores bodies uncompressed by PostgreSQL, because they are compressed already. A body of up to half a page stays in
 * its row: chunks in a TOAST table, with an index entry each, were most of the cost of a body. Existing bodies stay where
 * they are.
 */
export const bodyStorageMigration: Migration = {
  async up(db) {
    await sql`alter table delivery_bodies alter column body set storage external,
      set (toast_tuple_target = 4080)`.execute(db)
  },
}
