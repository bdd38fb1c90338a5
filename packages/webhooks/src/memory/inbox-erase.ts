import { unfinishedDelivery } from '../gateway/refusals.ts'
import { dutyOf, type Delivery, type Item } from './inbox-item.ts'
import type { DeliveryShelf } from './inbox-shelf.ts'
import type { InboxWork } from './inbox-work.ts'

/** Erases what a delivery said, also in the log of what was published. */
export function eraseDelivery(work: InboxWork, shelf: DeliveryShelf, id: string): boolean {
  const delivery = shelf.byId.get(id)
  if (delivery === undefined) return false
  const items = [...delivery.items]
  if (items.some((item) => dutyOf(item, 'publish') ?? dutyOf(item, 'notify'))) throw unfinishedDelivery()
  shelf.dropBody(delivery, 'erased')
  delivery.headers = {}
  // Nothing can be made of it any more.
  if (delivery.quarantine) delivery.quarantine = { key: delivery.quarantine.key }
  for (const item of items) {
    if (item.stage === 'dead') drop(work, delivery, item)
    else if (item.owed) {
      const event = { ...item.owed.event, data: undefined }
      item.owed = { ...item.owed, event }
      if (item.published) item.published.event = event
    }
  }
  return true
}

/** Its key stays: what comes again under it is a duplicate from now on. */
function drop(work: InboxWork, delivery: Delivery, item: Item): void {
  work.keys.begin(item)
  work.end(item, 'settled')
  if (item.published) item.published.item = undefined
  item.owed = undefined
  delivery.items.delete(item)
}
