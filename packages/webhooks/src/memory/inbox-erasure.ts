import { integerOption } from '@sallyport/internal/options'
import type { EraseResult, EraseSelection } from '../ports/ports.ts'
import { unfinishedDelivery } from '../ports/refusals.ts'
import { listDeliveries } from './inbox-queries.ts'
import type { Delivery, InboxStore, Item } from './inbox-store.ts'
import type { InboxTasks } from './inbox-tasks.ts'

/**
 * Erases the content of one delivery.
 *
 * @returns whether the delivery exists
 * @throws CodedError 409 `CONFLICT` while the delivery has open work
 */
export function eraseBody(store: InboxStore, id: string): boolean {
  const delivery = store.deliveries.get(id)
  if (delivery === undefined) return false
  if ([...delivery.items].some((item) => item.getOpenTask('publish') ?? item.getOpenTask('notify')))
    throw unfinishedDelivery()
  eraseDelivery(store, delivery)
  return true
}

/** Cancels the open work of one batch of deliveries, and erases their content. Busy deliveries stay. */
export function eraseMatching(
  store: InboxStore,
  tasks: InboxTasks,
  { filter, after, limit }: EraseSelection,
  at: number,
): EraseResult {
  integerOption('limit', limit, 1)
  const batch = listDeliveries(store, { ...filter, order: 'oldest', ...(after && { after }), limit })
  const counts = { deliveries: 0, cancelled: 0, busy: 0 }
  for (const delivery of batch.filter(({ bodyState }) => bodyState !== 'erased')) {
    const items = [...delivery.items]
    if (items.some((item) => tasks.isBusy(item, at))) {
      counts.busy++
      for (const item of items) tasks.reserveLane(item, at)
      continue
    }
    counts.cancelled += items.filter((item) => tasks.cancelItem(item, at)).length
    eraseDelivery(store, delivery)
    counts.deliveries++
  }
  const last = batch.length === limit ? batch.at(-1) : undefined
  return { ...counts, ...(last && { next: { receivedAt: last.receivedAt, sequence: last.sequence } }) }
}

function eraseDelivery(store: InboxStore, delivery: Delivery): void {
  store.deleteBody(delivery, 'erased')
  delivery.headers = {}
  delivery.query = undefined
  delivery.values = []
  if (delivery.quarantine) delivery.quarantine = { key: delivery.quarantine.key }
  for (const item of delivery.items) eraseItem(store, delivery, item)
}

function eraseItem(store: InboxStore, delivery: Delivery, item: Item): void {
  if (item.status === 'dead') {
    // The key stays, so that the event remains a duplicate.
    item.status = 'published'
    store.unpublish(item)
    item.record = undefined
    delivery.items.delete(item)
    return
  }
  item.publishing.failures = []
  if (item.notification) item.notification.failures = []
  if (item.record)
    item.record = { ...item.record, event: { ...item.record.event, subject: '', data: undefined } }
}
