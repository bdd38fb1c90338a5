import { sql, type Kysely } from 'kysely'
import type { BigintColumn } from '../internal/bigint-column.ts'

/** A type, because `$extendTables` accepts no interface. */
export type EndpointTables = {
  endpoints: EndpointsTable
  endpoint_changes: EndpointChangesTable
}

/** Endpoints. Times are in milliseconds since the epoch. `secrets`, `labels` and `options` are JSON. */
export interface EndpointsTable {
  id: string
  provider: string
  name: string
  /** The name in lower case. */
  search: string
  status: 'active' | 'disabled'
  /** A list of `{id, value, createdAt, isReadable}`, newest first; each value is encrypted. */
  secrets: string
  labels: string
  options: string
  /** Until when the endpoint waits for a handshake. */
  handshake_until: BigintColumn | null
  version: BigintColumn
  created_at: BigintColumn
  updated_at: BigintColumn
  /** When the endpoint was deleted. The row keeps the id in use. */
  deleted_at: BigintColumn | null
  /** The position of the last change in the order of commits. */
  change: BigintColumn
}

/** One row: the position of the last change. */
interface EndpointChangesTable {
  name: 'endpoints'
  value: BigintColumn
}

export async function createEndpointTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('endpoints')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('search', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('secrets', 'text', (column) => column.notNull())
    .addColumn('labels', 'text', (column) => column.notNull())
    .addColumn('options', 'text', (column) => column.notNull())
    .addColumn('handshake_until', 'bigint')
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('deleted_at', 'bigint')
    .addColumn('change', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('endpoints_created')
    .on('endpoints')
    .columns(['created_at', 'id'])
    .where(sql<boolean>`deleted_at is null`)
    .execute()
  await db.schema
    .createIndex('endpoints_of_provider')
    .on('endpoints')
    .columns(['provider', 'created_at', 'id'])
    .where(sql<boolean>`deleted_at is null`)
    .execute()
  await db.schema
    .createIndex('endpoints_deleted')
    .on('endpoints')
    .column('deleted_at')
    .where(sql<boolean>`deleted_at is not null`)
    .execute()
  await db.schema.createIndex('endpoints_changed').unique().on('endpoints').column('change').execute()
  await db.schema
    .createTable('endpoint_changes')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'bigint', (column) => column.notNull())
    .execute()
  await sql`insert into endpoint_changes (name, value) values ('endpoints', 0)`.execute(db)
}
