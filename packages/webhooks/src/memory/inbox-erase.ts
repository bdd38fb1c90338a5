import { unfinishedDelivery } from '../refusals.ts'
import type { DeliveryShelf } from './inbox-shelf.ts'
import type { InboxWork } from './inbox-work.ts'

/** Erases what a delivery said, also in the log of what was published. */
export function eraseDelivery(work: InboxWork, shelf: DeliveryShelf, id: string): boolean {
  const delivery = shelf.byId.get(id)
  if (delivery === undefined) return false
  const items = [...delivery.items]
  if (items.some(({ stage }) => stage === 'publish' || stage === 'notify')) throw unfinishedDelivery()
  shelf.dropBody(delivery, 'erased')
  delivery.headers = {}
  for (const item of items) {
    // What was published once has arrived, whatever became of a replay of it.
    if (item.stage === 'dead' && item.published) {
      work.keys.begin(item)
      work.end(item, 'settled')
    }
    if (item.notification === 'waiting') item.notification = undefined
    if (item.owed) {
      const event = { ...item.owed.event, data: undefined }
      item.owed = { ...item.owed, event }
      if (item.published) item.published.event = event
    }
  }
  return true
}
