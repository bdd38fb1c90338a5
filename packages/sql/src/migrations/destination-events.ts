import { sql, type Kysely } from 'kysely'
import type { Engine } from './engine.ts'

/** Finds the events of a destination, whose name is in the id of the row. */
export async function addEventDestinations(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await sql`alter table events add column destination ${engine.eventDestination}`.execute(db)
  await db.schema
    .createIndex('events_by_destination')
    .on('events')
    .columns(['destination', 'status', 'received_at', 'delivery'])
    .where(sql<boolean>`destination is not null`)
    .execute()
}
