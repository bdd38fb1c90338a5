import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Where bodies lie.
 *
 * They come compressed: a server that tries it again does so in vain. Up to half a page stays in the row: chunks in a
 * table beside it, with an entry each in its index, were most of what a body cost. What is there stays where it is.
 */
export const bodyStorageMigration: Migration = {
  async up(db) {
    await sql`alter table delivery_bodies alter column body set storage external,
      set (toast_tuple_target = 4080)`.execute(db)
  },
}
