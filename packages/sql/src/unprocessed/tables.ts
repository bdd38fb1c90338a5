import { sql, type Kysely } from 'kysely'
import type { BigintColumn } from '../internal/bigint-column.ts'

/** A type, because `$extendTables` accepts no interface. */
export type UnprocessedTables = {
  unprocessed_deliveries: UnprocessedDeliveriesTable
}

/** Ignored and refused deliveries. In texts of a service, a backslash, NUL and lone surrogates are escaped. */
export interface UnprocessedDeliveriesTable {
  id: string
  /** In milliseconds since the epoch. */
  received_at: BigintColumn
  outcome: 'ignored' | 'refused'
  provider: string
  endpoint: string | null
  kind: string | null
  reason: string | null
  /** The HTTP status of the response. */
  status: BigintColumn
  /** The length of the received body. */
  body_bytes: BigintColumn
  /** The size of the row, for the limit of the table. */
  stored_bytes: BigintColumn
  /** JSON, without signatures and credentials. */
  headers: string
  /** The client network of a refused delivery, for its fair share of the bytes. */
  client: string | null
  /** The encrypted signatures of a refused delivery. */
  proof: string | null
  /** The hashes of the values that find the delivery, each between spaces. */
  value_hashes: string
  /** The first bytes of the body. */
  body: Uint8Array
}

export async function createUnprocessedTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('unprocessed_deliveries')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('received_at', 'bigint', (column) => column.notNull())
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('endpoint', 'text')
    .addColumn('kind', 'text')
    .addColumn('reason', 'text')
    .addColumn('status', 'integer', (column) => column.notNull())
    .addColumn('body_bytes', 'bigint', (column) => column.notNull())
    .addColumn('stored_bytes', 'bigint', (column) => column.notNull())
    .addColumn('headers', 'text', (column) => column.notNull())
    .addColumn('client', 'text')
    .addColumn('proof', 'text')
    .addColumn('value_hashes', 'text', (column) => column.notNull())
    // SQLite stores bytes unchanged in a column of any type.
    .addColumn('body', 'bytea', (column) => column.notNull())
    .execute()
  // Has all columns of the sizes, whose sums therefore read no body.
  await db.schema
    .createIndex('unprocessed_deliveries_sizes')
    .on('unprocessed_deliveries')
    .columns(['outcome', 'stored_bytes'])
    .execute()
  await sql`create index unprocessed_deliveries_received on unprocessed_deliveries (received_at, id)`.execute(
    db,
  )
}
