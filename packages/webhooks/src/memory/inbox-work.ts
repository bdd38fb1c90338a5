import { integerOption } from '@sallyport/internal/options'
import type {
  ForwardFailure,
  ClaimedWork,
  EventRecord,
  CompleteInbox,
  Settlement,
  Work,
} from '../ports/ports.ts'
import { DueWork } from './due-work.ts'
import {
  dutyOf,
  isOwed,
  isSettled,
  itemOf,
  keepFailure,
  type Delivery,
  type Duty,
  type Item,
  type Notification,
} from './inbox-item.ts'
import { KeyTable } from './inbox-keys.ts'
import type { DeliveryShelf } from './inbox-shelf.ts'
import { makeItem, makeNotification } from './make-item.ts'
import { PublishedLog } from './published-log.ts'

type ClaimOptions = Parameters<CompleteInbox['claim']>[1]
type MakeDueOptions = Parameters<NonNullable<CompleteInbox['makeDue']>>[0]

/** What a normalizer keeps of a delivery is at most about what came in. */
const bytesOf = ({ delivery }: Item): number =>
  delivery === undefined ? 0 : Math.ceil(delivery.bodyBytes / Math.max(1, delivery.items.size))

/** What is to be done, and what was. */
export class InboxWork {
  readonly keys: KeyTable
  readonly log: PublishedLog
  readonly #due: Readonly<Record<Work, DueWork>> = { publish: new DueWork(), notify: new DueWork() }
  readonly #lastClaimAt = { publish: Infinity, notify: Infinity }
  readonly #shelf: DeliveryShelf
  #recorded = 0

  constructor(options: { readonly keys: number; readonly published: number; readonly shelf: DeliveryShelf }) {
    this.#shelf = options.shelf
    this.keys = new KeyTable(options.keys, (item) => {
      this.#forget(item)
    })
    this.log = new PublishedLog(options.published)
  }

  newItem(key: string, provider: string, at: number, isCopy = false): Item {
    return makeItem({ key, provider, createdAt: at, order: this.#recorded++, isCopy })
  }

  /** An event of a delivery, under a key that is new. */
  addEvent(delivery: Delivery, owed: EventRecord, at: number, isCopy = false): Item {
    const item = this.newItem(owed.event.id, delivery.provider, at, isCopy)
    item.owed = owed
    item.delivery = delivery
    if (owed.notify) item.notification = makeNotification(item)
    delivery.items.add(item)
    this.keys.events.set(item.key, item)
    return item
  }

  begin(item: Item, at: number): void {
    this.keys.begin(item)
    item.stage = 'publish'
    item.queued = false
    this.#begin(item, at)
  }

  /** Takes an event out of the line of what is due, so that it can begin anew. */
  withdraw(item: Item): void {
    if (item.stage === 'publish') this.#lineOf(item).remove(item)
  }

  /** Has a notification wait until its event is published. */
  defer(notification: Notification): void {
    if (notification.status === 'pending') this.#lineOf(notification).remove(notification)
    notification.status = 'waiting'
    notification.attempts = 0
    notification.lease = undefined
  }

  hold(duty: Duty, lease: string, until: number): void {
    duty.lease = lease
    duty.leaseEndsAt = until
    this.#lineOf(duty).push(duty, until)
  }

  end(item: Item, stage: 'dead' | 'settled'): void {
    item.stage = stage
    item.lease = undefined
    // What is still to be told is not forgotten.
    if (dutyOf(item, 'notify') === undefined) this.keys.end(item)
  }

  claim(work: Work, options: ClaimOptions, at: number, lease: string): ClaimedWork[] {
    const { limit, leaseMs, maxBytes } = options
    integerOption('limit', limit, 0)
    integerOption('leaseMs', leaseMs, 0)
    if (at < this.#lastClaimAt[work]) this.#reschedule(work, options, at)
    this.#lastClaimAt[work] = at
    let bytes = 0
    const fits = (duty: Duty, isFirst: boolean) => {
      bytes += bytesOf(itemOf(duty))
      return isFirst || maxBytes === undefined || bytes <= maxBytes
    }
    return this.#due[work].take(limit, at, fits).flatMap((duty) => {
      const item = itemOf(duty)
      if (!isOwed(item)) return []
      this.hold(duty, lease, at + leaseMs)
      const { event, route } = item.owed
      const claimed = { event, route, attempts: duty.attempts, since: duty.since, lease }
      return maxBytes === undefined ? claimed : { ...claimed, bytes: bytesOf(item) }
    })
  }

  /** Makes work due whose time comes from before the clock was set back; a lease lasts for one lease more. */
  #reschedule(work: Work, { leaseMs, longestDelayMs = Infinity }: ClaimOptions, at: number): void {
    const isQueued = (duty: Duty) => !('item' in duty) && duty.queued
    const isLate = (duty: Duty) =>
      duty.rank > at && ((!isQueued(duty) && duty.since > at) || duty.rank > at + longestDelayMs)
    for (const duty of this.#due[work].filter(isLate)) {
      this.#due[work].remove(duty)
      duty.since = Math.min(duty.since, at)
      duty.dueAt = Math.min(duty.dueAt, at)
      if (duty.lease === undefined) this.#makeDue(duty, duty.dueAt)
      else this.hold(duty, duty.lease, Math.min(duty.leaseEndsAt, at + leaseMs))
    }
  }

