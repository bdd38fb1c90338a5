import { sql, type Kysely } from 'kysely'
import type { Engine } from './engine.ts'

/** The events of deliveries, and the counter of their publications. */
export async function createEvents(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('events')
    .addColumn('sequence', engine.sequence.type, engine.sequence.build)
    .addColumn('delivery', engine.reference, (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('endpoint', 'text')
    .addColumn('received_at', 'bigint', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('ts', 'double precision', (column) => column.notNull())
    .addColumn('data', 'text')
    .addColumn('erased', 'smallint', (column) => column.notNull().defaultTo(0))
    .addColumn('manual', 'smallint', (column) => column.notNull())
    .addColumn('trace', 'text')
    .addColumn('route', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('since', 'bigint', (column) => column.notNull())
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('lease', 'text')
    .addColumn('lease_ends_at', 'bigint')
    .addColumn('published_at', 'bigint')
    .addColumn('published_sequence', 'bigint')
    .addColumn('replay_of', 'text')
    .addColumn('duplicate', 'smallint')
    .addColumn('last_error', 'text')
    .addColumn('lane', 'text')
    .addColumn('lane_place', 'bigint')
    .addColumn('awaited_targets', 'text')
    .addColumn('notification', 'text')
    .addColumn('destination', engine.eventDestination)
    // SQLite reads a row from its start: the large column is the last one.
    .addColumn('data_body', engine.bytes)
    .execute()
  await createWorkIndexes(db)
  await createTargetIndexes(db)
  await createPublicationIndexes(db)
  await createSearchIndexes(db, engine)

  await db.schema
    .createTable('sequences')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'bigint', (column) => column.notNull())
    .execute()
  await sql`insert into sequences (name, value) values ('published', 0)`.execute(db)
}

async function createWorkIndexes({ schema }: Kysely<unknown>): Promise<void> {
  // Lists deliveries by the status of their events, and finds the events of a delivery. A publication therefore writes
  // nothing to the delivery, and no foreign key needs another index.
  await schema
    .createIndex('events_by_status')
    .on('events')
    .columns(['provider', 'status', 'received_at', 'delivery'])
    .execute()
  // Partial, so that the cost of a claim depends on open work only, and that of a publication on published events.
  await schema
    .createIndex('events_due')
    .on('events')
    .column('provider')
    .column(sql`coalesce(lease_ends_at, due_at)`)
    .column('sequence')
    .where(sql<boolean>`status in ('pending', 'queued') and lane is null`)
    .execute()
}

async function createPublicationIndexes({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createIndex('events_published')
    .unique()
    .on('events')
    .column('published_sequence')
    .where(sql<boolean>`published_sequence is not null`)
    .execute()
  for (const column of ['provider', 'name']) {
    await schema
      .createIndex(`events_published_by_${column}`)
      .on('events')
      .columns([column, 'published_sequence'])
      .where(sql<boolean>`published_sequence is not null`)
      .execute()
  }
  await schema
    .createIndex('events_published_by_endpoint')
    .on('events')
    .columns(['endpoint', 'published_sequence'])
    .where(sql<boolean>`endpoint is not null and published_sequence is not null`)
    .execute()
}

/** The indexes of the events of destinations, and of those that wait for them; an event that never failed does not wait. */
async function createTargetIndexes({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createIndex('events_by_destination')
    .on('events')
    .columns(['destination', 'status', 'received_at', 'delivery'])
    .where(sql<boolean>`destination is not null`)
    .execute()
  await schema
    .createIndex('events_by_awaited_targets')
    .on('events')
    .columns(['awaited_targets', 'received_at', 'delivery'])
    .where(sql<boolean>`awaited_targets is not null and status = 'pending'`)
    .execute()
}

/**
 * The indexes of the filters of deliveries. Recording a delivery adds an entry only to that of subjects: a publication
 * adds entries of published events, and a failure adds all others.
 */
async function createSearchIndexes({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  await schema
    .createIndex('events_by_kind')
    .on('events')
    .columns(['provider', 'name', 'received_at', 'delivery'])
    .where(sql<boolean>`published_sequence is not null`)
    .execute()
  await schema
    .createIndex('events_dead_by_kind')
    .on('events')
    .columns([...engine.deadKind])
    .where(sql<boolean>`status = 'dead'`)
    .execute()
  await schema
    .createIndex('events_by_attempts')
    .on('events')
    .columns(['status', 'attempts', 'received_at', 'delivery'])
    .where(sql<boolean>`attempts > 0`)
    .execute()
  // Index entries have a maximum size.
  await schema
    .createIndex('events_by_error')
    .on('events')
    .column('status')
    .column(sql`substr(last_error, 1, 200)`)
    .column('received_at')
    .column('delivery')
    .where(sql<boolean>`last_error is not null and status <> 'published'`)
    .execute()
  // Not partial, so that a search is fast while a bus is unavailable and many events are pending.
  await schema
    .createIndex('events_by_any_subject')
    .on('events')
    .column(sql`substr(subject, 1, 200) ${sql.raw(engine.textPattern)}`)
    .column('received_at')
    .column('delivery')
    .execute()
}
