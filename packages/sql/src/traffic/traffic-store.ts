import type { TrafficCount, TrafficStore } from '@sallyport/webhooks/traffic'
import { sql, type Kysely } from 'kysely'
import { deleteInBatches } from '../internal/delete-in-batches.ts'
import { inTransaction } from '../internal/in-transaction.ts'
import { escapeText, unescapeText } from '../internal/text.ts'
import type { TrafficTables } from './tables.ts'

/** Engines limit the parameters of a statement. */
const portion = 1000

/** The reasons in a result. */
const maxReasons = 1000

/** Stores traffic counts. Counts of several processes add up. */
export function kyselyTrafficStore<Tables>(database: Kysely<Tables>): TrafficStore {
  const db = database as unknown as Kysely<TrafficTables>

  async function addPortion(db: Kysely<TrafficTables>, counts: readonly TrafficCount[]): Promise<void> {
    await db
      .insertInto('traffic_counts')
      .values(
        counts.map(({ minute, provider, outcome, reason, count }) => {
          return { minute, provider: escapeText(provider), outcome, reason: escapeText(reason), count }
        }),
      )
      .onConflict((conflict) =>
        conflict.columns(['minute', 'provider', 'outcome', 'reason']).doUpdateSet({
          count: sql<number>`traffic_counts.count + excluded.count`,
        }),
      )
      .execute()
  }

  return {
    async add(counts) {
      // One order in all processes: PostgreSQL locks the rows in this order, so that no two statements wait for each other.
      const sorted = counts.toSorted(compareCounts)
      if (sorted.length <= portion) {
        if (sorted.length > 0) await addPortion(db, sorted)
        return
      }
      await inTransaction(db, async (transaction) => {
        for (let start = 0; start < sorted.length; start += portion) {
          await addPortion(transaction, sorted.slice(start, start + portion))
        }
      })
    },

    async sum({ from, to, intervalMs }) {
      const within = db.selectFrom('traffic_counts').where('minute', '>=', from).where('minute', '<', to)
      // Integers, because PostgreSQL would take an untyped parameter for a text.
      const [start, length] = [from, intervalMs].map((value) => sql<number>`cast(${value} as bigint)`)
      const total = sql<number | string>`sum(count)`
      const series = await within
        .select([
          'provider',
          'outcome',
          sql<number | string>`(minute - ${start}) / ${length}`.as('interval'),
          total.as('total'),
        ])
        .groupBy(['provider', 'outcome', 'interval'])
        .execute()
      const reasons = await within
        .select(['provider', 'outcome', 'reason', total.as('total')])
        .groupBy(['provider', 'outcome', 'reason'])
        .orderBy('total', 'desc')
        .limit(maxReasons)
        .execute()
      return {
        series: series.map((row) => ({
          at: from + Number(row.interval) * intervalMs,
          provider: unescapeText(row.provider),
          outcome: row.outcome,
          count: Number(row.total),
        })),
        reasons: reasons.map((row) => ({
          provider: unescapeText(row.provider),
          outcome: row.outcome,
          reason: unescapeText(row.reason),
          count: Number(row.total),
        })),
      }
    },

    prune: (before) =>
      deleteInBatches((limit) =>
        db
          .deleteFrom('traffic_counts')
          .where(
            sql<boolean>`(minute, provider, outcome, reason) in (
            select minute, provider, outcome, reason from traffic_counts where minute < ${before} limit ${limit})`,
          )
          .executeTakeFirst(),
      ),
  }
}

const toKey = ({ minute, provider, outcome, reason }: TrafficCount) =>
  [minute, provider, outcome, reason].join('\n')

const compareCounts = (one: TrafficCount, other: TrafficCount) => (toKey(one) < toKey(other) ? -1 : 1)
