import { integerOption } from '../options.ts'
import type { DeliveryQuery, ReplayResult, ReplaySelection } from '../ports.ts'
import { isOwed, type Delivery, type KeyItem } from './inbox-item.ts'
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
    return { deliveries: deliveries.map((delivery) => replay(work, delivery, undefined, at, token)) }
  }
  const { filter, after, limit } = selection
  integerOption('limit', limit, 1)
  const query: DeliveryQuery = { ...filter, order: 'oldest', ...(after && { after }), limit }
  const deliveries = shelf.list(query)
  const last = deliveries.at(-1)
  return {
    deliveries: deliveries.map((delivery) => replay(work, delivery, filter.status, at, token)),
    ...(last &&
      deliveries.length === limit && { next: { receivedAt: last.receivedAt, sequence: last.sequence } }),
  }
}

function replay(
  work: InboxWork,
  delivery: Delivery,
  only: string | undefined,
  at: number,
  token: string | undefined,
): ReplayResult['deliveries'][number] {
  const { id, quarantine, bodyState } = delivery
  if (bodyState === 'erased') return { id, outcome: 'erased', events: [] }
  if (quarantine?.reason !== undefined) return { id, outcome: 'quarantined', events: [] }
  const events = [...delivery.items]
    .filter((item) => only === undefined || only === statusOf(item))
    .flatMap((item) => {
      const again = token === undefined ? beginAgain(work, item, at) : beginAnew(work, item, at, token)
      return again === undefined ? [] : [again]
    })
  return { id, outcome: events.length > 0 ? 'replayed' : 'unchanged', events }
}

/** @returns the id of the event that is due again */
function beginAgain(work: InboxWork, item: KeyItem, at: number): string | undefined {
  const { stage, queued, lease, leaseEndsAt, notification } = item
  const isHeld = lease !== undefined && leaseEndsAt > at
  if (isHeld || (stage === 'publish' && !queued)) return undefined
  // What is due meanwhile stays due: of what was published, somebody is told, whatever becomes of the replay.
  if (notification?.status === 'dead') work.oweAgain(notification)
  work.withdraw(item)
  work.begin(item, at)
  return item.key
}

function beginAnew(work: InboxWork, item: KeyItem, at: number, token: string): string | undefined {
  const { delivery, stage, published, isCopy } = item
  if (delivery === undefined || !isOwed(item)) return undefined
  if (stage === 'publish' || (stage !== 'dead' && isCopy)) return undefined
  const { owed } = item
  const id = `${item.provider}:replay:${token}:${item.order}`
  if (stage === 'dead' && published === undefined) {
    work.keys.makeRoom(1, [item])
    item.formerKeys.push(item.key)
    item.key = id
    item.owed = { ...owed, event: { ...owed.event, id } }
    if (item.notification) work.oweAgain(item.notification)
    work.keys.events.set(id, item)
    work.begin(item, at)
    return id
  }
  work.keys.makeRoom(1, [item])
  work.end(item, 'settled')
  const copy = work.addEvent(delivery, { ...owed, event: { ...owed.event, id } }, at, true)
  work.begin(copy, at)
  return id
}
