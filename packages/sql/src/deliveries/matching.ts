import type {
  DeliveryFilter,
  DeliveryPosition,
  DeliveryQuery,
  DeliveryStatus,
  EventStatus,
} from '@sallyport/webhooks'
import { sql, type RawBuilder } from 'kysely'

/** @throws TypeError for a time or position out of range */
export function checkTimes({
  receivedAfter = 0,
  receivedBefore = 0,
  after,
}: Pick<DeliveryQuery, 'receivedAfter' | 'receivedBefore' | 'after'>): void {
  const times = {
    receivedAfter,
    receivedBefore,
    after: after?.receivedAt ?? 0,
    sequence: after?.sequence ?? 0,
  }
  for (const [name, time] of Object.entries(times))
    if (!(Math.abs(time) <= Number.MAX_SAFE_INTEGER)) throw new TypeError(`${name} is out of range`)
}

/** Restricts a list, apart from provider and status. */
export interface Bounds extends Pick<DeliveryFilter, 'receivedAfter' | 'receivedBefore'> {
  readonly order?: 'newest' | 'oldest'
  readonly after?: DeliveryPosition
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

/**
 * Selects the matching deliveries of a provider, each once, as `received_at` and `sequence`.
 *
 * Each part of the union reads a range of an index in order, up to `limit` rows.
 */
export function matchingDeliveries(
  provider: string,
  status: DeliveryStatus | undefined,
  bounds: Bounds,
  limit?: number,
): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = []
  for (const branch of eventBranches(status)) parts.push(withEvents(provider, branch, bounds, limit))
  for (const state of eventlessStates(status)) parts.push(withoutEvents(provider, state, bounds, limit))
  return sql.join(
    parts.map((part, index) => sql`select * from (${part}) as ${sql.ref(`part_${index}`)}`),
    sql` union `,
  )
}

export function eventBranches(status: DeliveryStatus | undefined): readonly Branch[] {
  if (status === undefined) return anyBranch
  return status === 'quarantined' ? [] : [branches[status]]
}

export function eventlessStates(status: DeliveryStatus | undefined): readonly ('quarantined' | 'resolved')[] {
  switch (status) {
    case undefined:
      return ['quarantined', 'resolved']
    case 'quarantined':
      return ['quarantined']
    case 'published':
      return ['resolved']
    case 'dead':
    case 'pending':
    case 'queued':
      return []
  }
}

/** Selects deliveries with an event of the branch's status, and without events that give them another status. */
export function withEvents(
  provider: string,
  { status, unless }: Branch,
  bounds: Bounds,
  limit?: number,
): RawBuilder<unknown> {
  const exception =
    unless.length === 0
      ? sql``
      : sql` and not exists (select 1 from events x where x.provider = e.provider
          and x.status in (${sql.join(unless.map((one) => sql.lit(one)))})
          and x.received_at = e.received_at and x.delivery = e.delivery)`
  return sql`select distinct e.received_at as received_at, e.delivery as sequence from events e
    where e.provider = ${provider} and e.status = ${sql.lit(status)}${within(bounds, 'e.delivery')}${exception}
    ${ordered(bounds, limit, 'e.delivery')}`
}

/** Selects deliveries without events, in one state. */
export function withoutEvents(
  provider: string,
  state: 'quarantined' | 'resolved',
  bounds: Bounds,
  limit?: number,
): RawBuilder<unknown> {
  return sql`select e.received_at as received_at, e.sequence as sequence from deliveries e
    where e.eventless = ${sql.lit(state)} and e.provider = ${provider}${within(bounds, 'e.sequence')}
    ${ordered(bounds, limit, 'e.sequence')}`
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
  const direction = order === 'oldest' ? sql`asc` : sql`desc`
  return sql`order by e.received_at ${direction}, ${sql.ref(sequence)} ${direction} limit ${limit}`
}
