import type { InboxTables } from '@sallyport/sql/postgres'
import { sql, type Kysely } from 'kysely'

const receivedAt = Date.UTC(2026, 0)
const deliveriesPerStatement = 250_000

interface Seed {
  /** How many lanes the events are spread over, in turn. */
  readonly lanes: number
  readonly events: number
  /** The first part of the names of the lanes, and of the ids of the events. */
  readonly prefix: string
}

/** Inserts pending events of ordered lanes on PostgreSQL, each with its own delivery. */
export async function seedLanes(db: Kysely<InboxTables>, { lanes, events, prefix }: Seed): Promise<void> {
  const at = sql.lit(receivedAt)
  const { rows } = await sql<{ last: number }>`
    select greatest(nextval('events_sequence_seq'), nextval('deliveries_sequence_seq')) as last`.execute(db)
  const first = (rows[0]?.last ?? 0) + 1
  for (let start = 0; start < events; start += deliveriesPerStatement) {
    const numbers = sql`numbers (i, n, id) as (
      select i, ${sql.lit(first)} + i, ${prefix} || '-event-' || i
      from generate_series(${sql.lit(start)}, ${sql.lit(Math.min(events, start + deliveriesPerStatement) - 1)}) as i)`
    await sql`with ${numbers}
      insert into deliveries (sequence, id, provider, received_at, headers, body_bytes)
      select n, id, 'codehost', ${at}, '{}', 700 from numbers`.execute(db)
    await sql`with ${numbers}
      insert into events (sequence, delivery, id, provider, received_at, name, subject, ts, data, manual, route, status,
        attempts, since, due_at, lane, lane_place)
      select n, n, id, 'codehost', ${at}, 'codehost/package.published', id, ${at}, '{}', 0, 'direct', 'pending', 0, ${at},
        ${at}, ${prefix} || '-' || i % ${sql.lit(lanes)}, n from numbers`.execute(db)
    await sql`with ${numbers}
      insert into idempotency_keys (scope, key, event, created_at) select 'event', id, n, ${at} from numbers`.execute(
      db,
    )
  }
  await sql`insert into lanes (name, ordered, due_at, since, attempts)
    select ${prefix} || '-' || i, 1, ${at} + i, ${at}, 0 from generate_series(0, ${sql.lit(lanes - 1)}) as i`.execute(
    db,
  )
  for (const sequence of ['deliveries_sequence_seq', 'events_sequence_seq'])
    await sql`select setval(${sequence}, ${first + events})`.execute(db)
  await sql`vacuum analyze`.execute(db)
}
