import { readRow } from '@sallyport/internal/destination-row'
import { checkIntegers, integerOption } from '@sallyport/internal/options'
import { isOfEndpoint } from '../ports/of-endpoint.ts'
import type {
  DeliveryDetail,
  DeliveryQuery,
  DeliverySummary,
  DestinationEventsQuery,
  EventState,
  EventStatus,
  InboxStats,
  PublishedEvent,
  PublishedQuery,
  RecordedDeliveries,
  RecordedQuery,
} from '../ports/ports.ts'
import { countAttempts, filterDeliveries, getKind, getLastError, getStatus } from './inbox-filter.ts'
import type { Delivery, InboxStore, Item } from './inbox-store.ts'

export function listDeliveries(store: InboxStore, query: DeliveryQuery): Delivery[] {
  const { order = 'newest', after, offset = 0, limit, ...filter } = query
  checkIntegers({ offset, limit }, 0)
  const compare = (a: Pick<Delivery, 'receivedAt' | 'sequence'>, b: typeof a) =>
    (a.receivedAt - b.receivedAt || a.sequence - b.sequence) * (order === 'newest' ? -1 : 1)
  return filterDeliveries(store, filter)
    .filter((delivery) => after === undefined || compare(delivery, after) > 0)
    .sort(compare)
    .slice(offset, offset + limit)
}

export function listRecorded(
  store: InboxStore,
  { after, upTo, limit, ...filter }: RecordedQuery,
): RecordedDeliveries {
  checkIntegers({ after, upTo }, 0)
  integerOption('limit', limit, 1)
  const isRead = ({ sequence }: Delivery) => sequence > after && sequence <= upTo
  const portion = [...store.deliveries.values()].filter(isRead).slice(0, limit)
  const next = portion.length < limit ? Math.max(after, upTo) : (portion.at(-1)?.sequence ?? upTo)
  const matching = filterDeliveries(store, filter).filter((one) => isRead(one) && one.sequence <= next)
  return { deliveries: matching.map(summarize), next }
}

export function summarize(delivery: Delivery): DeliverySummary {
  const { id, provider, endpoint, receivedAt, sequence, bodyState, bodyBytes, quarantine } = delivery
  const events: Record<EventStatus, number> = { pending: 0, queued: 0, published: 0, dead: 0 }
  const items = [...delivery.items]
  for (const item of items) events[item.status]++
  const { reason, detail } = quarantine ?? {}
  const first = items[0]?.record?.event
  const lastError = items.map(getLastError).findLast((error) => error !== undefined)
  const attempts = Math.max(0, ...items.map(countAttempts))
  return {
    ...{
      id,
      provider,
      receivedAt,
      sequence,
      status: getStatus(delivery),
      bodyState,
      bodyBytes,
      attempts,
      events,
    },
    ...(endpoint !== undefined && { endpoint }),
    ...(reason !== undefined && { reason }),
    ...(detail !== undefined && { reasonDetail: detail }),
    ...(first && { kind: getKind(first), subject: first.subject }),
    ...(lastError !== undefined && { lastError }),
  }
}

export function describeDelivery(delivery: Delivery): DeliveryDetail {
  const { headers, query, body, items } = delivery
  return {
    ...summarize(delivery),
    headers: { ...headers },
    ...(query !== undefined && { query }),
    ...(body && { body: new Uint8Array(body) }),
    events: [...items].flatMap(describeEvent),
  }
}

function describeEvent({
  record,
  status,
  isDuplicate,
  publication,
  publishing,
  notification,
}: Item): EventState[] {
  if (record === undefined) return []
  const { attempts, dueAt, lease, at, failures } = publishing
  const isOpen = status === 'pending' || status === 'queued'
  const state: EventState = {
    ...{ event: record.event, route: record.route, status, attempts, failures },
    ...(isOpen && { dueAt }),
    ...(isOpen && lease !== undefined && { leaseEndsAt: at }),
    ...(publication && { publishedAt: publication.at }),
    ...(status === 'published' && isDuplicate && { duplicate: true }),
    ...(notification && {
      notification: {
        status: notification.status,
        attempts: notification.attempts,
        ...(notification.status === 'pending' && { dueAt: notification.dueAt }),
        failures: notification.failures,
      },
    }),
  }
  return [state]
}

