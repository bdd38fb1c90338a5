import type { ColumnType, Generated, Kysely } from 'kysely'
import type { BigintColumn } from '../internal/bigint-column.ts'

type OptionalTime = ColumnType<number | string | bigint | null, number | null | undefined, number | null>

/** A type, because `$extendTables` accepts no interface. */
export type SubscriptionTables = {
  subscriptions: SubscriptionsTable
}

/** The webhooks that are registered at services. Times are in milliseconds since the epoch. */
export interface SubscriptionsTable {
  id: string
  service: string
  /** Null for the address of the provider. */
  endpoint: string | null
  /** JSON. */
  parameters: string
  /** The name of the credential. */
  credential: string | null
  /** 1 for a subscription of a file. */
  declared: number
  /** 1 for a subscription that is to be removed from its service. */
  removing: Generated<number>
  revision: Generated<number>
  /** The failed visits in a row, as in `progress`. */
  failures: Generated<number>
  /** JSON: a `SubscriptionProgress`. */
  progress: string
  created_at: BigintColumn
  due_at: BigintColumn
  lease: Generated<string | null>
  lease_ends_at: OptionalTime
}

export async function createSubscriptionTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('subscriptions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('service', 'text', (column) => column.notNull())
    .addColumn('endpoint', 'text')
    .addColumn('parameters', 'text', (column) => column.notNull())
    .addColumn('credential', 'text')
    .addColumn('declared', 'integer', (column) => column.notNull())
    .addColumn('removing', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('revision', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('failures', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('progress', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('lease', 'text')
    .addColumn('lease_ends_at', 'bigint')
    .execute()
  const index = (name: string) => db.schema.createIndex(`subscriptions_${name}`).on('subscriptions')
  await index('created').columns(['created_at', 'id']).execute()
  await index('due').column('due_at').execute()
  await index('endpoint').column('endpoint').execute()
}
