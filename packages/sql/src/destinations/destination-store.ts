import {
  countedMs,
  latestReservedMs,
  reservedAheadMs,
  type DestinationCounts,
  type DestinationState,
  type DestinationStore,
} from '@sallyport/webhooks/destinations'
import { sql, type Expression, type Kysely } from 'kysely'
import { databaseClock } from '../internal/clock.ts'
import { escapeText, unescapeText } from '../internal/text.ts'
import { kyselyManagedStore } from './managed-store.ts'
import type { DestinationTables } from './tables.ts'

interface Reserved {
  readonly at: number | string
  readonly next_at: number | string
}

/** Stores the states of destinations that processes share, by the clock of the database. */
export function kyselyDestinationStore<Tables>(database: Kysely<Tables>): DestinationStore {
  const db = database as unknown as Kysely<DestinationTables>
  const clock = databaseClock(db)
  return {
    managed: kyselyManagedStore(db),
    async list() {
      const rows = await db.selectFrom('destinations').select(columns).execute()
      const counted = await sumCounts(db, clock())
      return rows.map((row) => ({
        name: row.name,
        ...(row.paused_at !== null && { pausedAt: Number(row.paused_at) }),
        ...(row.pause_reason !== null && { pauseReason: unescapeText(row.pause_reason) }),
        ...(row.opened_at !== null && { openedAt: Number(row.opened_at) }),
        ...(row.probe_at !== null && { probeAt: Number(row.probe_at) }),
        ...counted.get(row.name),
        ...(row.success_at !== null && {
          success: {
            at: Number(row.success_at),
            ...(typeof row.success_status === 'number' && { status: row.success_status }),
          },
        }),
      }))
    },

    async pause(name, reason) {
      const pause_reason = reason === undefined ? null : escapeText(reason)
      const paused = { paused_at: clock(), pause_reason }
      const row = await db
        .insertInto('destinations')
        .values({ name, ...paused })
        .onConflict((conflict) =>
          conflict.column('name').doUpdateSet(paused).where('destinations.paused_at', 'is', null),
        )
        .returning('name')
        .executeTakeFirst()
      return row !== undefined
    },

    async resume(name) {
      const { numUpdatedRows } = await db
        .updateTable('destinations')
        .set({ paused_at: null, pause_reason: null })
        .where('name', '=', name)
        .where('paused_at', 'is not', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async setBreaker(name, openMs) {
      const isOpen = openMs !== undefined
      const probe_at = isOpen ? sql<number>`${clock()} + cast(${Math.ceil(openMs)} as bigint)` : null
      await db
        .insertInto('destinations')
        .values({ name, opened_at: isOpen ? clock() : null, probe_at })
        .onConflict((conflict) =>
          conflict.column('name').doUpdateSet({
            opened_at: isOpen ? sql<number>`coalesce(destinations.opened_at, excluded.opened_at)` : null,
            probe_at,
          }),
        )
        .execute()
    },

    async count(counts) {
      // In one order, so that two processes do not wait for each other.
      const sorted = counts.toSorted((one, other) => (one.name < other.name ? -1 : 1))
      for (let start = 0; start < sorted.length; start += portion)
        await addCounts(db, clock(), sorted.slice(start, start + portion))
      await db
        .deleteFrom('destination_counts')
        .where('at', '<', sql<number>`${clock()} - ${sql.lit(2 * countedMs.total)}`)
        .execute()
    },

    async reserve(name, { ratePerSecond, count }) {
      // A thousandth of a millisecond is exact enough for a million requests a second.
      const lasting = Math.round((count * 1_000_000) / ratePerSecond)
      const now = sql`${clock()} * 1000`
      const latest = sql`${now} + cast(${Math.ceil(latestReservedMs(ratePerSecond) * 1000)} as bigint)`
      const { rows } = await sql<Reserved>`
        insert into destinations (name, next_at) values (${name}, ${now} + cast(${lasting} as bigint))
        on conflict (name) do update set next_at = cast(${lasting} as bigint) +
          case when destinations.next_at > ${now} and destinations.next_at <= ${latest} then destinations.next_at else ${now} end
        where destinations.next_at <= ${now} + ${sql.lit(reservedAheadMs * 1000)} or destinations.next_at > ${latest}
        returning next_at, ${clock()} as at`.execute(db)
      const [row] = rows
      if (row) return { count, afterMs: Math.max(0, (Number(row.next_at) - lasting) / 1000 - Number(row.at)) }
      const { next_at, at } = await db
        .selectFrom('destinations')
        .select(['next_at', clock().as('at')])
        .where('name', '=', name)
        .executeTakeFirstOrThrow()
      return { count: 0, afterMs: Math.max(1, Number(next_at) / 1000 - at - reservedAheadMs) }
    },
  }
}

const columns = [
  'name',
  'paused_at',
  'pause_reason',
  'opened_at',
  'probe_at',
  'success_at',
  'success_status',
] as const

/** Engines limit the parameters of a statement. */
const portion = 200

async function addCounts(
  db: Kysely<DestinationTables>,
  now: Expression<number>,
  counts: readonly DestinationCounts[],
): Promise<void> {
  const states = counts.map(({ name, success }) => ({
    name,
    success_at: success ? Math.floor(success.at) : null,
    success_status: success?.status ?? null,
  }))
  await db
    .insertInto('destinations')
    .values(states)
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({
        success_at: sql`coalesce(excluded.success_at, destinations.success_at)`,
        success_status: sql`case when excluded.success_at is null then destinations.success_status else excluded.success_status end`,
      }),
    )
    .execute()
  const at = sql<number>`${now} - ${now} % ${sql.lit(countedMs.part)}`
  await db
    .insertInto('destination_counts')
    .values(counts.map(({ name, attempts, failed, filtered }) => ({ name, at, attempts, failed, filtered })))
    .onConflict((conflict) =>
      conflict.columns(['name', 'at']).doUpdateSet({
        attempts: sql`destination_counts.attempts + excluded.attempts`,
        failed: sql`destination_counts.failed + excluded.failed`,
        filtered: sql`destination_counts.filtered + excluded.filtered`,
      }),
    )
    .execute()
}

type Counts = Pick<DestinationState, 'attempts' | 'failed' | 'filtered'>

async function sumCounts(
  db: Kysely<DestinationTables>,
  now: Expression<number>,
): Promise<ReadonlyMap<string, Counts>> {
  const rows = await db
    .selectFrom('destination_counts')
    .select(({ fn }) => [
      'name',
      fn.sum<number | string>('attempts').as('attempts'),
      fn.sum<number | string>('failed').as('failed'),
      fn.sum<number | string>('filtered').as('filtered'),
    ])
    .where('at', '>', sql<number>`${now} - ${sql.lit(countedMs.total)}`)
    .groupBy('name')
    .execute()
  const toCounts = ({ attempts, failed, filtered }: (typeof rows)[number]) => ({
    ...{ attempts: Number(attempts), failed: Number(failed), filtered: Number(filtered) },
  })
  return new Map(rows.map((row) => [row.name, toCounts(row)]))
}
