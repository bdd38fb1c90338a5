import { integerOption } from '../options.ts'
import type { ForwardFailure, ClaimedWork, EventRecord, Inbox, Settlement, Work } from '../ports.ts'
import { DueWork } from './due-work.ts'
import {
  createItem,
  createNotification,
  eventOf,
  isDue,
  isOwed,
  isUnderWay,
  keepFailure,
  type Delivery,
  type Item,
  type KeyItem,
  type Notification,
} from './inbox-item.ts'
import { KeyTable } from './inbox-keys.ts'
import type { DeliveryShelf } from './inbox-shelf.ts'
import { PublishedLog } from './published-log.ts'

type ClaimOptions = Parameters<Inbox['claim']>[1]

/** What a normalizer keeps of a delivery is at most about what came in. */
const bytesOf = ({ delivery }: KeyItem): number =>
  delivery === undefined ? 0 : Math.ceil(delivery.bodyBytes / Math.max(1, delivery.items.size))

/** What is to be done, and what was. */
export class InboxWork {
  readonly keys: KeyTable
  readonly log: PublishedLog
  readonly #due: Readonly<Record<Work, DueWork>> = { publish: new DueWork(), notify: new DueWork() }
  readonly #shelf: DeliveryShelf
  #recorded = 0

  constructor(options: { readonly keys: number; readonly published: number; readonly shelf: DeliveryShelf }) {
    this.#shelf = options.shelf
    this.keys = new KeyTable(options.keys, (item) => {
      this.#forget(item)
    })
    this.log = new PublishedLog(options.published)
  }

