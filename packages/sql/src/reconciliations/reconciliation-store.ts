import type { ReconcileState, ReconciliationStore } from '@sallyport/webhooks/reconcile'
import type { Kysely, Selectable } from 'kysely'
import type { ReconciliationTables } from './tables.ts'

type Row = Pick<Selectable<ReconciliationTables['reconciliations']>, 'state' | 'requested'>
type Claimed = NonNullable<Awaited<ReturnType<ReconciliationStore['claim']>>>

/**
 * Stores the states of reconciliation. Of the processes that share the database, one runs a source.
 *
 * @param options `now` returns milliseconds since the epoch. @default Date.now
 */
export function kyselyReconciliationStore<Tables>(
  database: Kysely<Tables>,
  { now = Date.now }: { readonly now?: () => number } = {},
): ReconciliationStore {
  const db = database as unknown as Kysely<ReconciliationTables>
  const update = (name: string, token: string) =>
    db.updateTable('reconciliations').where('name', '=', name).where('lease', '=', token)
  return {
    async list() {
      const rows = await db
        .selectFrom('reconciliations')
        .select(['name', 'state', 'requested', 'due_at'])
        .execute()
      return rows.map((row) => ({ name: row.name, dueAt: Number(row.due_at), ...toClaimed(row) }))
    },

    async claim(name, { token, leaseMs }) {
      const at = now()
      const lease = { lease: token, lease_ends_at: at + leaseMs }
      const row = await db
        .insertInto('reconciliations')
        .values({ name, state: emptyState, due_at: at, ...lease })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet(lease)
            .where((where) =>
              where.or([
                where('reconciliations.lease', 'is', null),
                where('reconciliations.lease_ends_at', '<=', at),
              ]),
            )
            .where((where) =>
              where.or([
                where('reconciliations.due_at', '<=', at),
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
        .set({ state: JSON.stringify(state), lease_ends_at: now() + leaseMs })
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async finish(name, token, { state, dueAt, requested }) {
      const done = requested === undefined ? null : JSON.stringify(requested)
      const { numUpdatedRows } = await update(name, token)
        .set({ state: JSON.stringify(state), due_at: dueAt, lease: null })
        .set('requested', (at) => at.fn<string | null>('nullif', ['requested', at.val(done)]))
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async request(name, run) {
      const requested = JSON.stringify(run)
      await db
        .insertInto('reconciliations')
        .values({ name, state: emptyState, requested, due_at: now(), lease_ends_at: 0 })
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
