import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { sql, type Kysely } from 'kysely'
import type { Clock } from '../internal/clock.ts'
import type { InboxTables } from '../internal/tables.ts'

/** The lease that one process of a consumer has, in a row of a table. */
export interface ConsumerLease {
  /** Takes the lease if it is free, and returns whether it was. */
  readonly take: (token: string) => Promise<boolean>
  /** Extends the lease, and returns whether the process still has it. */
  readonly renew: (token: string) => Promise<boolean>
  readonly release: (token: string) => Promise<void>
}

interface LeaseRow {
  readonly table: 'bus_consumers' | 'queue_consumers'
  readonly consumer: string
  /** How long the events belong to a process that does not renew its lease, in milliseconds. */
  readonly leaseMs: number
}

/** Creates a unique token that names this process. */
export const createToken = (): string => `${hostname()}:${process.pid}/${randomUUID()}`

/** Returns the host and the process of a token. */
export const getProcess = (token: string): string => token.replace(/\/[^/]*$/, '')

export function createConsumerLease(
  db: Kysely<InboxTables>,
  clock: Clock,
  { table, consumer, leaseMs }: LeaseRow,
): ConsumerLease {
  return {
    async take(token) {
      const { rows } = await sql`
        insert into ${sql.table(table)} as held (name, lease, lease_ends_at)
        values (${consumer}, ${token}, ${clock()} + ${leaseMs})
        on conflict (name) do update set lease = excluded.lease, lease_ends_at = excluded.lease_ends_at
        where held.lease is null or held.lease_ends_at <= ${clock()}
        returning name`.execute(db)
      return rows.length > 0
    },
    async renew(token) {
      const { numUpdatedRows } = await db
        .updateTable(table)
        .set({ lease_ends_at: sql<number>`${clock()} + ${leaseMs}` })
        .where('name', '=', consumer)
        .where('lease', '=', token)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    async release(token) {
      await db
        .updateTable(table)
        .set({ lease: null, lease_ends_at: null })
        .where('name', '=', consumer)
        .where('lease', '=', token)
        .execute()
    },
  }
}
