import type { InboxTables } from '@sallyport/sql/sqlite'
import { sql, type Kysely } from 'kysely'

/** The time of the first delivery, in milliseconds since the epoch. */
export const firstReceivedAt = Date.UTC(2026, 0)

/** The interval between two deliveries, in milliseconds. */
export const intervalMs = 100

const rowsPerStatement = 250_000

/**
 * Inserts deliveries with one event each, in one statement per 250,000. One of 100 is in quarantine, one of 100 is a dead
 * letter, and the last 200 are pending.
 */
export async function seedDeliveries(
  database: Kysely<InboxTables>,
  kind: 'sqlite' | 'postgres',
  count: number,
): Promise<void> {
  for (let start = 0; start < count; start += rowsPerStatement) {
    const end = Math.min(count, start + rowsPerStatement)
    await database.transaction().execute((db) => insert(db, kind, start, end, count))
  }
  if (kind === 'postgres') await moveSequences(database, count)
  await sql`analyze`.execute(database)
}

/** Lets new rows follow the inserted ones, whose numbers are explicit. */
async function moveSequences(database: Kysely<InboxTables>, count: number): Promise<void> {
  for (const sequence of ['deliveries_sequence_seq', 'events_sequence_seq']) {
    await sql`select setval(${sequence}, ${count})`.execute(database)
  }
}

async function insert(
  db: Kysely<InboxTables>,
  kind: 'sqlite' | 'postgres',
  start: number,
  end: number,
  count: number,
): Promise<void> {
  const [from, to] = [sql.lit(start), sql.lit(end)]
  const numbers =
    kind === 'postgres'
      ? sql`numbers (i) as (select generate_series(cast(${from} as bigint), ${to} - 1))`
      : sql`recursive numbers (i) as (select ${from} union all select i + 1 from numbers where i < ${to} - 1)`
  const text = sql`cast(i as text)`
  const at = sql`${sql.lit(firstReceivedAt)} + i * ${sql.lit(intervalMs)}`
  const provider = sql`'provider-' || cast(i % 20 as text)`
  const endpoint = sql`case when i % 2 = 0 then 'endpoint-' || cast(i % 1000 as text) end`
  const isQuarantined = sql`i % 100 = 3`
  await sql`with ${numbers}
    insert into deliveries (sequence, id, provider, endpoint, received_at, headers, body_bytes, eventless,
      quarantine_reason, quarantine_code)
    select i + 1, 'delivery-' || ${text}, ${provider}, ${endpoint}, ${at}, '{}', 2000,
      case when ${isQuarantined} then 'quarantined' end,
      case when ${isQuarantined} then 'NORMALIZER_FAILED: x' end,
      case when ${isQuarantined} then 'NORMALIZER_FAILED' end
    from numbers`.execute(db)
  const status = sql`case when i >= ${sql.lit(count - 200)} then 'pending' when i % 100 = 7 then 'dead' else 'published' end`
  const isDead = sql`${status} = 'dead'`
  const isPublished = sql`${status} = 'published'`
  await sql`with ${numbers}
    insert into events (sequence, delivery, id, provider, endpoint, received_at, name, subject, ts, data, manual, route,
      status, attempts, since, due_at, published_at, published_sequence, last_error)
    select i + 1, i + 1, 'event-' || ${text}, ${provider}, ${endpoint}, ${at},
      ${provider} || '/kind.' || cast(i / 20 % 50 as text),
      'octo-org/repo-' || cast(i % 100000 as text) || '/runs/' || ${text}, ${at}, '{}', 0, 'direct',
      ${status}, case when ${isDead} then 12 else 0 end, ${at}, ${at},
      case when ${isPublished} then ${at} end, case when ${isPublished} then i + 1 end,
      case when ${isDead} then 'TimeoutError' end
    from numbers where not (${isQuarantined})`.execute(db)
  await sql`with ${numbers}
    insert into idempotency_keys (scope, key, event, delivery, created_at)
    select 'event', 'event-' || ${text}, i + 1, null, ${at} from numbers where not (${isQuarantined})`.execute(
    db,
  )
}
