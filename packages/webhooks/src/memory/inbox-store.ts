import { integerOption } from '@sallyport/internal/options'
import { inboxUnavailable } from '../ports/refusals.ts'
import type {
  AttemptResponse,
  BodyState,
  DeliveryRecord,
  EventRecord,
  EventStatus,
  Failure,
  Lane,
  NotificationState,
  Work,
} from '../ports/ports.ts'

export const maxFailures = 20

/** The work on an item: to publish its event, or to send its notification. */
export class Task {
  readonly kind: Work
  readonly item: Item
  readonly order: number
  /** When the task can be claimed: when it is due, or when its lease ends. */
  at: number
  /** When the task is due, without regard to a lease. */
  dueAt: number
  /** When the task was first due. */
  since: number
  attempts = 0
  lease: string | undefined
  failures: readonly Failure[] = []
  /** The destinations that the event waits for, as its last settlement names them. */
  targets: readonly string[] = []

  constructor(kind: Work, item: Item) {
    this.kind = kind
    this.item = item
    this.order = item.order
    this.at = this.dueAt = this.since = item.createdAt
  }

  /** The lane that schedules the task. */
  get lane(): Lane | undefined {
    return this.kind === 'publish' ? this.item.record?.lane : undefined
  }

  addFailure(at: number, error: string, response?: AttemptResponse): void {
    this.attempts++
    this.failures = [...this.failures, { at, error, ...(response && { response }) }].slice(-maxFailures)
  }
}

export class Notification extends Task {
  status: NotificationState['status'] = 'waiting'
}

/** An event, or the key of a quarantined delivery, which counts as published. */
export class Item {
  /** The id of the event, which a replay may change, or the key of the quarantined delivery. */
  key: string
  readonly formerKeys: string[] = []
  readonly provider: string
  readonly createdAt: number
  readonly order: number
  status: EventStatus = 'pending'
  /** Whether a replay created the event as a copy of another one. */
  isCopy = false
  /** Whether the bus knew the id at the last publication. */
  isDuplicate = false
  /** Undefined for a quarantined delivery, and after the data was deleted. */
  record: EventRecord | undefined
  /** Undefined after the delivery was deleted. */
  delivery: Delivery | undefined
  publication: { readonly sequence: number; readonly at: number } | undefined
  /** The position in the order in which keys are forgotten; undefined while the item has work. */
  endedAs: number | undefined
  readonly publishing: Task
  notification: Notification | undefined

  constructor(key: string, delivery: Delivery, createdAt: number, order: number) {
    this.key = key
    this.provider = delivery.provider
    this.delivery = delivery
    this.createdAt = createdAt
    this.order = order
    this.publishing = new Task('publish', this)
  }

  get keyCount(): number {
    return 1 + this.formerKeys.length
  }

  /** The task of this kind, unless it is done, dead, or waits for the publication. */
  getOpenTask(kind: Work): Task | undefined {
    if (kind === 'notify') return this.notification?.status === 'pending' ? this.notification : undefined
    return this.status === 'pending' || this.status === 'queued' ? this.publishing : undefined
  }

  get isFinished(): boolean {
    return this.status === 'published' && this.getOpenTask('notify') === undefined
  }
}

export interface Delivery extends Pick<DeliveryRecord, 'id' | 'provider' | 'endpoint' | 'receivedAt'> {
  values: readonly string[]
  readonly sequence: number
  readonly bodyBytes: number
  headers: Readonly<Record<string, string>>
  query: string | undefined
  body: Uint8Array | undefined
  bodyState: BodyState
  /** Without a reason once the quarantine is over. */
  quarantine: { readonly key: string; readonly reason?: string; readonly detail?: string } | undefined
  readonly items: Set<Item>
}

/**
 * The deliveries, keys and published events of an inbox, each up to a limit. The oldest entries are found by a number that
 * grows, because a `Map` whose first entries were deleted takes long to find its first entry.
 */
export class InboxStore {
  readonly deliveries = new Map<string, Delivery>()
  /** Deliveries with a body by their sequence. */
  readonly bodies = new Map<number, Delivery>()
  /** Items by the current and the former ids of the event. */
  readonly events = new Map<string, Item>()
  /** Separate from the events: the payload of a quarantined delivery may later become an event with the same key. */
  readonly quarantines = new Map<string, Item>()
  /** Published items by their sequence. */
  readonly published = new Map<number, Item>()
  publishedCount = 0
  bodyBytes = 0
  readonly #limits: { readonly keys: number; readonly published: number; readonly bodyBytes: number }
  readonly #ended = new Map<number, Item>()
  #endedCount = 0
  #endedKeys = 0
  #oldestEnded = 0
  #oldestBody = 0
  #itemCount = 0
  /** The sequence of the newest delivery. */
  deliveryCount = 0

  constructor(limits: { readonly keys: number; readonly published: number; readonly bodyBytes: number }) {
    integerOption('keys', limits.keys, 1)
    integerOption('published', limits.published, 1)
    integerOption('bodyBytes', limits.bodyBytes, 0)
    this.#limits = limits
  }

