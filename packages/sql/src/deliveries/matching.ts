import { checkIntegers } from '@sallyport/internal/options'
import type {
  DeliveryFilter,
  DeliveryPosition,
  DeliveryQuery,
  DeliveryStatus,
  EventStatus,
} from '@sallyport/webhooks'
import { sql, type RawBuilder } from 'kysely'

/** @throws TypeError for a time, a position or a number of attempts out of range */
export function checkFilter({
  receivedAfter = 0,
  receivedBefore = 0,
  minAttempts,
  after,
}: DeliveryFilter & Pick<DeliveryQuery, 'after'>): void {
  checkIntegers({ minAttempts }, 1)
  const times = {
    receivedAfter,
    receivedBefore,
    after: after?.receivedAt ?? 0,
    sequence: after?.sequence ?? 0,
  }
  for (const [name, time] of Object.entries(times))
    if (!(Math.abs(time) <= Number.MAX_SAFE_INTEGER)) throw new TypeError(`${name} is out of range`)
}

/** A status, or `accepted` for all but quarantined deliveries. */
export type MatchedStatus = DeliveryStatus | 'accepted' | undefined

/** Restricts a list, apart from provider and status. */
export interface Bounds {
  readonly receivedAfter?: number | undefined
  readonly receivedBefore?: number | undefined
  /** `any` for rows that are counted. @default 'newest' */
  readonly order?: 'newest' | 'oldest' | 'any' | undefined
  readonly after?: DeliveryPosition | undefined
}

export interface Branch {
  readonly status: EventStatus
  /** Statuses of other events that give the delivery another status. */
  readonly unless: readonly EventStatus[]
}

const branches: Readonly<Record<EventStatus, Branch>> = {
  dead: { status: 'dead', unless: [] },
  pending: { status: 'pending', unless: ['dead'] },
  queued: { status: 'queued', unless: ['dead', 'pending'] },
  published: { status: 'published', unless: ['dead', 'pending', 'queued'] },
}

const anyBranch = (['dead', 'pending', 'queued', 'published'] as const).map((status): Branch => ({
  status,
  unless: [],
}))

/** The maximum parts of a union: a union of many parts takes long to plan, and SQLite limits them. */
export const maxParts = 16

/** Combines selections; each delivery occurs once. */
export const getUnion = (parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql.join(
    parts.map((part, index) => sql`select * from (${part}) as ${sql.ref(`part_${index}`)}`),
    sql` union `,
  )

export function eventBranches(status: MatchedStatus): readonly Branch[] {
  if (status === undefined || status === 'accepted') return anyBranch
  return status === 'quarantined' ? [] : [branches[status]]
}

export function eventlessStates(status: MatchedStatus): readonly ('quarantined' | 'resolved')[] {
  switch (status) {
    case undefined:
      return ['quarantined', 'resolved']
    case 'quarantined':
      return ['quarantined']
    case 'accepted':
    case 'published':
      return ['resolved']
    case 'dead':
    case 'pending':
    case 'queued':
      return []
  }
}

/** Creates the term on the status of a delivery `e`. */
export function hasStatus(status: MatchedStatus): RawBuilder<unknown> {
  if (status === undefined) return sql``
  if (status === 'quarantined') return sql` and e.eventless = 'quarantined'`
  const accepted = sql` and coalesce(e.eventless, '') <> 'quarantined'`
  if (status === 'accepted') return accepted
  const { unless } = branches[status]
  const others = unless.length === 0 ? sql`` : sql` and not ${hasEvents(unless)}`
  if (status === 'published') return sql`${accepted}${others}`
  return sql` and ${hasEvents([status])}${others}`
}

/** Creates a term on a delivery `e`: it has an event `x` with one of the statuses, and the terms apply to the event. */
export const hasEvents = (
  statuses: readonly EventStatus[],
  terms: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> => sql`exists (select 1 from events x where x.provider = e.provider
  and x.status in (${sql.join(statuses.map((one) => sql.lit(one)))})
  and x.received_at = e.received_at and x.delivery = e.sequence${terms})`

/** Selects deliveries with an event of the branch's status, and without events that give them another status. */
export function withEvents(
  provider: string,
  { status, unless }: Branch,
  bounds: Bounds,
  limit?: number,
  terms: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  const found = sql` and e.provider = ${provider} and e.status = ${sql.lit(status)}${terms}`
  return selectEvents(found, unless, bounds, limit)
}

/** Selects the deliveries of the events `e` that the terms apply to, without events that have one of the statuses. */
export function selectEvents(
  terms: RawBuilder<unknown>,
  unless: readonly EventStatus[],
  bounds: Bounds,
  limit?: number,
): RawBuilder<unknown> {
  // With an offset, PostgreSQL checks each found row instead of joining all events with these statuses.
  const each = limit === undefined ? sql`` : sql` limit 1 offset 0`
  const exception =
    unless.length === 0
      ? sql``
      : sql` and not exists (select 1 from events x where x.provider = e.provider
          and x.status in (${sql.join(unless.map((one) => sql.lit(one)))})
          and x.received_at = e.received_at and x.delivery = e.delivery${each})`
  return sql`select distinct e.received_at as received_at, e.delivery as sequence from events e
    where true${terms}${within(bounds, 'e.delivery')}${exception} ${ordered(bounds, limit, 'e.delivery')}`
}

/** Selects the deliveries `e` that the terms apply to. */
export function selectDeliveries(
  terms: RawBuilder<unknown>,
  bounds: Bounds,
  limit?: number,
): RawBuilder<unknown> {
  return sql`select e.received_at as received_at, e.sequence as sequence from deliveries e
    where true${terms}${within(bounds, 'e.sequence')} ${ordered(bounds, limit, 'e.sequence')}`
}

/** Selects deliveries without events, in one state. */
export function withoutEvents(
  provider: string,
  state: 'quarantined' | 'resolved',
  bounds: Bounds,
  limit?: number,
): RawBuilder<unknown> {
  const terms = sql` and e.eventless = ${sql.lit(state)} and e.provider = ${provider}`
  return selectDeliveries(terms, bounds, limit)
}

/** Creates the terms on the receipt time of `e` and on its position in the list. */
export function within(
  { receivedAfter, receivedBefore, order, after }: Bounds,
  sequence: string,
): RawBuilder<unknown> {
  const terms: RawBuilder<unknown>[] = []
  if (receivedAfter !== undefined) terms.push(sql`e.received_at > ${Math.floor(receivedAfter)}`)
  if (receivedBefore !== undefined) terms.push(sql`e.received_at < ${Math.ceil(receivedBefore)}`)
  if (after !== undefined) {
    const beyond = order === 'oldest' ? sql`>` : sql`<`
    terms.push(sql`(e.received_at, ${sql.ref(sequence)}) ${beyond} (${after.receivedAt}, ${after.sequence})`)
  }
  return sql.join(
    terms.map((term) => sql` and ${term}`),
    sql``,
  )
}

function ordered({ order }: Bounds, limit: number | undefined, sequence: string): RawBuilder<unknown> {
  if (limit === undefined) return sql``
  if (order === 'any') return sql`limit ${limit}`
  const direction = order === 'oldest' ? sql`asc` : sql`desc`
  return sql`order by e.received_at ${direction}, ${sql.ref(sequence)} ${direction} limit ${limit}`
}