  settle(work: Work, { id, lease, outcome }: Settlement, at: number): boolean {
    if (work === 'notify' && outcome.status === 'queued')
      throw new TypeError('A notification is never queued')
    const item = this.keys.events.get(id)
    const duty = item && dutyOf(item, work)
    if (item === undefined || !isOwed(item) || duty?.lease !== lease) return false
    this.#due[work].remove(duty)
    switch (outcome.status) {
      case 'done':
        if ('item' in duty) this.#endNotification(duty, 'sent')
        else this.#publish(item, at, outcome.duplicate)
        break
      case 'queued': {
        const dueAt = at + outcome.redeliverAfterMs
        this.begin(item, dueAt)
        item.queued = true
        break
      }
      case 'retry':
        duty.attempts++
        keepFailure(duty, at, outcome.error)
        this.#makeDue(duty, at + outcome.afterMs)
        break
      case 'dead':
        duty.attempts++
        keepFailure(duty, at, outcome.error)
        if ('item' in duty) this.#endNotification(duty, 'dead')
        else this.end(item, 'dead')
        break
      case 'released':
        this.#makeDue(duty, duty.dueAt)
        break
    }
    return true
  }

  forwarded(id: string, at: number, duplicate: boolean): boolean {
    const item = this.keys.events.get(id)
    if (item === undefined || !isOwed(item) || item.key !== id) return false
    if (item.stage !== 'publish' && item.stage !== 'dead') return false
    this.withdraw(item)
    this.keys.begin(item)
    this.#publish(item, at, duplicate)
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

  makeDue({ limit, route }: MakeDueOptions, at: number): number {
    integerOption('limit', limit, 1)
    const waiting = this.#due.publish.filter(
      (duty) =>
        !('item' in duty) &&
        duty.attempts > 0 &&
        duty.lease === undefined &&
        !duty.queued &&
        duty.dueAt > at &&
        (route === undefined || duty.owed?.route === route),
    )
    const oldest = waiting.sort((a, b) => a.order - b.order).slice(0, limit)
    for (const duty of oldest) {
      this.#due.publish.remove(duty)
      this.#makeDue(duty, Math.min(duty.since, at))
    }
    return oldest.length
  }

  #begin(duty: Duty, at: number): void {
    duty.attempts = 0
    duty.since = at
    this.#makeDue(duty, at)
  }

  #makeDue(duty: Duty, at: number): void {
    duty.dueAt = at
    duty.lease = undefined
    this.#lineOf(duty).push(duty, at)
  }

  #lineOf(duty: Duty): DueWork {
    return this.#due['item' in duty ? 'notify' : 'publish']
  }

  #publish(item: Item & { owed: EventRecord }, at: number, duplicate = false): void {
    const { event, route } = item.owed
    item.queued = false
    item.duplicate = duplicate
    if (item.published === undefined) {
      item.published = { event, route, publishedAt: at, item }
      const forgotten = this.log.push(item.published)?.item
      if (forgotten !== undefined) {
        forgotten.published = undefined
        if (isSettled(forgotten)) this.#shelf.release(forgotten)
      }
    }
    const { notification } = item
    if (notification?.status === 'waiting') {
      notification.status = 'pending'
      this.#begin(notification, at)
    }
    this.end(item, 'settled')
  }

  #endNotification(notification: Notification, status: 'sent' | 'dead'): void {
    const { item } = notification
    notification.status = status
    notification.lease = undefined
    if (item.stage === 'publish') return
    this.keys.end(item)
    // What the log has forgotten meanwhile is not kept any longer.
    if (item.stage === 'settled' && item.published === undefined) this.#shelf.release(item)
  }

  #forget(item: Item): void {
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
