import { integerOption } from '@sallyport/internal/options'
import type { PruneOptions, PruneResult } from '../ports/ports.ts'
import { isSettled, isUnfinished, type Delivery, type Item } from './inbox-item.ts'
import { keyCount } from './inbox-keys.ts'
import type { DeliveryShelf } from './inbox-shelf.ts'
import type { InboxWork } from './inbox-work.ts'

/** Deletes a portion of what may go. */
export function pruneInbox(
  work: InboxWork,
  shelf: DeliveryShelf,
  asked: PruneOptions,
  now: number,
  steadyForMs: (now: number) => number,
): PruneResult {
  const { limit = 1000, publishedForMs = 0, bodiesForMs = 0, bodyBytes = 0, keysForMs = 0 } = asked
  const { steadyForMs: required = 0 } = asked
  // Whatever is compared with NaN may go.
  for (const [name, bound] of Object.entries({ publishedForMs, bodiesForMs, bodyBytes, keysForMs, required }))
    integerOption(name, bound, 0)
  integerOption('limit', limit, 1)
  const options = steadyForMs(now) < required ? withoutAges(asked) : asked
  const bodies = oldBodies(shelf, options, now, limit)
  for (const delivery of bodies)
    shelf.dropBody(delivery, delivery.bodyState === 'erased' ? 'erased' : 'pruned')
  const before = shelf.byId.size
  const events = oldEvents(work, options, now, limit)
  for (const item of events) {
    if (item.published) item.published.item = undefined
    item.published = undefined
    shelf.release(item)
  }
  const deliveries = emptyDeliveries(shelf, options, now, limit)
  for (const delivery of deliveries) {
    delivery.quarantine = undefined
    shelf.remove(delivery)
  }
  const keys = oldKeys(work, shelf, options, now, limit)
  for (const item of keys) work.keys.forget(item)
  return {
    events: events.length,
    deliveries: before - shelf.byId.size,
    bodies: bodies.length,
    keys: keys.reduce((total, item) => total + keyCount(item), 0),
    more: [bodies, events, deliveries, keys].some(({ length }) => length === limit),
  }
}

/** What is left to prune while ages cannot be trusted. */
const withoutAges = ({ bodyBytes }: PruneOptions): PruneOptions =>
  bodyBytes === undefined ? {} : { bodyBytes }

function oldBodies(
  shelf: DeliveryShelf,
  { bodiesForMs = Infinity, bodyBytes = Infinity }: PruneOptions,
  now: number,
  limit: number,
): Delivery[] {
  let excess = shelf.storedBytes - bodyBytes
  return first(limit, shelf.withBodies, (delivery) => {
    if (isUnfinished(delivery) || (excess <= 0 && delivery.receivedAt > now - bodiesForMs)) return false
    excess -= delivery.bodyBytes
    return true
  })
}

function oldEvents(work: InboxWork, { publishedForMs }: PruneOptions, now: number, limit: number): Item[] {
  if (publishedForMs === undefined) return []
  return first(
    limit,
    work.keys.items(),
    (item) =>
      isSettled(item) && item.published !== undefined && item.published.publishedAt <= now - publishedForMs,
  )
}

/** Deliveries that no event keeps any more, and no quarantine. */
function emptyDeliveries(
  shelf: DeliveryShelf,
  { publishedForMs }: PruneOptions,
  now: number,
  limit: number,
): Delivery[] {
  if (publishedForMs === undefined) return []
  return first(
    limit,
    shelf.byId.values(),
    ({ items, quarantine, receivedAt }) =>
      items.size === 0 && quarantine?.reason === undefined && receivedAt <= now - publishedForMs,
  )
}

function oldKeys(
  work: InboxWork,
  shelf: DeliveryShelf,
  { keysForMs }: PruneOptions,
  now: number,
  limit: number,
): Item[] {
  if (keysForMs === undefined) return []
  const isOld = (item: Item) =>
    isSettled(item) && item.createdAt <= now - keysForMs && !(item.delivery && shelf.has(item.delivery))
  const events = first(limit, work.keys.items(), isOld)
  return [...events, ...first(limit - events.length, work.keys.quarantines.values(), isOld)]
}

function first<T>(limit: number, all: Iterable<T>, isMeant: (one: T) => boolean): T[] {
  const found: T[] = []
  for (const one of all) {
    if (found.length === limit) break
    if (isMeant(one)) found.push(one)
  }
  return found
}
