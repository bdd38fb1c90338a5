import { withoutContent } from '@sallyport/internal/without-content'
import type { DeliveryFilter } from '@sallyport/webhooks'
import type {
  ReplayJob,
  ReplayJobCounts,
  ReplayJobProgress,
  ReplayJobStore,
} from '@sallyport/webhooks/replay-jobs'
import { sql, type Kysely, type Selectable } from 'kysely'
import type { Clock } from '../internal/clock.ts'
import { countRows, selectPage } from '../internal/page.ts'
import type { SchemaCheck } from '../internal/schema-check.ts'
import type { InboxTables, ReplayJobsTable } from '../internal/tables.ts'
import { escapeText, unescapeText } from '../internal/text.ts'

type Row = Selectable<ReplayJobsTable>

const startOfJob: ReplayJobProgress = {
  ...{ processed: 0, replayed: 0, unchanged: 0, quarantined: 0, erased: 0, events: 0, handled: 0 },
  open: [],
  isLast: false,
}

/** In milliseconds. */
const keptMs = 30 * 86_400_000

/** Creates a store of replay jobs in the database of the inbox. */
export function replayJobStore(
  { kysely: db, schema }: { readonly kysely: Kysely<InboxTables>; readonly schema: SchemaCheck },
  clock: Clock,
): ReplayJobStore {
  const held = (id: string, token: string) =>
    sql<boolean>`id = ${id} and status = 'running' and lease = ${token}`
  const free = { lease: null, lease_ends_at: null }
  const at = () => sql<number>`(select ${clock()})`
  const end = ({ filter, unprocessed }: Pick<ReplayJob, 'filter' | 'unprocessed'>) => ({
    ...free,
    filter: formatFilters(withoutContent(filter), unprocessed && withoutContent(unprocessed)),
    updated_at: at(),
    finished_at: at(),
  })

  const get = async (id: string) => {
    const row = await db.selectFrom('replay_jobs').selectAll().where('id', '=', id).executeTakeFirst()
    return row && toJob(row)
  }

  return {
    async create({ id, filter, unprocessed, asNew, reprocess, total, createdBy }) {
      await db
        .deleteFrom('replay_jobs')
        .where(sql<boolean>`finished_at < ${at()} - ${keptMs}`)
        .execute()
      const row = await db
        .insertInto('replay_jobs')
        .values({
          ...{ id, status: 'running', total },
          filter: formatFilters(filter, unprocessed),
          as_new: asNew ? 1 : 0,
          reprocess: reprocess ? 1 : 0,
          progress: JSON.stringify(startOfJob),
          created_by: createdBy === undefined ? null : escapeText(createdBy),
          created_at: at(),
          updated_at: at(),
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      return toJob(row)
    },

    get,

    async list(query) {
      const jobs = selectPage(db.selectFrom('replay_jobs').selectAll(), 'createdAt', query)
      return (await jobs.execute()).map(toJob)
    },

    count: () => countRows(db.selectFrom('replay_jobs')),

    async cancel(id) {
      const job = await get(id)
      if (job?.status !== 'running') return job
      await db
        .updateTable('replay_jobs')
        .set({ status: 'canceled', ...end(job) })
        .where('id', '=', id)
        .where('status', '=', 'running')
        .execute()
      return await get(id)
    },

    async claim({ token, leaseMs }) {
      const claiming = db
        .updateTable('replay_jobs')
        .set({ lease: token, lease_ends_at: sql<number>`${at()} + ${leaseMs}` })
        .where('id', '=', (job) =>
          job
            .selectFrom('replay_jobs')
            .select('id')
            .where('status', '=', 'running')
            .orderBy('created_at')
            .orderBy('id')
            .limit(1),
        )
        .where(sql<boolean>`status = 'running' and coalesce(lease_ends_at, 0) <= ${at()}`)
        .returningAll()
      const [row] = await schema.claim(() => claiming.execute())
      return row && { job: toJob(row), progress: JSON.parse(row.progress) as ReplayJobProgress }
    },

    async save(id, { token, leaseMs }, progress, transaction = db) {
      // The value comes from the inbox of this database.
      const { numUpdatedRows } = await (transaction as Kysely<InboxTables>)
        .updateTable('replay_jobs')
        .set({
          progress: JSON.stringify(progress),
          updated_at: at(),
          lease_ends_at: sql<number>`${at()} + ${leaseMs}`,
        })
        .where(held(id, token))
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async release(id, token) {
      await db.updateTable('replay_jobs').set(free).where(held(id, token)).execute()
    },

    async finish(id, token, error) {
      const job = await get(id)
      if (job === undefined) return
      await db
        .updateTable('replay_jobs')
        .set({
          ...end(job),
          status: error === undefined ? 'done' : 'failed',
          error: error === undefined ? null : escapeText(error),
        })
        .where(held(id, token))
        .execute()
    },
  }
}

const formatFilters = (filter: DeliveryFilter, unprocessed: ReplayJob['unprocessed']): string =>
  JSON.stringify(unprocessed ? { unprocessed } : filter)

/** Reads the filter of deliveries, or that of ignored and refused ones in `unprocessed`. */
function toFilters(text: string): Pick<ReplayJob, 'filter' | 'unprocessed'> {
  const filter = JSON.parse(text) as DeliveryFilter & Pick<ReplayJob, 'unprocessed'>
  return filter.unprocessed ? { filter: {}, unprocessed: filter.unprocessed } : { filter }
}

function toJob(row: Row): ReplayJob {
  const counts = JSON.parse(row.progress) as ReplayJobCounts
  const { processed, replayed, unchanged, quarantined, erased, events, handled } = counts
  return {
    ...{ id: row.id, status: row.status, total: row.total },
    ...{ asNew: row.as_new === 1, reprocess: row.reprocess === 1 },
    ...{ processed, replayed, unchanged, quarantined, erased, events, handled },
    ...toFilters(row.filter),
    ...(row.error !== null && { error: unescapeText(row.error) }),
    ...(row.created_by !== null && { createdBy: unescapeText(row.created_by) }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...(row.finished_at !== null && { finishedAt: row.finished_at }),
  }
}
