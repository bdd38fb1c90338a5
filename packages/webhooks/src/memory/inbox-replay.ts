import { integerOption } from '@sallyport/internal/options'
import type { DeliveryQuery, EventRecord, ReplayResult, ReplaySelection } from '../ports/ports.ts'
import { isOwed, type Delivery, type Item } from './inbox-item.ts'
import { statusOf, type DeliveryShelf } from './inbox-shelf.ts'
import type { InboxWork } from './inbox-work.ts'

/** Makes events due again; with a token, under fresh ids. */
export function replayDeliveries(
  work: InboxWork,
  shelf: DeliveryShelf,
  selection: ReplaySelection,
  at: number,
  token: string | undefined,
): ReplayResult {
  if ('ids' in selection) {
    const deliveries = [...new Set(selection.ids)].flatMap((id) => shelf.byId.get(id) ?? [])
    return { deliveries: replayAll(work, deliveries, undefined, at, token) }
  }
  const { filter, after, limit } = selection
  integerOption('limit', limit, 1)
  const query: DeliveryQuery = { ...filter, order: 'oldest', ...(after && { after }), limit }
  const deliveries = shelf.list(query)
  const last = deliveries.at(-1)
  return {
    deliveries: replayAll(work, deliveries, filter.status, at, token),
    ...(last &&
      deliveries.length === limit && { next: { receivedAt: last.receivedAt, sequence: last.sequence } }),
  }
}

function replayAll(
  work: InboxWork,
  deliveries: readonly Delivery[],
  only: string | undefined,
  at: number,
  token: string | undefined,
): ReplayResult['deliveries'] {
  const selected = deliveries.map((delivery) => itemsOf(delivery, only))
  if (token !== undefined) {
    // For all of them before the first: the room of one is not made by forgetting the next.
    const fresh = selected.flat().filter(mayBeginAnew)
    work.keys.makeRoom(fresh.length, fresh)
  }
  return deliveries.map((delivery, index) => {
    let republished = 0
    const events = (selected[index] ?? []).flatMap((item) => {
      const wasPublished = item.published !== undefined || item.stage === 'settled'
      const again = token === undefined ? beginAgain(work, item, at) : beginAnew(work, item, at, token)
      if (again === undefined) return []
      if (token === undefined && wasPublished) republished++
      return [again]
    })
    const outcome = refusalOf(delivery) ?? (events.length > 0 ? 'replayed' : 'unchanged')
    return { id: delivery.id, outcome, events, ...(republished > 0 && { republished }) }
  })
}

/** Why nothing of a delivery may be replayed. */
function refusalOf({ quarantine, bodyState }: Delivery): 'erased' | 'quarantined' | undefined {
  if (bodyState === 'erased') return 'erased'
  return quarantine?.reason === undefined ? undefined : 'quarantined'
}

/** What of a delivery may be replayed. */
function itemsOf(delivery: Delivery, only: string | undefined): Item[] {
  if (refusalOf(delivery) !== undefined) return []
  return [...delivery.items].filter((item) => only === undefined || only === statusOf(item))
}

/** @returns the id of the event that is due again */
function beginAgain(work: InboxWork, item: Item, at: number): string | undefined {
  const { stage, queued, lease, leaseEndsAt, notification } = item
  // Whoever holds it may be telling of it just now, and could not say any more that it did.
  const isHeld = lease !== undefined && leaseEndsAt > at
  if (isHeld || (stage === 'publish' && !queued)) return undefined
  // It is told once, however often it is published: only what nobody could be told of is owed again.
  if (notification?.status === 'dead') work.defer(notification)
  work.withdraw(item)
  work.begin(item, at)
  return item.key
}

type Renewable = Item & { delivery: Delivery; owed: EventRecord }

function mayBeginAnew(item: Item): item is Renewable {
  const { delivery, stage, isCopy } = item
  if (delivery === undefined || !isOwed(item)) return false
  return stage === 'dead' || (stage !== 'publish' && !isCopy)
}

/** In the room that was made for it. */
function beginAnew(work: InboxWork, item: Item, at: number, token: string): string | undefined {
  if (!mayBeginAnew(item)) return undefined
  const { delivery, stage, published, owed } = item
  const id = `${item.provider}:replay:${token}:${item.order}`
  if (stage === 'dead' && published === undefined) {
    item.formerKeys.push(item.key)
    item.key = id
    item.owed = { ...owed, event: { ...owed.event, id } }
    if (item.notification) work.defer(item.notification)
    work.keys.events.set(id, item)
    work.begin(item, at)
    return id
  }
  work.end(item, 'settled')
  const copy = work.addEvent(delivery, { ...owed, event: { ...owed.event, id } }, at, true)
  work.begin(copy, at)
  return id
}
