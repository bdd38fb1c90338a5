import { sql, type Kysely } from 'kysely'
import type { Engine } from './engine.ts'

/** Deliveries and their bodies. */
export async function createDeliveries({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  await schema
    .createTable('deliveries')
    .addColumn('sequence', engine.sequence.type, engine.sequence.build)
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('endpoint', 'text')
    .addColumn('received_at', 'bigint', (column) => column.notNull())
    .addColumn('headers', 'text', (column) => column.notNull())
    .addColumn('query', 'text')
    .addColumn('body_bytes', 'bigint', (column) => column.notNull())
    .addColumn('eventless', 'text')
    .addColumn('quarantine_reason', 'text')
    .addColumn('quarantine_code', 'text')
    .addColumn('erased_at', 'bigint')
    .execute()
  await schema
    .createIndex('deliveries_eventless')
    .on('deliveries')
    .columns(['eventless', 'provider', 'received_at', 'sequence'])
    .where(sql<boolean>`eventless is not null`)
    .execute()
  await schema
    .createIndex('deliveries_by_endpoint')
    .on('deliveries')
    .columns(['endpoint', 'received_at', 'sequence'])
    .where(sql<boolean>`endpoint is not null`)
    .execute()
  await schema
    .createIndex('deliveries_by_reason')
    .on('deliveries')
    .columns(['quarantine_code', 'received_at', 'sequence'])
    .where(sql<boolean>`eventless = 'quarantined'`)
    .execute()

  await schema
    .createTable('delivery_bodies')
    .addColumn('delivery', engine.reference, (column) =>
      column.primaryKey().references('deliveries.sequence').onDelete('cascade'),
    )
    .addColumn('encoding', 'text', (column) => column.notNull())
    .addColumn('bytes', 'integer', (column) => column.notNull())
    .addColumn('body', engine.bytes, (column) => column.notNull())
    .addColumn('object', engine.bodyObject, (column) => column.references('body_objects.reference'))
    .execute()
  // Lets a query sum the sizes without reading a body.
  await schema
    .createIndex('delivery_bodies_bytes')
    .on('delivery_bodies')
    .columns(['delivery', 'bytes'])
    .execute()
}

/**
 * The index of the values that find a delivery. It has no foreign key, whose check would take longer than the insertion: the
 * erasure and the deletion of a delivery delete its entries.
 */
export async function createDeliveryValues({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  await schema
    .createTable('delivery_values')
    .addColumn('bucket', 'bigint', (column) => column.notNull())
    .addColumn('hash', 'bigint', (column) => column.notNull())
    .addColumn('delivery', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('delivery_values_pk', ['bucket', 'hash', 'delivery'])
    .$call(engine.clustered)
    .execute()
}

/** The recorded keys of events and quarantined deliveries. */
export async function createIdempotencyKeys({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  await schema
    .createTable('idempotency_keys')
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('event', 'bigint')
    .addColumn('delivery', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_pk', ['scope', 'key'])
    .$call(engine.clustered)
    .execute()
  await schema.createIndex('idempotency_keys_created').on('idempotency_keys').column('created_at').execute()
}
