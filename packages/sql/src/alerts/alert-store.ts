import type { AlertState, AlertStore } from '@sallyport/webhooks/alerts'
import type { Kysely } from 'kysely'
import type { AlertTables } from './tables.ts'

/**
 * Stores alerts. Processes that share the database send each alert once.
 *
 * @param options `now` returns milliseconds since the epoch. @default Date.now
 */
export function kyselyAlertStore<Tables>(
  database: Kysely<Tables>,
  { now = Date.now }: { readonly now?: () => number } = {},
): AlertStore {
  const db = database as unknown as Kysely<AlertTables>
  return {
    async claim(holder, leaseMs) {
      const endsAt = now() + leaseMs
      const row = await db
        .insertInto('alert_states')
        .values({ id: 1, states: '[]', holder, lease_ends_at: endsAt })
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet({ holder, lease_ends_at: endsAt })
            .where((where) =>
              where.or([
                where('alert_states.holder', 'is', null),
                where('alert_states.holder', '=', holder),
                where('alert_states.lease_ends_at', '<=', now()),
              ]),
            ),
        )
        .returning('states')
        .executeTakeFirst()
      return row && (JSON.parse(row.states) as readonly AlertState[])
    },

    async save(holder, states) {
      const { numUpdatedRows } = await db
        .updateTable('alert_states')
        .set({ states: JSON.stringify(states) })
        .where('id', '=', 1)
        .where('holder', '=', holder)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async release(holder) {
      await db
        .updateTable('alert_states')
        .set({ holder: null })
        .where('id', '=', 1)
        .where('holder', '=', holder)
        .execute()
    },
  }
}
