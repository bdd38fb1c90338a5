import type { InboxTables } from '@sallyport/sql/postgres'
import { sql, type Kysely } from 'kysely'

const receivedAt = Date.UTC(2026, 0)
const deliveriesPerStatement = 250_000

export interface Seed {
  /** How many lanes the events are spread over, in turn. */
  readonly lanes: number
  readonly events: number
  /** The first part of the names of the lanes, and of the ids of the events. */
  readonly prefix: string
}

/** Inserts pending events of ordered lanes, each with its own delivery and with sequences that begin with `first`. */
export async function seedLanes(
  db: Kysely<InboxTables>,
  { lanes, events, prefix }: Seed,
  first: number,
): Promise<void> {
  const at = sql.lit(receivedAt)
  for (let start = 0; start < events; start += deliveriesPerStatement) {
    const numbers = countTo(start, Math.min(events, start + deliveriesPerStatement) - 1)
    const named = sql`${numbers}, named (i, n, id) as (
      select i, ${sql.lit(first)} + i, ${sql.lit(prefix)} || '-event-' || i from numbers)`
    await sql`${named}
      insert into deliveries (sequence, id, provider, received_at, headers, body_bytes)
      select n, id, 'codehost', ${at}, '{}', 700 from named`.execute(db)
    await sql`${named}
      insert into events (sequence, delivery, id, provider, received_at, name, subject, ts, data, manual, route, status,
        attempts, since, due_at, lane, lane_place)
      select n, n, id, 'codehost', ${at}, 'codehost/package.published', id, ${at}, '{}', 0, 'direct', 'pending', 0, ${at},
        ${at}, ${sql.lit(prefix)} || '-' || (i % ${sql.lit(lanes)}), n from named`.execute(db)
    await sql`${named}
      insert into idempotency_keys (scope, key, event, created_at) select 'event', id, n, ${at} from named`.execute(
      db,
    )
  }
  await sql`${countTo(0, lanes - 1)}
    insert into lanes (name, ordered, due_at, since, attempts)
    select ${sql.lit(prefix)} || '-' || i, 1, ${at} + i, ${at}, 0 from numbers`.execute(db)
}

const countTo = (from: number, to: number) =>
  sql`with recursive numbers (i) as (select ${sql.lit(from)} union all select i + 1 from numbers where i < ${sql.lit(to)})`