export function listPublished(store: InboxStore, query: PublishedQuery): PublishedEvent[] {
  const { offset = 0, limit, after = 0, before } = query
  checkIntegers({ offset, limit, after, before }, 0)
  const found = filterPublished(store, query).filter(
    ({ sequence }) => sequence > after && (before === undefined || sequence < before),
  )
  return (before === undefined ? found : found.reverse()).slice(offset, offset + limit)
}

export function filterPublished(
  store: InboxStore,
  { provider, name, ...of }: Pick<PublishedQuery, 'provider' | 'endpoint' | 'endpoints' | 'name'>,
): PublishedEvent[] {
  return [...store.published.values()].flatMap((item) => {
    const { record, publication, provider: source } = item
    if (record === undefined || publication === undefined) return []
    if (provider !== undefined && source !== provider) return []
    if (!isOfEndpoint(record.event.source.endpoint, of)) return []
    if (name !== undefined && record.event.name !== name) return []
    if (!isFirstRow(item)) return []
    const { sequence, at } = publication
    return [{ sequence, event: record.event, route: record.route, publishedAt: at }]
  })
}

/** An event of destinations only is published when the first of them has it. */
function isFirstRow({ key, delivery, publication }: Item): boolean {
  const { destination, id } = readRow(key)
  if (destination === undefined) return true
  return [...(delivery?.items ?? [])].every((other) => {
    const row = readRow(other.key)
    if (row.id !== id) return true
    const position = other.publication?.sequence ?? Infinity
    return row.destination !== undefined && position >= (publication?.sequence ?? 0)
  })
}

export function listDestinationEvents(
  store: InboxStore,
  { destination, status, limit }: DestinationEventsQuery,
): EventState[] {
  integerOption('limit', limit, 1)
  const receivedAt = ({ delivery }: Item) => delivery?.receivedAt ?? 0
  return [...store.deliveries.values()]
    .flatMap(({ items }) => [...items])
    .filter((item) => readRow(item.key).destination === destination)
    .filter((item) => status === undefined || item.status === status)
    .sort((a, b) => receivedAt(b) - receivedAt(a) || b.order - a.order)
    .slice(0, limit)
    .flatMap(describeEvent)
}

export function countInbox(store: InboxStore, countUpTo: number): InboxStats {
  integerOption('countUpTo', countUpTo, 0)
  const events = { pending: 0, queued: 0, dead: 0, published: 0 }
  const notifications = { pending: 0, dead: 0, waiting: 0, sent: 0 }
  let quarantined = 0
  let oldestPendingAt = Infinity
  let oldestQueuedAt = Infinity
  for (const { quarantine, receivedAt, items } of store.deliveries.values()) {
    if (quarantine?.reason !== undefined) quarantined++
    for (const { status, publishing, notification } of items) {
      events[status]++
      if (status === 'pending') oldestPendingAt = Math.min(oldestPendingAt, receivedAt)
      if (status === 'queued' && publishing.attempts === 0)
        oldestQueuedAt = Math.min(oldestQueuedAt, receivedAt)
      if (notification) notifications[notification.status]++
    }
  }
  const limited = (count: number) => Math.min(count, countUpTo)
  return {
    events: {
      pending: limited(events.pending),
      queued: limited(events.queued),
      dead: limited(events.dead),
    },
    notifications: { pending: limited(notifications.pending), dead: limited(notifications.dead) },
    quarantined: limited(quarantined),
    ...(oldestPendingAt < Infinity && { oldestPendingAt }),
    ...(oldestQueuedAt < Infinity && { oldestQueuedAt }),
    published: store.publishedCount,
  }
}
