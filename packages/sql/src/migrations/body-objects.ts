import { sql, type Kysely } from 'kysely'
import type { Engine } from './engine.ts'

/** The objects of large bodies, and those that no row refers to, until they are deleted. */
export async function createBodyObjects({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  await schema
    .createTable('body_objects')
    .addColumn('reference', engine.bytes, (column) => column.primaryKey())
    .addColumn('delivery', 'text', (column) => column.notNull())
    .addColumn('encoding', 'text', (column) => column.notNull())
    .addColumn('bytes', 'integer', (column) => column.notNull())
    .addColumn('sha256', engine.bytes, (column) => column.notNull())
    .addColumn('head', engine.bytes)
    .addColumn('check_at', 'bigint')
    .execute()
  await schema
    .createIndex('body_objects_due')
    .on('body_objects')
    .column('check_at')
    .where(sql<boolean>`check_at is not null`)
    .execute()
  await schema
    .createTable('unused_objects')
    .addColumn('reference', engine.bytes, (column) => column.primaryKey())
    .execute()
}

/** Finds the rows that refer to an object, which is as long as a reference. */
export async function indexObjects({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createIndex('delivery_bodies_object')
    .on('delivery_bodies')
    .column('object')
    .where(sql<boolean>`object is not null`)
    .execute()
  for (const table of ['events', 'bus_events'])
    await schema
      .createIndex(`${table}_object`)
      .on(table)
      .column('data_body')
      .where(sql<boolean>`octet_length(data_body) = 19`)
      .execute()
}
