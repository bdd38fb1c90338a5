import type { ReconcileState, ReconciliationStore } from '@sallyport/webhooks/reconcile'
import { sql, type Kysely, type Selectable } from 'kysely'
import { databaseClock } from '../internal/clock.ts'
import type { ReconciliationTables } from './tables.ts'

type Row = Pick<Selectable<ReconciliationTables['reconciliations']>, 'state' | 'requested'>
type Claimed = NonNullable<Awaited<ReturnType<ReconciliationStore['claim']>>>

/**
 * Stores the states of reconciliation. Of the processes that share the database, one runs a source. Leases and due times use the
 * clock of the database.
 */
export function kyselyReconciliationStore<Tables>(database: Kysely<Tables>): ReconciliationStore {
  const db = database as unknown as Kysely<ReconciliationTables>
  const clock = databaseClock(db)
  const after = (milliseconds: number) => sql<number>`${clock()} + cast(${Math.ceil(milliseconds)} as bigint)`
  const update = (name: string, token: string) =>
    db.updateTable('reconciliations').where('name', '=', name).where('lease', '=', token)
  return {
    async list() {
      const rows = await db
        .selectFrom('reconciliations')
        .select(['name', 'state', 'requested', sql<number | string>`due_at - ${clock()}`.as('due_ms')])
        .execute()
      return rows.map((row) => ({ name: row.name, dueMs: Number(row.due_ms), ...toClaimed(row) }))
    },

    async claim(name, { token, leaseMs }) {
      const lease = { lease: token, lease_ends_at: after(leaseMs) }
      const row = await db
        .insertInto('reconciliations')
        .values({ name, state: emptyState, due_at: clock(), ...lease })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet(lease)
            .where((where) =>
              where.or([
                where('reconciliations.lease', 'is', null),
                where('reconciliations.lease_ends_at', '<=', clock()),
              ]),
            )
            .where((where) =>
              where.or([
                where('reconciliations.due_at', '<=', clock()),
                where('reconciliations.requested', 'is not', null),
              ]),
            ),
        )
        .returning(['state', 'requested'])
        .executeTakeFirst()
      return row && toClaimed(row)
    },

    async save(name, { token, leaseMs }, state) {
      const { numUpdatedRows } = await update(name, token)
        .set({ state: JSON.stringify(state), lease_ends_at: after(leaseMs) })
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async finish(name, token, { state, dueMs, requested }) {
      const done = requested === undefined ? null : JSON.stringify(requested)
      const { numUpdatedRows } = await update(name, token)
        .set({ state: JSON.stringify(state), due_at: after(dueMs), lease: null })
        .set('requested', (at) => at.fn<string | null>('nullif', ['requested', at.val(done)]))
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async request(name, run) {
      const requested = JSON.stringify(run)
      await db
        .insertInto('reconciliations')
        .values({ name, state: emptyState, requested, due_at: clock(), lease_ends_at: 0 })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ requested }))
        .execute()
    },
  }
}

const emptyState = JSON.stringify({ recovered: 0, abandoned: 0, asked: [] } satisfies ReconcileState)

const toClaimed = ({ state, requested }: Row): Claimed => ({
  state: JSON.parse(state) as ReconcileState,
  ...(requested !== null && { requested: JSON.parse(requested) as Claimed['requested'] & object }),
})