  addDelivery(record: DeliveryRecord): Delivery {
    const { id, provider, endpoint, receivedAt, headers, query, body, values = [], quarantine } = record
    const delivery: Delivery = {
      ...{ id, provider, endpoint, receivedAt, headers, query, values, quarantine },
      sequence: ++this.deliveryCount,
      // The buffer belongs to the caller.
      body: new Uint8Array(body),
      bodyBytes: body.byteLength,
      bodyState: 'stored',
      items: new Set(),
    }
    this.deliveries.set(id, delivery)
    this.bodies.set(delivery.sequence, delivery)
    this.bodyBytes += body.byteLength
    for (; this.bodyBytes > this.#limits.bodyBytes; this.#oldestBody++) {
      const oldest = this.bodies.get(this.#oldestBody)
      if (oldest) this.deleteBody(oldest, 'pruned')
    }
    return delivery
  }

  deleteBody(delivery: Delivery, state: 'pruned' | 'erased'): void {
    if (this.bodies.delete(delivery.sequence)) this.bodyBytes -= delivery.bodyBytes
    delivery.body = undefined
    delivery.bodyState = state
  }

  deleteDelivery(delivery: Delivery): void {
    this.deleteBody(delivery, 'pruned')
    this.deliveries.delete(delivery.id)
    const quarantine = delivery.quarantine && this.quarantines.get(delivery.quarantine.key)
    if (quarantine) quarantine.delivery = undefined
  }

  /** Adds an item for a key that is not in use. The caller made room for the key. */
  addItem(delivery: Delivery, createdAt: number, record?: EventRecord): Item {
    const key = record?.event.id ?? delivery.quarantine?.key ?? ''
    const item = new Item(key, delivery, createdAt, this.#itemCount++)
    item.record = record
    if (record === undefined) {
      item.status = 'published'
      this.quarantines.set(key, item)
      this.end(item)
    } else {
      if (record.notify) item.notification = new Notification('notify', item)
      delivery.items.add(item)
      this.events.set(key, item)
    }
    return item
  }

  /** Adds the item to the log; the oldest item of a full log is deleted if it has no work. */
  publish(item: Item, at: number): void {
    if (item.publication !== undefined) return
    const sequence = ++this.publishedCount
    item.publication = { sequence, at }
    this.published.set(sequence, item)
    const oldest = this.published.get(sequence - this.#limits.published)
    if (oldest === undefined) return
    this.unpublish(oldest)
    if (oldest.isFinished) this.deleteRecord(oldest)
  }

  unpublish(item: Item): void {
    if (item.publication) this.published.delete(item.publication.sequence)
    item.publication = undefined
  }

  /** Deletes an event, and its delivery after the last event. The key stays. */
  deleteRecord(item: Item): void {
    const { delivery } = item
    this.unpublish(item)
    item.record = undefined
    item.delivery = undefined
    delivery?.items.delete(item)
    if (delivery?.items.size === 0 && delivery.quarantine?.reason === undefined) this.deleteDelivery(delivery)
  }

  /** Lets the keys of an item be forgotten, unless its notification is pending. */
  end(item: Item): void {
    this.begin(item)
    if (item.getOpenTask('notify')) return
    item.endedAs = this.#endedCount++
    this.#ended.set(item.endedAs, item)
    this.#endedKeys += item.keyCount
  }

  /** Protects the keys of an item. */
  begin(item: Item): void {
    if (item.endedAs === undefined) return
    this.#ended.delete(item.endedAs)
    this.#endedKeys -= item.keyCount
    item.endedAs = undefined
  }

  /**
   * Forgets the keys whose work ended first until the new keys fit. The needed items become protected.
   *
   * @throws SallyportError `INBOX_UNAVAILABLE` when too few keys can be forgotten; nothing is forgotten then
   */
  makeRoom(newKeys: number, needed: readonly Item[] = []): void {
    const size = () => this.events.size + this.quarantines.size
    const ended = needed.filter(({ endedAs }) => endedAs !== undefined)
    const neededKeys = ended.reduce((total, { keyCount }) => total + keyCount, 0)
    if (size() - this.#endedKeys + neededKeys + newKeys > this.#limits.keys)
      throw inboxUnavailable(new Error('The inbox is full'))
    for (const item of ended) this.begin(item)
    for (; size() + newKeys > this.#limits.keys; this.#oldestEnded++) {
      const oldest = this.#ended.get(this.#oldestEnded)
      if (oldest) this.forget(oldest)
    }
  }

  /** Deletes the keys of an item together with the event. */
  forget(item: Item): void {
    this.begin(item)
    const { delivery, key, formerKeys } = item
    if (this.quarantines.get(key) !== item) {
      for (const id of [key, ...formerKeys]) this.events.delete(id)
      this.deleteRecord(item)
      return
    }
    this.quarantines.delete(key)
    if (delivery === undefined) return
    delivery.quarantine = undefined
    if (delivery.items.size === 0) this.deleteDelivery(delivery)
  }
}
