import type { DeliveryFilter, DeliveryStatus } from '@sallyport/webhooks'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { InboxTables } from '../internal/tables.ts'
import { escapeText } from '../internal/text.ts'
import { hasConditions } from './event-terms.ts'
import {
  eventBranches,
  eventlessStates,
  maxParts,
  getUnion,
  withEvents,
  within,
  withoutEvents,
  type Bounds,
  type Branch,
} from './matching.ts'
import { knownProviders } from './providers.ts'
import { combineStatus, findSources } from './sources.ts'

type Count = RawBuilder<{ readonly count: number }>

/** Counts the deliveries that match a filter, up to a limit. */
export async function countDeliveries(
  db: Kysely<InboxTables>,
  filter: DeliveryFilter,
  countUpTo?: number,
): Promise<number> {
  const { provider, endpoint, endpoints, id, eventId, reason, value, text, receivedAfter, receivedBefore } =
    filter
  const bounds: Bounds = { receivedAfter, receivedBefore, order: 'any' }
  const status = combineStatus(filter)
  const isPlain =
    [endpoint, endpoints, id, eventId, reason, value, text].every((one) => one === undefined) &&
    !hasConditions(filter)
  const isFast = isPlain && status !== 'none' && status !== 'accepted'
  if (!isFast || countUpTo !== undefined) return await countFound(db, filter, bounds, countUpTo)
  if (provider === undefined && status === undefined) {
    const all: Count = sql`select count(*) as count from deliveries e where true${within(bounds, 'e.sequence')}`
    return await getCount(db, all)
  }
  if (status === undefined) return await countFound(db, filter, bounds)
  let total = 0
  for (const one of provider === undefined ? await knownProviders(db) : [escapeText(provider)])
    total += await getCount(db, countOfStatus(one, status, bounds))
  return total
}

async function countFound(
  db: Kysely<InboxTables>,
  filter: DeliveryFilter,
  bounds: Bounds,
  countUpTo?: number,
): Promise<number> {
  const sources = await findSources(db, filter)
  if (sources.length === 0) return 0
  const groups: RawBuilder<unknown>[] = []
  for (let start = 0; start < sources.length; start += maxParts)
    groups.push(getUnion(sources.slice(start, start + maxParts).map((source) => source(bounds, countUpTo))))
  const count = await getCount(db, sql`select ${getLength(getUnion(groups))} as count`)
  return Math.min(count, countUpTo ?? count)
}

/**
 * Counts all deliveries with an event of the status in the index, then subtracts the few whose other events give them
 * another status. A check per delivery takes ten times as long.
 */
function countOfStatus(provider: string, status: DeliveryStatus, bounds: Bounds): Count {
  const counts = eventlessStates(status).map((state) => getLength(withoutEvents(provider, state, bounds)))
  for (const branch of eventBranches(status)) {
    const all = withEvents(provider, { ...branch, unless: [] }, bounds)
    counts.push(sql`${getLength(all)} - ${countOthers(provider, branch, bounds)}`)
  }
  return sql`select ${sql.join(counts, sql` + `)} as count`
}

/** Counts the deliveries with an event of the status and an event that gives the delivery another status. */
function countOthers(provider: string, { status, unless }: Branch, bounds: Bounds): RawBuilder<unknown> {
  if (unless.length === 0) return sql`0`
  return getLength(sql`
    select distinct e.received_at, e.delivery from events e
    where e.provider = ${provider} and e.status in (${sql.join(unless.map((one) => sql.lit(one)))})
      ${within(bounds, 'e.delivery')}
      and exists (select 1 from events where provider = ${provider} and status = ${sql.lit(status)})
      and exists (select 1 from events x where x.provider = e.provider and x.status = ${sql.lit(status)}
        and x.received_at = e.received_at and x.delivery = e.delivery)`)
}

const getLength = (rows: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select count(*) from (${rows}) as found)`

async function getCount(db: Kysely<InboxTables>, query: Count): Promise<number> {
  const { rows } = await query.execute(db)
  return rows[0]?.count ?? 0
}