  newItem(key: string, provider: string, at: number, isCopy = false): KeyItem {
    return createItem(key, provider, at, this.#recorded++, isCopy)
  }

  /** An event of a delivery, under a key that is new. */
  addEvent(delivery: Delivery, owed: EventRecord, at: number, isCopy = false): KeyItem {
    const item = this.newItem(owed.event.id, delivery.provider, at, isCopy)
    item.owed = owed
    item.delivery = delivery
    if (owed.notify) item.notification = createNotification(item, at)
    delivery.items.add(item)
    this.keys.events.set(item.key, item)
    return item
  }

  begin(item: Item, at: number): void {
    if (item.work === 'publish') {
      this.keys.begin(item)
      item.stage = 'publish'
      item.queued = false
    } else item.status = 'pending'
    item.attempts = 0
    item.since = at
    this.#makeDue(item, at)
  }

  /** Takes work out of the line of what is due, so that it can begin anew. */
  withdraw(item: Item): void {
    if (isDue(item)) this.#due[item.work].remove(item)
  }

  /** Has a notification wait until its event is published, as if it had never been due. */
  oweAgain(notification: Notification): void {
    this.withdraw(notification)
    notification.status = 'waiting'
    notification.attempts = 0
    notification.lease = undefined
  }

  hold(item: Item, lease: string, until: number): void {
    item.lease = lease
    item.leaseEndsAt = until
    this.#due[item.work].push(item, until)
  }

  end(item: KeyItem, stage: 'dead' | 'settled'): void {
    item.stage = stage
    item.lease = undefined
    this.#rest(item)
  }

  claim(work: Work, { limit, leaseMs, maxBytes }: ClaimOptions, at: number, lease: string): ClaimedWork[] {
    integerOption('limit', limit, 0)
    integerOption('leaseMs', leaseMs, 0)
    let bytes = 0
    const fits = (item: Item, isFirst: boolean) => {
      bytes += bytesOf(eventOf(item))
      return isFirst || maxBytes === undefined || bytes <= maxBytes
    }
    return this.#due[work].take(limit, at, fits).flatMap((held) => {
      const item = eventOf(held)
      if (!isOwed(item)) return []
      this.hold(held, lease, at + leaseMs)
      const { event, route } = item.owed
      const { attempts, since } = held
      const claimed = { event, route, attempts, since, lease }
      return maxBytes === undefined ? claimed : { ...claimed, bytes: bytesOf(item) }
    })
  }

  settle(work: Work, { id, lease, outcome }: Settlement, at: number): boolean {
    if (work === 'notify' && outcome.status === 'queued')
      throw new TypeError('A notification is never queued')
    const item = this.keys.events.get(id)
    const held = work === 'publish' ? item : item?.notification
    if (item === undefined || !isOwed(item) || held === undefined) return false
    if (!isDue(held) || held.lease !== lease) return false
    this.withdraw(held)
    switch (outcome.status) {
      case 'done':
        if (held.work === 'publish') this.#publish(item, at)
        else this.#endNotification(held, 'sent')
        break
      case 'queued': {
        const dueAt = at + outcome.redeliverAfterMs
        this.begin(item, dueAt)
        item.queued = true
        break
      }
      case 'retry':
        held.attempts++
        keepFailure(held, at, outcome.error)
        this.#makeDue(held, at + outcome.afterMs)
        break
      case 'dead':
        held.attempts++
        keepFailure(held, at, outcome.error)
        if (held.work === 'publish') this.end(held, 'dead')
        else this.#endNotification(held, 'dead')
        break
      case 'released':
        this.#makeDue(held, held.dueAt)
        break
    }
    return true
  }

  forwarded(id: string, at: number): boolean {
    const item = this.keys.events.get(id)
    if (item === undefined || !isOwed(item) || item.key !== id) return false
    if (item.stage !== 'publish' && item.stage !== 'dead') return false
    this.withdraw(item)
    this.keys.begin(item)
    this.#publish(item, at)
    return true
  }

  abandoned({ id, error }: ForwardFailure, at: number): boolean {
    const item = this.keys.events.get(id)
    if (item === undefined || !isOwed(item) || item.key !== id || item.stage !== 'publish') return false
    this.withdraw(item)
    item.queued = false
    item.attempts++
    keepFailure(item, at, error)
    this.end(item, 'dead')
    return true
  }

  postponed({ id, error }: ForwardFailure, at: number): boolean {
    const item = this.keys.events.get(id)
    if (item === undefined || !isOwed(item) || item.key !== id || item.stage !== 'publish') return false
    item.attempts++
    keepFailure(item, at, error)
    return true
  }

  #makeDue(item: Item, at: number): void {
    item.dueAt = at
    item.lease = undefined
    this.#due[item.work].push(item, at)
  }

  #publish(item: KeyItem & { owed: EventRecord }, at: number): void {
    const { event, route } = item.owed
    item.queued = false
    if (item.published === undefined) {
      item.published = { event, route, publishedAt: at, item }
      const forgotten = this.log.push(item.published)?.item
      if (forgotten?.work === 'publish') {
        forgotten.published = undefined
        if (forgotten.stage === 'settled' && !isUnderWay(forgotten)) this.#shelf.release(forgotten)
      }
    }
    if (item.notification?.status === 'waiting') this.begin(item.notification, at)
    this.end(item, 'settled')
  }

  #endNotification(notification: Notification, status: 'sent' | 'dead'): void {
    notification.status = status
    notification.lease = undefined
    this.#rest(notification.of)
  }

  /** Ends what nothing is left to do about; what the log has forgotten meanwhile is not kept any longer. */
  #rest(item: KeyItem): void {
    if (isUnderWay(item)) return
    this.keys.end(item)
    if (item.stage === 'settled' && isOwed(item) && item.published === undefined) this.#shelf.release(item)
  }

  #forget(item: KeyItem): void {
    if (item.published) item.published.item = undefined
    const { delivery } = item
    if (delivery?.quarantine?.key === item.key && !delivery.items.has(item)) {
      delivery.quarantine = undefined
      if (delivery.items.size === 0) this.#shelf.remove(delivery)
      return
    }
    this.#shelf.release(item)
  }
}
