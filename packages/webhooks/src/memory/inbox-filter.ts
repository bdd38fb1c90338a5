import { readRow } from '@sallyport/internal/destination-row'
import { checkIntegers } from '@sallyport/internal/options'
import { isOfEndpoint } from '../ports/of-endpoint.ts'
import type { WebhookEvent } from '../ports/event.ts'
import type { DeliveryFilter, DeliveryStatus } from '../ports/ports.ts'
import type { Delivery, InboxStore, Item } from './inbox-store.ts'

export function filterDeliveries(store: InboxStore, { text, ...filter }: DeliveryFilter): Delivery[] {
  if (text === undefined) return filterWithoutText(store, filter)
  const found = new Set(filterWithoutText(store, { ...filter, subjectPrefix: text }))
  for (const name of ['id', 'eventId', 'value'] as const)
    if ((filter[name] ?? text) === text)
      for (const delivery of filterWithoutText(store, { ...filter, [name]: text })) found.add(delivery)
  return [...found]
}

interface TextlessFilter extends Omit<DeliveryFilter, 'text'> {
  readonly subjectPrefix?: string
}

function filterWithoutText(store: InboxStore, filter: TextlessFilter): Delivery[] {
  const { id, eventId, ...conditions } = filter
  checkIntegers({ minAttempts: conditions.minAttempts }, 1)
  const found = eventId === undefined ? store.deliveries.values() : findByEvent(store, eventId)
  return [...found].filter(
    (delivery) => (id === undefined || delivery.id === id) && matches(delivery, conditions),
  )
}

function findByEvent(store: InboxStore, eventId: string): Delivery[] {
  const delivery = store.events.get(eventId)?.delivery
  if (delivery !== undefined) return [delivery]
  // An event that only destinations receive has no row with its id.
  return [...store.deliveries.values()].filter(({ values }) => values.includes(eventId))
}

function matches(delivery: Delivery, filter: Omit<TextlessFilter, 'id' | 'eventId'>): boolean {
  const { provider, receivedAfter = -Infinity, receivedBefore = Infinity } = filter
  const { status, outcome, reason, value } = filter
  if (provider !== undefined && delivery.provider !== provider) return false
  if (!isOfEndpoint(delivery.endpoint, filter)) return false
  if (value !== undefined && !delivery.values.includes(value)) return false
  if (delivery.receivedAt <= receivedAfter || delivery.receivedAt >= receivedBefore) return false
  const found = getStatus(delivery)
  if (status !== undefined && found !== status) return false
  if (outcome !== undefined && (found === 'quarantined') !== (outcome === 'quarantined')) return false
  if (reason !== undefined && delivery.quarantine?.reason !== reason) return false
  return !hasEventConditions(filter) || [...delivery.items].some((item) => matchesEvent(item, filter))
}

/** Returns a function that reports whether a pending event and its delivery match a filter. */
export function createPendingFilter(
  store: InboxStore,
  { id, eventId, status, outcome, reason, text, ...filter }: DeliveryFilter,
): (item: Item) => boolean {
  checkIntegers({ minAttempts: filter.minAttempts }, 1)
  const isNone = (status ?? 'pending') !== 'pending' || outcome === 'quarantined' || reason !== undefined
  const only = eventId === undefined ? undefined : store.events.get(eventId)
  const named = text === undefined ? undefined : store.events.get(text)
  return (item) =>
    !isNone &&
    item.delivery !== undefined &&
    (id === undefined || item.delivery.id === id) &&
    (eventId === undefined || item === only || readRow(item.key).id === eventId) &&
    (text === undefined ||
      item.delivery.id === text ||
      item === named ||
      item.delivery.values.includes(text) ||
      item.record?.event.subject.startsWith(text) === true) &&
    matches(item.delivery, filter) &&
    matchesEvent(item, filter)
}

const hasEventConditions = (filter: TextlessFilter): boolean =>
  (['kind', 'subject', 'subjectPrefix', 'minAttempts', 'error', 'destination'] as const).some(
    (name) => filter[name] !== undefined,
  )

function matchesEvent(
  item: Item,
  { status, kind, subject, subjectPrefix = '', minAttempts = 0, error, destination }: TextlessFilter,
): boolean {
  const event = item.record?.event
  if (event === undefined) return false
  return (
    (status === undefined || item.status === status) &&
    (kind === undefined || matchesKind(getKind(event), kind)) &&
    (subject === undefined || event.subject === subject) &&
    event.subject.startsWith(subjectPrefix) &&
    countAttempts(item) >= minAttempts &&
    (error === undefined || getLastError(item) === error) &&
    (destination === undefined || readRow(item.key).destination === destination)
  )
}

const matchesKind = (kind: string, wanted: string): boolean =>
  wanted.endsWith('*') ? kind.startsWith(wanted.slice(0, -1)) : kind === wanted

export function getKind({ name, source: { provider } }: WebhookEvent): string {
  return name.startsWith(`${provider}/`) ? name.slice(provider.length + 1) : name
}

export const countAttempts = ({ status, publishing }: Item): number =>
  publishing.attempts + (status === 'published' ? 1 : 0)

export const getLastError = ({ status, publishing }: Item): string | undefined =>
  status === 'published' ? undefined : publishing.failures.at(-1)?.error

export function getStatus({ quarantine, items }: Delivery): DeliveryStatus {
  if (quarantine?.reason !== undefined) return 'quarantined'
  const statuses = new Set([...items].map(({ status }) => status))
  return (['dead', 'pending', 'queued'] as const).find((one) => statuses.has(one)) ?? 'published'
}
