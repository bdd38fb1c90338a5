import { latestReservedMs, reservedAheadMs, type DestinationStore } from '@sallyport/webhooks/destinations'
import { sql, type Kysely } from 'kysely'
import { databaseClock } from '../internal/clock.ts'
import { escapeText, unescapeText } from '../internal/text.ts'
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
    async list() {
      const rows = await db.selectFrom('destinations').selectAll().execute()
      return rows.map((row) => ({
        name: row.name,
        ...(row.paused_at !== null && { pausedAt: Number(row.paused_at) }),
        ...(row.pause_reason !== null && { pauseReason: unescapeText(row.pause_reason) }),
        ...(row.opened_at !== null && { openedAt: Number(row.opened_at) }),
        ...(row.probe_at !== null && { probeAt: Number(row.probe_at) }),
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
