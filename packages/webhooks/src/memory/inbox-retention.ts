import { checkIntegers, integerOption } from '@sallyport/internal/options'
import type { PruneOptions, PruneResult } from '../ports/ports.ts'
import type { Delivery, InboxStore, Item } from './inbox-store.ts'

/** Deletes expired bodies, records and keys; by age only while the clock runs steadily. */
export function pruneInbox(
  store: InboxStore,
  { limit = 1000, ...bounds }: PruneOptions,
  { at, steadyForMs }: { readonly at: number; readonly steadyForMs: number },
): PruneResult {
  checkIntegers({ ...bounds }, 0)
  integerOption('limit', limit, 1)
  const isSteady = steadyForMs >= (bounds.steadyForMs ?? 0)
  const isExpired = (since: number, ms: number | undefined) =>
    isSteady && ms !== undefined && since <= at - ms
  const { publishedForMs, bodiesForMs, keysForMs, bodyBytes = Infinity } = bounds

  let excess = store.bodyBytes - bodyBytes
  const bodies = findFirst(limit, store.bodies.values(), (delivery) => {
    if (isUnfinished(delivery) || !(excess > 0 || isExpired(delivery.receivedAt, bodiesForMs))) return false
    excess -= delivery.bodyBytes
    return true
  })
  for (const delivery of bodies) store.deleteBody(delivery, 'pruned')

  const deliveryCount = store.deliveries.size
  const events = findFirst(
    limit,
    store.published.values(),
    (item) => item.isFinished && isExpired(item.publication?.at ?? at, publishedForMs),
  )
  for (const item of events) store.deleteRecord(item)
  const empty = findFirst(
    limit,
    store.deliveries.values(),
    ({ items, quarantine, receivedAt }) =>
      items.size === 0 && quarantine?.reason === undefined && isExpired(receivedAt, publishedForMs),
  )
  for (const delivery of empty) store.deleteDelivery(delivery)

  const isOldKey = ({ isFinished, delivery, createdAt }: Item) =>
    isFinished && delivery === undefined && isExpired(createdAt, keysForMs)
  const eventKeys = findFirst(limit, new Set(store.events.values()), isOldKey)
  const quarantineKeys = findFirst(limit - eventKeys.length, store.quarantines.values(), isOldKey)
  const forgotten = [...eventKeys, ...quarantineKeys]
  for (const item of forgotten) store.forget(item)

  return {
    events: events.length,
    deliveries: deliveryCount - store.deliveries.size,
    bodies: bodies.length,
    keys: forgotten.reduce((total, { keyCount }) => total + keyCount, 0),
    more: [bodies, events, empty, forgotten].some(({ length }) => length === limit),
  }
}

const isUnfinished = ({ quarantine, items }: Delivery): boolean =>
  quarantine?.reason !== undefined || [...items].some(({ status }) => status !== 'published')

function findFirst<T>(limit: number, values: Iterable<T>, matches: (value: T) => boolean): T[] {
  const found: T[] = []
  for (const value of values) {
    if (found.length === limit) break
    if (matches(value)) found.push(value)
  }
  return found
}
