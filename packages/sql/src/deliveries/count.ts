import type { DeliveryFilter, DeliveryStatus } from '@sallyport/webhooks'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { InboxTables } from '../internal/tables.ts'
import { escapeText } from '../internal/text.ts'
import {
  eventBranches,
  eventlessStates,
  matchingDeliveries,
  withEvents,
  within,
  withoutEvents,
  type Bounds,
  type Branch,
} from './matching.ts'
import { knownProviders } from './providers.ts'

type Count = RawBuilder<{ readonly count: number }>

/** Counts the deliveries that match a filter. */
export async function countDeliveries(
  db: Kysely<InboxTables>,
  { provider, status, ...bounds }: DeliveryFilter,
): Promise<number> {
  if (provider === undefined && status === undefined) {
    const all: Count = sql`select count(*) as count from deliveries e where true${within(bounds, 'e.sequence')}`
    return countOf(db, all)
  }
  let total = 0
  for (const one of provider === undefined ? await knownProviders(db) : [escapeText(provider)])
    total += await countOf(
      db,
      status === undefined ? countAny(one, bounds) : countOfStatus(one, status, bounds),
    )
  return total
}

const countAny = (provider: string, bounds: Bounds): Count =>
  sql`select ${lengthOf(matchingDeliveries(provider, undefined, bounds))} as count`

/**
 * Counts all deliveries with an event of the status in the index, then subtracts the few whose other events give them
 * another status. A check per delivery takes ten times as long.
 */
function countOfStatus(provider: string, status: DeliveryStatus, bounds: Bounds): Count {
  const counts = eventlessStates(status).map((state) => lengthOf(withoutEvents(provider, state, bounds)))
  for (const branch of eventBranches(status)) {
    const all = withEvents(provider, { ...branch, unless: [] }, bounds)
    counts.push(sql`${lengthOf(all)} - ${countOthers(provider, branch, bounds)}`)
  }
  return sql`select ${sql.join(counts, sql` + `)} as count`
}

/** Counts the deliveries with an event of the status and an event that gives the delivery another status. */
function countOthers(provider: string, { status, unless }: Branch, bounds: Bounds): RawBuilder<unknown> {
  if (unless.length === 0) return sql`0`
  return lengthOf(sql`
    select distinct e.received_at, e.delivery from events e
    where e.provider = ${provider} and e.status in (${sql.join(unless.map((one) => sql.lit(one)))})
      ${within(bounds, 'e.delivery')}
      and exists (select 1 from events where provider = ${provider} and status = ${sql.lit(status)})
      and exists (select 1 from events x where x.provider = e.provider and x.status = ${sql.lit(status)}
        and x.received_at = e.received_at and x.delivery = e.delivery)`)
}

const lengthOf = (rows: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select count(*) from (${rows}) as found)`

async function countOf(db: Kysely<InboxTables>, query: Count): Promise<number> {
  const { rows } = await query.execute(db)
  return rows[0]?.count ?? 0
}
