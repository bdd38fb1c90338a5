import {
  noProgress,
  type SubscriptionProgress,
  type SubscriptionRecord,
  type SubscriptionStore,
} from '@sallyport/webhooks/subscriptions'
import { sql, type ExpressionBuilder, type Kysely, type Selectable } from 'kysely'
import { databaseClock } from '../internal/clock.ts'
import { countRows, selectPage } from '../internal/page.ts'
import { escapeText, unescapeText } from '../internal/text.ts'
import type { SubscriptionsTable, SubscriptionTables } from './tables.ts'

type Rows = ExpressionBuilder<SubscriptionTables, 'subscriptions'>
type Filter = Parameters<SubscriptionStore['count']>[0]

const columns = [
  ...(['id', 'service', 'endpoint', 'parameters', 'credential'] as const),
  ...(['declared', 'removing', 'revision', 'progress', 'created_at'] as const),
] as const

const free = { lease: null, lease_ends_at: null }

/** Stores subscriptions, by the clock of the database. */
export function kyselySubscriptionStore<Tables>(database: Kysely<Tables>): SubscriptionStore {
  const db = database as unknown as Kysely<SubscriptionTables>
  const clock = databaseClock(db)
  const after = (milliseconds: number) => sql<number>`${clock()} + cast(${Math.ceil(milliseconds)} as bigint)`
  const selectRows = (filter: Filter) => db.selectFrom('subscriptions').where((row) => matches(row, filter))

  return {
    async insert({ id, service, endpoint = null, parameters, credential, isDeclared }) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('subscriptions')
        .values({
          ...{ id, service, endpoint, parameters: JSON.stringify(parameters ?? null) },
          credential: credential === undefined ? null : escapeText(credential),
          declared: isDeclared ? 1 : 0,
          progress: JSON.stringify(noProgress),
          created_at: clock(),
          due_at: clock(),
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n
    },

    async get(id) {
      const row = await db
        .selectFrom('subscriptions')
        .select(columns)
        .where('id', '=', escapeText(id))
        .executeTakeFirst()
      return row && toRecord(row)
    },

    async list(query) {
      const found = selectPage(selectRows(query).select(columns), 'createdAt', query)
      return (await found.execute()).map(toRecord)
    },

    count: (filter) => countRows(selectRows(filter)),

    async change(which, { isRemoving, target } = {}) {
      const { numUpdatedRows } = await db
        .updateTable('subscriptions')
        .set({
          revision: sql<number>`revision + 1`,
          due_at: clock(),
          ...(isRemoving !== undefined && { removing: isRemoving ? 1 : 0 }),
          ...(target && {
            parameters: JSON.stringify(target.parameters ?? null),
            credential: target.credential === undefined ? null : escapeText(target.credential),
          }),
        })
        .where((row) =>
          'id' in which
            ? row('id', '=', escapeText(which.id))
            : row('endpoint', '=', escapeText(which.endpoint)),
        )
        .executeTakeFirst()
      return Number(numUpdatedRows)
    },

    async claim({ token, leaseMs, limit, endpoint }) {
      const isDue = sql<boolean>`due_at <= ${clock()} and coalesce(lease_ends_at, 0) <= ${clock()}`
      const rows = await db
        .updateTable('subscriptions')
        .set({ lease: token, lease_ends_at: after(leaseMs) })
        .where('id', 'in', (row) =>
          row
            .selectFrom('subscriptions')
            .select('id')
            .where(isDue)
            .$if(endpoint !== undefined, (select) => select.where('endpoint', '=', endpoint ?? null))
            .orderBy('due_at')
            .limit(limit),
        )
        // Another process can have claimed a row, or visited it, since the inner query.
        .where(isDue)
        .returning(columns)
        .execute()
      return rows.map(toRecord)
    },

    async save({ id, revision }, token, progress, dueMs) {
      const { numUpdatedRows } = await db
        .updateTable('subscriptions')
        .set({
          ...free,
          failures: progress.failures,
          progress: JSON.stringify(progress),
          due_at: sql<number>`case when revision = ${revision} then ${after(dueMs)} else due_at end`,
        })
        .where('id', '=', id)
        .where('lease', '=', token)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async delete({ id, revision }, token) {
      const { numDeletedRows } = await db
        .deleteFrom('subscriptions')
        .where('id', '=', id)
        .where('lease', '=', token)
        .where('revision', '=', revision)
        .executeTakeFirst()
      if (numDeletedRows > 0n) return true
      await db
        .updateTable('subscriptions')
        .set(free)
        .where('id', '=', id)
        .where('lease', '=', token)
        .execute()
      return false
    },
  }
}

function matches(row: Rows, { endpoints, service, minFailures = 0, isDeclared }: Filter = {}) {
  return row.and([
    ...(endpoints === undefined
      ? []
      : [endpoints.length === 0 ? row.lit(false) : row('endpoint', 'in', endpoints.map(escapeText))]),
    ...(service === undefined ? [] : [row('service', '=', escapeText(service))]),
    ...(minFailures === 0 ? [] : [row('failures', '>=', minFailures)]),
    ...(isDeclared === undefined ? [] : [row('declared', '=', isDeclared ? 1 : 0)]),
  ])
}

function toRecord(row: Pick<Selectable<SubscriptionsTable>, (typeof columns)[number]>): SubscriptionRecord {
  return {
    ...{ id: row.id, service: row.service },
    ...(row.endpoint !== null && { endpoint: row.endpoint }),
    parameters: JSON.parse(row.parameters) as unknown,
    ...(row.credential !== null && { credential: unescapeText(row.credential) }),
    isDeclared: row.declared === 1,
    isRemoving: row.removing === 1,
    revision: row.revision,
    progress: JSON.parse(row.progress) as SubscriptionProgress,
    createdAt: Number(row.created_at),
  }
}
