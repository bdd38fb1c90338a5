import type { Work } from '@sallyport/webhooks'
import { sql, type Kysely } from 'kysely'
import type { Clock } from '../internal/clock.ts'
import { dataBytes } from '../inbox/data-bytes.ts'
import type { ClaimedRow } from '../inbox/claimed.ts'
import type { ClaimLimits, LeaseRequest } from '../inbox/inbox.ts'
import type { InboxTables } from '../internal/tables.ts'
import { workTables } from './work-tables.ts'

/**
 * Leases due work in one statement; skips rows that another claim has locked.
 *
 * Every provider with due work gets an equal share, starting with the provider after `lastServed`. A share is at most the
 * provider's due work, and the rest goes to the others. The statement therefore locks no more rows than it leases.
 *
 * The data is measured twice: for the shares, and again for the locked rows, which differ when claims run concurrently.
 * The length is read without the data.
 */
export async function claimWork(
  db: Kysely<InboxTables>,
  clock: Clock,
  work: Work,
  { limit, maxBytes }: ClaimLimits,
  { token, leaseMs }: LeaseRequest,
  lastServed: string,
): Promise<readonly ClaimedRow[]> {
  const { table, event, open } = workTables[work]
  const dueAt = sql`coalesce(w.lease_ends_at, w.due_at)`
  // The order of the index in full: another index would include finished work.
  const indexed = sql`w.provider, ${dueAt}, ${event}`
  const bytes = sql`coalesce((select ${sql.raw(dataBytes)} from events e where e.sequence = event), 0)`
  const fits = sql`(${maxBytes ?? null}::bigint is null or place = 1 or bytes <= ${maxBytes ?? null}::bigint)`
  // The time is read once, because an expression that changes during a statement prevents the use of an index.
  const { rows } = await sql<ClaimedRow>`
    with recursive present as materialized (select ${clock()} as at),
    providers (provider) as (
      (select w.provider from ${table} w where ${open} order by ${indexed} limit 1)
      union all
      select (select w.provider from ${table} w where ${open} and w.provider > known.provider
        order by ${indexed} limit 1)
      from providers known where known.provider is not null
    ),
    shares as materialized (
      select provider, count(*) as share from (
        select provider, row_number() over turns as place, sum(${bytes}) over turns as bytes from (
          select p.provider, event, turn, p.provider collate "C" <= ${lastServed} as served
          from providers p, lateral (
            select event, row_number() over (order by due_at, event) as turn from (
              select ${dueAt} as due_at, ${event} as event from ${table} w
              where ${open} and w.provider = p.provider and ${dueAt} <= (select at from present)
              -- A number that the planner does not see: of a large one it believes that all rows are read, by no index.
              order by ${dueAt}, ${event} limit (select ${limit}::bigint)
            ) as found
            -- They are no more, which it has to see: it would expect a tenth of a backlog, and compile the claim.
            limit ${limit}
          ) as taking
          -- All of them are. The planner expects a hundred, and compiles a claim that seems to cost as much.
          where p.provider >= ''
          order by turn, served, p.provider collate "C" limit ${limit}
        ) as taken
        window turns as (order by turn, served, provider collate "C")
      ) as measured
      where ${fits}
      group by provider
    ),
    locked as materialized (
      select found.* from shares, lateral (
        select ${event} as event, ${dueAt} as due_at from ${table} w
        where ${open} and w.provider = shares.provider and ${dueAt} <= (select at from present)
        order by ${dueAt}, ${event} limit shares.share
        for no key update skip locked
      ) as found
      -- The shares are no more together, but the planner has to be told.
      limit ${limit}
    ),
    due as materialized (
      select event, due_at from (
        select event, due_at, row_number() over turns as place, sum(${bytes}) over turns as bytes from locked
        window turns as (order by due_at, event)
      ) as measured
      where ${fits}
    ),
    held as (
      update ${table} w set lease = ${token}, lease_ends_at = (select ${clock()}) + ${leaseMs}::bigint
      from due where ${event} = due.event
      returning due.event, due.due_at, w.attempts, w.since
    )
    select e.id, e.name, e.subject, e.ts, e.data, e.data_body, e.manual, e.trace, e.replay_of, e.route,
      held.attempts, held.since, d.id as delivery, d.provider, d.endpoint, d.received_at
    from held
    join events e on e.sequence = held.event
    join deliveries d on d.sequence = e.delivery
    order by held.due_at, held.event`.execute(db)
  return rows
}

/** Returns the last provider served by a claim. */
export function findLastServed(rows: readonly ClaimedRow[], before: string): string {
  const shares = new Map<string, number>()
  for (const { provider } of rows) shares.set(provider, (shares.get(provider) ?? 0) + 1)
  const turns = Math.max(0, ...shares.values())
  const last = [...shares].filter(([, share]) => share === turns).map(([provider]) => provider)
  const inTurn = (provider: string) => (provider <= before ? 1 : 0)
  last.sort((a, b) => inTurn(a) - inTurn(b) || (a < b ? -1 : 1))
  return last.at(-1) ?? before
}
