import { integerOption } from '../options.ts'
import type { ForwardFailure, ClaimedWork, EventRecord, Inbox, Settlement, Work } from '../ports.ts'
import { DueWork } from './due-work.ts'
import { isOwed, keepFailure, type Delivery, type Item } from './inbox-item.ts'
import { KeyTable } from './inbox-keys.ts'
import type { DeliveryShelf } from './inbox-shelf.ts'
import { PublishedLog } from './published-log.ts'

type ClaimOptions = Parameters<Inbox['claim']>[1]

/** What a normalizer keeps of a delivery is at most about what came in. */
const bytesOf = ({ delivery }: Item): number =>
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

  newItem(key: string, provider: string, at: number, isCopy = false): Item {
    return {
      rank: at,
      order: this.#recorded++,
      position: -1,
      key,
      formerKeys: [],
      provider,
      createdAt: at,
      isCopy,
      stage: 'publish',
      queued: false,
      owed: undefined,
      delivery: undefined,
      attempts: { publish: 0, notify: 0 },
      since: at,
      dueAt: at,
      lease: undefined,
      leaseEndsAt: 0,
      notification: undefined,
      published: undefined,
      failures: { publish: undefined, notify: undefined },
    }
  }

  /** An event of a delivery, under a key that is new. */
  addEvent(delivery: Delivery, owed: EventRecord, at: number, isCopy = false): Item {
    const item = this.newItem(owed.event.id, delivery.provider, at, isCopy)
    item.owed = owed
    item.delivery = delivery
    if (owed.notify) item.notification = 'waiting'
    delivery.items.add(item)
    this.keys.events.set(item.key, item)
    return item
  }

  begin(item: Item, work: Work, at: number): void {
    this.keys.begin(item)
    item.attempts[work] = 0
    item.since = at
    item.queued = false
    if (work === 'notify') item.notification = 'pending'
    this.#makeDue(item, work, at)
  }

  /** Takes work out of the line of what is due, so that it can begin anew. */
  withdraw(item: Item): void {
    if (item.stage === 'publish' || item.stage === 'notify') this.#due[item.stage].remove(item)
  }

  hold(item: Item, work: Work, lease: string, until: number): void {
    item.lease = lease
    item.leaseEndsAt = until
    this.#due[work].push(item, until)
  }

  end(item: Item, stage: 'dead' | 'settled'): void {
    item.stage = stage
    item.lease = undefined
    this.keys.end(item)
  }

  claim(work: Work, { limit, leaseMs, maxBytes }: ClaimOptions, at: number, lease: string): ClaimedWork[] {
    integerOption('limit', limit, 0)
    integerOption('leaseMs', leaseMs, 0)
    let bytes = 0
    const fits = (item: Item, isFirst: boolean) => {
      bytes += bytesOf(item)
      return isFirst || maxBytes === undefined || bytes <= maxBytes
    }
    return this.#due[work]
      .take(limit, at, fits)
      .filter(isOwed)
      .map((held) => {
        const { owed, attempts, since } = held
        this.hold(held, work, lease, at + leaseMs)
        const claimed = { event: owed.event, route: owed.route, attempts: attempts[work], since, lease }
        return maxBytes === undefined ? claimed : { ...claimed, bytes: bytesOf(held) }
      })
  }

  settle(work: Work, { id, lease, outcome }: Settlement, at: number): boolean {
    if (work === 'notify' && outcome.status === 'queued')
      throw new TypeError('A notification is never queued')
    const item = this.keys.events.get(id)
    if (item === undefined || !isOwed(item) || item.stage !== work || item.lease !== lease) return false
    this.#due[work].remove(item)
    switch (outcome.status) {
      case 'done':
        if (work === 'publish') this.#publish(item, at)
        else this.#endNotification(item, 'sent')
        break
      case 'queued': {
        const dueAt = at + outcome.redeliverAfterMs
        this.begin(item, 'publish', dueAt)
        item.queued = true
        break
      }
      case 'retry':
        item.attempts[work]++
        keepFailure(item, work, at, outcome.error)
        this.#makeDue(item, work, at + outcome.afterMs)
        break
      case 'dead':
        item.attempts[work]++
        keepFailure(item, work, at, outcome.error)
        if (work === 'notify') this.#endNotification(item, 'dead')
        else this.end(item, 'dead')
        break
      case 'released':
        this.#makeDue(item, work, item.dueAt)
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
    item.attempts.publish++
    keepFailure(item, 'publish', at, error)
    this.end(item, 'dead')
    return true
  }

  postponed({ id, error }: ForwardFailure, at: number): boolean {
    const item = this.keys.events.get(id)
    if (item === undefined || !isOwed(item) || item.key !== id || item.stage !== 'publish') return false
    item.attempts.publish++
    keepFailure(item, 'publish', at, error)
    return true
  }

  #makeDue(item: Item, work: Work, at: number): void {
    item.stage = work
    item.dueAt = at
    item.lease = undefined
    this.#due[work].push(item, at)
  }

  #publish(item: Item & { owed: EventRecord }, at: number): void {
    const { event, route } = item.owed
    item.queued = false
    if (item.published === undefined) {
      item.published = { event, route, publishedAt: at, item }
      const forgotten = this.log.push(item.published)?.item
      if (forgotten !== undefined) {
        forgotten.published = undefined
        if (forgotten.stage === 'settled') this.#shelf.release(forgotten)
      }
    }
    if (item.notification === 'waiting') this.begin(item, 'notify', at)
    else this.#settled(item)
  }

  #endNotification(item: Item, status: 'sent' | 'dead'): void {
    item.notification = status
    this.#settled(item)
  }

  /** What the log has forgotten meanwhile is not kept any longer. */
  #settled(item: Item): void {
    this.end(item, 'settled')
    if (item.published === undefined) this.#shelf.release(item)
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
