import type { ProcessReport, ProcessStore } from '@sallyport/webhooks/processes'
import { keptForMs } from '@sallyport/internal/kept-heartbeats'
import { sql, type Kysely } from 'kysely'
import { databaseClock } from '../internal/clock.ts'
import type { ProcessTables } from './tables.ts'

/** Stores the heartbeats of the processes that share the database, by the clock of the database. */
export function kyselyProcessStore<Tables>(database: Kysely<Tables>): ProcessStore {
  const db = database as unknown as Kysely<ProcessTables>
  const clock = databaseClock(db)

  async function deleteExpired(): Promise<void> {
    await db
      .deleteFrom('processes')
      .where((row) =>
        row.or([
          row('alive_until', '<', sql<number>`${clock()} - ${sql.lit(keptForMs.unreplaced)}`),
          row.and([
            row('alive_until', '<', sql<number>`${clock()} - ${sql.lit(keptForMs.replaced)}`),
            row('roles', 'in', (query) =>
              query
                .selectFrom('processes as living')
                .select('living.roles')
                .where('living.alive_until', '>', clock()),
            ),
          ]),
        ]),
      )
      .execute()
  }

  return {
    async save(report, aliveForMs) {
      const times = {
        seen_at: clock(),
        alive_until: sql<number>`${clock()} + cast(${aliveForMs} as bigint)`,
      }
      const row = { roles: report.roles.join(), report: JSON.stringify(report), ...times }
      await db
        .insertInto('processes')
        .values({ id: report.id, ...row })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
        .execute()
      await deleteExpired()
    },

    async list() {
      const rows = await db
        .selectFrom('processes')
        .select(['report', 'seen_at'])
        .select(sql<number>`case when alive_until <= ${clock()} then 1 else 0 end`.as('dead'))
        .execute()
      const states = rows.map(({ report, seen_at: seenAt, dead }) => ({
        ...(JSON.parse(report) as ProcessReport),
        seenAt: Number(seenAt),
        isDead: dead === 1,
      }))
      return states.sort(
        (one, other) => compareTexts(one.host, other.host) || one.startedAt - other.startedAt,
      )
    },

    async remove(id) {
      await db.deleteFrom('processes').where('id', '=', id).execute()
    },
  }
}

const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
