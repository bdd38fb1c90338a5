import { readPrefix, readRow } from '@sallyport/internal/destination-row'
import { integerOption } from '@sallyport/internal/options'
import type { ReplayOptions, ReplayResult, ReplaySelection } from '../ports/ports.ts'
import { listDeliveries } from './inbox-queries.ts'
import type { Delivery, InboxStore, Item } from './inbox-store.ts'
import type { InboxTasks } from './inbox-tasks.ts'

interface ReplayTime {
  readonly at: number
  /** Creates the unique token of fresh ids. */
  readonly newToken: () => string
}

/** Makes the events of deliveries due again, under fresh ids with `asNew`. */
export function replayDeliveries(
  store: InboxStore,
  tasks: InboxTasks,
  { at, newToken }: ReplayTime,
  selection: ReplaySelection,
  { asNew = false, destination }: ReplayOptions = {},
): ReplayResult {
  const token = asNew ? newToken() : undefined
  const replayAll = createReplay(store, tasks, at, token)
  if ('ids' in selection) {
    const deliveries = [...new Set(selection.ids)].flatMap((id) => store.deliveries.get(id) ?? [])
    return { deliveries: replayAll(deliveries, { destination }) }
  }
  const { filter, after, limit } = selection
  integerOption('limit', limit, 1)
  const deliveries = listDeliveries(store, { ...filter, order: 'oldest', ...(after && { after }), limit })
  const last = deliveries.length === limit ? deliveries.at(-1) : undefined
  const wanted = { status: filter.status, destination: destination ?? filter.destination }
  return {
    deliveries: replayAll(deliveries, wanted),
    ...(last && { next: { receivedAt: last.receivedAt, sequence: last.sequence } }),
  }
}

function createReplay(store: InboxStore, tasks: InboxTasks, at: number, token: string | undefined) {
  function replayAll(
    deliveries: readonly Delivery[],
    {
      status,
      destination,
    }: { readonly status?: string | undefined; readonly destination: string | undefined },
  ): ReplayResult['deliveries'] {
    const isSelected = (item: Item) =>
      (status === undefined || item.status === status) &&
      (destination === undefined || readRow(item.key).destination === destination)
    const selected = deliveries.map((delivery) => {
      const { bodyState, quarantine, items } = delivery
      if (bodyState === 'erased') return { delivery, outcome: 'erased', items: [] } as const
      if (quarantine?.reason !== undefined) return { delivery, outcome: 'quarantined', items: [] } as const
      return { delivery, items: [...items].filter(isSelected) }
    })
    if (token !== undefined) {
      const renewable = selected.flatMap(({ items }) => items.filter(isRenewable))
      store.makeRoom(renewable.length, renewable)
    }
    return selected.map(({ delivery: { id }, outcome, items }) => {
      const events: string[] = []
      let republished = 0
      for (const item of items) {
        const wasPublished = item.publication !== undefined || item.status === 'published'
        const event = token === undefined ? replayItem(item) : replayAsNew(item, token)
        if (event === undefined) continue
        events.push(event)
        if (token === undefined && wasPublished) republished++
      }
      return {
        id,
        outcome: outcome ?? (events.length > 0 ? 'replayed' : 'unchanged'),
        events,
        ...(republished > 0 && { republished }),
      }
    })
  }

  /** @returns the id of the event, or undefined if the event stays as it is */
  function replayItem(item: Item): string | undefined {
    const { status, publishing, notification } = item
    if (status === 'pending' || (publishing.lease !== undefined && publishing.at > at)) return undefined
    // A second publication of the event sends no second notification.
    if (notification?.status === 'dead') tasks.deferNotification(notification)
    tasks.restart(item, at)
    return item.key
  }

  /** @returns the fresh id of the event, or undefined if the event stays as it is */
  function replayAsNew(item: Item, token: string): string | undefined {
    const { delivery, record, order, notification } = item
    if (delivery === undefined || record === undefined || !isRenewable(item)) return undefined
    const id = `${readPrefix(item.key)}${item.provider}:replay:${token}:${order}`
    const { source } = record.event
    const replayOf = source.replayOf ?? record.event.id
    const renamed = { ...record, event: { ...record.event, id, source: { ...source, replayOf } } }
    if (item.status === 'dead' && item.publication === undefined) {
      item.formerKeys.push(item.key)
      item.key = id
      item.record = renamed
      if (notification) tasks.deferNotification(notification)
      store.events.set(id, item)
      tasks.start(item, at)
    } else {
      item.status = 'published'
      store.end(item)
      const copy = store.addItem(delivery, at, renamed)
      copy.isCopy = true
      tasks.start(copy, at)
    }
    return id
  }

  return replayAll
}

/** Whether a replay can publish the event under a fresh id: a dead event, or a published one that is not a copy. */
const isRenewable = ({ status, isCopy }: Item): boolean =>
  status === 'dead' || (status === 'published' && !isCopy)
