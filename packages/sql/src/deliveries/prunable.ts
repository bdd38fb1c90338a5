import { sql, type Kysely } from 'kysely'
import type { InboxTables } from '../internal/tables.ts'
import { knownProviders } from './providers.ts'
import { isEnded, isUnfinished } from './terms.ts'

/**
 * Finds events that were published by a time. The index knows their receipt time, which is not later; where the receipt
 * was measured by a clock that runs ahead, the events are found later by the same difference.
 */
export async function findOldEvents(
  db: Kysely<InboxTables>,
  before: number,
  limit: number,
): Promise<readonly { readonly sequence: number; readonly delivery: number }[]> {
  const found: { sequence: number; delivery: number }[] = []
  for (const provider of await knownProviders(db)) {
    const { rows } = await sql<{ sequence: number; delivery: number }>`
      select e.sequence, e.delivery from events e
      where e.provider = ${provider} and ${sql.raw(isEnded)} and e.received_at <= ${before} and e.published_at <= ${before}
      order by e.received_at, e.delivery limit ${limit - found.length}`.execute(db)
    found.push(...rows)
    if (found.length === limit) break
  }
  return found
}

/** Finds deliveries without events that need no further work. */
export async function findResolved(
  db: Kysely<InboxTables>,
  before: number,
  limit: number,
): Promise<readonly number[]> {
  const { rows } = await sql<{ sequence: number }>`
    select d.sequence from deliveries d
    where d.eventless is not null and (d.eventless = 'resolved' or d.erased_at is not null)
      and d.received_at <= ${before}
    limit ${limit}`.execute(db)
  return rows.map(({ sequence }) => sequence)
}

/** Sums the stored size of all bodies from an index alone. */
export async function sumBodies(db: Kysely<InboxTables>): Promise<number> {
  const { rows } = await sql<{ total: number | null }>`
    select cast(sum(bytes) as bigint) as total from delivery_bodies`.execute(db)
  return rows[0]?.total ?? 0
}

interface OldBody {
  readonly delivery: number
  readonly bytes: number
  readonly received_at: number
  /** 1 when the body may still be needed. */
  readonly spared: number
}

export async function findOldBodies(
  db: Kysely<InboxTables>,
  after: number,
  limit: number,
): Promise<readonly OldBody[]> {
  const { rows } = await sql<OldBody>`
    select b.delivery, b.bytes, d.received_at,
      case when ${sql.raw(isUnfinished)} then 1 else 0 end as spared
    from delivery_bodies b join deliveries d on d.sequence = b.delivery
    where b.delivery > ${after} order by b.delivery limit ${limit}`.execute(db)
  return rows
}

interface OldKey {
  readonly scope: 'event' | 'quarantine'
  readonly key: string
  readonly created_at: number
  /** 1 while the event or the delivery of the key is stored. */
  readonly spared: number
}

export async function findOldKeys(
  db: Kysely<InboxTables>,
  before: number,
  after: { readonly createdAt: number; readonly scope: string; readonly key: string } | undefined,
  limit: number,
): Promise<readonly OldKey[]> {
  const behind =
    after === undefined
      ? sql``
      : sql` and k.created_at >= ${after.createdAt}
          and (k.created_at, k.scope, k.key) > (${after.createdAt}, ${after.scope}, ${after.key})`
  const { rows } = await sql<OldKey>`
    select k.scope, k.key, k.created_at,
      case when exists (select 1 from events e where e.sequence = k.event)
        or exists (select 1 from deliveries d where d.sequence = k.delivery) then 1 else 0 end as spared
    from idempotency_keys k where k.created_at <= ${before}${behind}
    order by k.created_at, k.scope, k.key limit ${limit}`.execute(db)
  return rows
}
