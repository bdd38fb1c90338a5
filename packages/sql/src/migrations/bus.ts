import { sql, type Kysely } from 'kysely'
import type { Engine } from './engine.ts'

/** The embedded bus: its events, its consumers, their settled and waiting events, and their dead letters. */
export async function createBus({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  await schema
    .createTable('bus_events')
    .addColumn('sequence', engine.sequence.type, engine.sequence.build)
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('published_at', 'bigint', (column) => column.notNull())
    .addColumn('data_body', engine.bytes)
    .execute()
  await schema
    .createTable('bus_consumers')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('position', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('lease', 'text')
    .addColumn('lease_ends_at', 'bigint')
    .execute()
  await schema
    .createTable('bus_settled')
    .addColumn('consumer', 'text', (column) => column.notNull())
    .addColumn('sequence', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('bus_settled_key', ['consumer', 'sequence'])
    .$call(engine.clustered)
    .execute()
  await createWaiting(schema)
  await schema
    .createTable('bus_dead_letters')
    .addColumn('consumer', 'text', (column) => column.notNull())
    .addColumn('sequence', 'bigint', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('dead_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('bus_dead_letters_key', ['consumer', 'sequence'])
    .execute()
  // An erasure finds the dead letters of an event.
  await schema.createIndex('bus_dead_letters_by_id').on('bus_dead_letters').column('id').execute()
}

async function createWaiting(schema: Kysely<unknown>['schema']): Promise<void> {
  await schema
    .createTable('bus_waiting')
    .addColumn('consumer', 'text', (column) => column.notNull())
    .addColumn('sequence', 'bigint', (column) => column.notNull())
    .addColumn('lane', 'text', (column) => column.notNull())
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('error', 'text')
    .addColumn('due_at', 'bigint')
    .addPrimaryKeyConstraint('bus_waiting_key', ['consumer', 'sequence'])
    .execute()
  await schema
    .createIndex('bus_waiting_by_lane')
    .on('bus_waiting')
    .columns(['consumer', 'lane', 'sequence'])
    .execute()
  await schema
    .createIndex('bus_waiting_due')
    .on('bus_waiting')
    .columns(['consumer', 'due_at', 'sequence'])
    .where(sql<boolean>`due_at is not null`)
    .execute()
  // A prune finds the events that wait.
  await schema.createIndex('bus_waiting_by_event').on('bus_waiting').column('sequence').execute()
}
