import type { FailureGroup, FailureGroups, FailureQuery } from '@sallyport/webhooks'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { InboxTables } from '../internal/tables.ts'
import { escapeText, unescapeText } from '../internal/text.ts'
import { findAttempts } from './distinct-values.ts'
import { isOneOf } from './endpoint-terms.ts'
import { attemptsTerms } from './event-terms.ts'
import { toKind } from './summary.ts'

interface FailureRow {
  readonly status: FailureGroup['status']
  readonly provider: string
  readonly name: string
  readonly last_error: string | null
  readonly destination: string | null
  /** Whether the events are of the wanted provider and endpoint. */
  readonly matches: number
  readonly events: number
  readonly first: number
  readonly last: number
  readonly delivery: string
  readonly endpoint: string | null
  readonly endpoints: number
}

const statuses = ['dead', 'pending', 'queued'] as const

/** With few attempts at most, one statement reads all parts. SQLite limits the parts of a union to 500. */
const maxParts = 100

/** Groups the newest failing events by status, provider, kind and last error. */
export async function groupFailures(
  db: Kysely<InboxTables>,
  { status, provider, endpoint, endpoints, limit }: FailureQuery,
): Promise<FailureGroups> {
  const parts: RawBuilder<unknown>[] = []
  for (const one of status === undefined ? statuses : [status])
    for (const attempts of await findAttempts(db, one, 1))
      parts.push(selectNewest(attemptsTerms(one, attempts), limit + 1))
  const wanted = joinAnd([
    ...(provider === undefined ? [] : [sql`e.provider = ${escapeText(provider)}`]),
    ...(endpoint === undefined ? [] : [sql`e.endpoint = ${escapeText(endpoint)}`]),
    ...(endpoints === undefined ? [] : [isOneOf('e.endpoint', endpoints)]),
  ])

  let read = 0
  const groups = new Map<string, FailureGroup>()
  for (let start = 0; start < parts.length; start += maxParts) {
    const { rows } = await groupParts(parts.slice(start, start + maxParts), wanted, limit + 1).execute(db)
    for (const row of rows) {
      read += row.events
      if (row.matches === 0) continue
      const key = JSON.stringify([row.status, row.provider, row.name, row.last_error, row.destination])
      groups.set(key, merge(groups.get(key), toGroup(row)))
    }
  }
  const newestFirst = [...groups.values()].sort((a, b) => b.lastReceivedAt - a.lastReceivedAt)
  return { groups: newestFirst, truncated: read > limit }
}

/** Selects the newest failing events `e` of a range of the index `events_by_attempts`. */
export const selectNewest = (terms: RawBuilder<unknown>, limit: number): RawBuilder<unknown> =>
  sql`select e.status, e.provider, e.name, e.endpoint, e.last_error, e.destination, e.received_at, e.delivery from events e
    where true${terms} order by e.received_at desc, e.delivery desc limit ${limit}`

/** Groups the newest of the selected events. */
export function groupParts(
  parts: readonly RawBuilder<unknown>[],
  wanted: RawBuilder<unknown>,
  limit: number,
): RawBuilder<FailureRow> {
  const all = sql.join(
    parts.map((part, index) => sql`select * from (${part}) as ${sql.ref(`part_${index}`)}`),
    sql` union all `,
  )
  return sql<FailureRow>`
    select g.*, d.id as delivery, d.endpoint from (
      select f.status, f.provider, f.name, f.last_error, f.destination, f.matches, count(*) as events,
        min(f.received_at) as first, max(f.received_at) as last, max(f.newest) as newest,
        count(distinct f.endpoint) as endpoints
      from (
        select m.*, first_value(m.delivery) over (
          partition by m.status, m.provider, m.name, m.last_error, m.destination, m.matches
          order by m.received_at desc, m.delivery desc) as newest
        from (
          select e.*, case when ${wanted} then 1 else 0 end as matches
          from (${all} order by received_at desc, delivery desc limit ${limit}) as e
        ) as m
      ) as f
      group by f.status, f.provider, f.name, f.last_error, f.destination, f.matches
    ) as g join deliveries d on d.sequence = g.newest
    order by g.last desc, g.newest desc`
}

const joinAnd = (terms: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  terms.length === 0 ? sql`true` : sql.join(terms, sql` and `)

function toGroup({
  status,
  provider,
  name,
  last_error,
  destination,
  events,
  first,
  last,
  delivery,
  endpoint,
  endpoints,
}: FailureRow): FailureGroup {
  return {
    status,
    provider: unescapeText(provider),
    kind: toKind(unescapeText(name), unescapeText(provider)),
    ...(last_error !== null && { error: unescapeText(last_error) }),
    ...(destination !== null && { destination }),
    events,
    firstReceivedAt: first,
    lastReceivedAt: last,
    newestDelivery: unescapeText(delivery),
    ...(endpoint !== null && { newestEndpoint: unescapeText(endpoint) }),
    endpoints,
  }
}

/** Merges two parts of a group. */
function merge(group: FailureGroup | undefined, part: FailureGroup): FailureGroup {
  if (group === undefined) return part
  const newer = part.lastReceivedAt > group.lastReceivedAt ? part : group
  return {
    ...newer,
    events: group.events + part.events,
    // The parts may have endpoints in common.
    endpoints: Math.max(group.endpoints, part.endpoints),
    firstReceivedAt: Math.min(group.firstReceivedAt, part.firstReceivedAt),
  }
}
