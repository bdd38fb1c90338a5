import type { InboxStats } from '@sallyport/webhooks'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { InboxTables } from '../internal/tables.ts'
import { knownProviders } from './providers.ts'

interface ProviderCounts {
  readonly pending: number
  readonly queued: number
  readonly dead: number
  readonly oldest: number | null
  readonly oldest_queued: number | null
}

type Totals = Readonly<
  Record<
    | 'quarantined'
    | 'notifications'
    | 'batched'
    | 'dead_notifications'
    | 'published'
    | 'open_lanes'
    | 'stuck_lanes'
    | 'paused_lanes',
    number
  >
> & { readonly oldest_lane: number | null }

/** Counts events, deliveries and notifications; each count reads at most `countUpTo` index entries. */
export async function readStats(db: Kysely<InboxTables>, countUpTo: number): Promise<InboxStats> {
  const upTo = (rows: RawBuilder<unknown>) =>
    sql<number>`(select count(*) from (${rows} limit ${countUpTo}) as counted)`
  const counted = { pending: 0, queued: 0, dead: 0 }
  let oldestPendingAt = Infinity
  let oldestQueuedAt = Infinity
  for (const provider of await knownProviders(db)) {
    const ofStatus = (status: keyof typeof counted) =>
      upTo(sql`select 1 as one from events where provider = ${provider} and status = ${sql.lit(status)}`)
    const { rows } = await sql<ProviderCounts>`
      select ${ofStatus('pending')} as pending, ${ofStatus('queued')} as queued, ${ofStatus('dead')} as dead,
        (select min(received_at) from events where provider = ${provider} and status = 'pending') as oldest,
        (select min(received_at) from events where provider = ${provider} and status = 'queued' and attempts = 0)
          as oldest_queued`.execute(db)
    for (const { oldest, oldest_queued, ...counts } of rows) {
      for (const status of ['pending', 'queued', 'dead'] as const) {
        counted[status] = Math.min(countUpTo, counted[status] + counts[status])
      }
      oldestPendingAt = Math.min(oldestPendingAt, oldest ?? Infinity)
      oldestQueuedAt = Math.min(oldestQueuedAt, oldest_queued ?? Infinity)
    }
  }
  const { rows } = await sql<Totals>`
    select ${upTo(sql`select 1 as one from deliveries where eventless = 'quarantined'`)} as quarantined,
      ${upTo(sql`select 1 as one from notifications where status = 'pending'`)} as notifications,
      (select cast(coalesce(sum(events), 0) as bigint) from notification_batches) as batched,
      ${upTo(sql`select 1 as one from notifications where status = 'dead'`)} as dead_notifications,
      ${upTo(sql`select 1 as one from lanes l where l.paused_at is null
        or exists (select 1 from events e where e.lane = l.name and e.status = 'pending')`)} as open_lanes,
      ${upTo(sql`select 1 as one from lanes where paused_at is null and attempts > 0`)} as stuck_lanes,
      ${upTo(sql`select 1 as one from lanes where paused_at is not null`)} as paused_lanes,
      (select min(since) from lanes where paused_at is null) as oldest_lane,
      (select value from sequences where name = 'published') as published`.execute(db)
  const [totals] = rows
  return {
    events: counted,
    notifications: {
      pending: Math.min(countUpTo, (totals?.notifications ?? 0) + (totals?.batched ?? 0)),
      dead: totals?.dead_notifications ?? 0,
    },
    quarantined: totals?.quarantined ?? 0,
    ...(oldestPendingAt < Infinity && { oldestPendingAt }),
    ...(oldestQueuedAt < Infinity && { oldestQueuedAt }),
    lanes: {
      open: totals?.open_lanes ?? 0,
      stuck: totals?.stuck_lanes ?? 0,
      paused: totals?.paused_lanes ?? 0,
      ...(totals?.oldest_lane != null && { oldestPendingAt: totals.oldest_lane }),
    },
    published: totals?.published ?? 0,
  }
}
