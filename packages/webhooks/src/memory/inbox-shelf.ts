import { integerOption } from '@sallyport/internal/options'
import type {
  DeliveryDetail,
  DeliveryFilter,
  DeliveryQuery,
  DeliveryRecord,
  DeliveryStatus,
  DeliverySummary,
  EventState,
  EventStatus,
} from '../ports/ports.ts'
import { BodyBlocks } from './body-blocks.ts'
import { isOwed, type Delivery, type Item } from './inbox-item.ts'

/** The deliveries that are kept, and their bodies, so many bytes of them at most. */
export class DeliveryShelf {
  readonly byId = new Map<string, Delivery>()
  readonly #bodyBytes: number
  readonly #bodies = new Set<Delivery>()
  readonly #blocks: BodyBlocks
  #bytes = 0
  #recorded = 0

  constructor(bodyBytes: number) {
    this.#bodyBytes = integerOption('bodyBytes', bodyBytes, 0)
    this.#blocks = new BodyBlocks(bodyBytes)
  }

  /** Deliveries that have bodies, oldest first. */
  get withBodies(): Iterable<Delivery> {
    return this.#bodies
  }

  get storedBytes(): number {
    return this.#bytes
  }

  add({ id, provider, receivedAt, headers, body, quarantine }: DeliveryRecord): Delivery {
    const delivery: Delivery = {
      sequence: ++this.#recorded,
      id,
      provider,
      receivedAt,
      bodyBytes: body.byteLength,
      headers,
      // A copy: the buffer is its owner's, and may be a part of a larger one.
      body: this.#blocks.keep(body),
      bodyState: 'stored',
      quarantine,
      items: new Set(),
    }
    this.byId.set(id, delivery)
    this.#bodies.add(delivery)
    this.#bytes += body.byteLength
    const isSparse = this.#bytes <= this.#bodyBytes / 2
    if (isSparse && this.#blocks.reserved > this.#bodyBytes) this.#closeUp()
    for (const oldest of this.#bodies) {
      if (this.#blocks.reserved <= this.#bodyBytes) break
      this.dropBody(oldest, 'pruned')
    }
    return delivery
  }

  dropBody(delivery: Delivery, state: 'pruned' | 'erased'): void {
    if (this.#bodies.delete(delivery)) this.#bytes -= delivery.bodyBytes
    if (delivery.body) this.#blocks.giveBack(delivery.body)
    delivery.body = undefined
    delivery.bodyState = state
  }

  /** Moves bodies together: a single one that stays for long would keep the whole of its block from being used again. */
  #closeUp(): void {
    for (const delivery of this.#bodies) {
      const { body } = delivery
      if (body?.block === undefined) continue
      delivery.body = this.#blocks.keep(body.bytes)
      this.#blocks.giveBack(body)
    }
  }

  /** Takes an event from its delivery, which goes with the last of them. */
  release(item: Item): void {
    const { delivery } = item
    item.owed = undefined
    item.delivery = undefined
    delivery?.items.delete(item)
    if (delivery?.items.size === 0 && delivery.quarantine?.reason === undefined) this.remove(delivery)
  }

  has(delivery: Delivery): boolean {
    return this.byId.get(delivery.id) === delivery
  }

  remove(delivery: Delivery): void {
    this.dropBody(delivery, 'pruned')
    this.byId.delete(delivery.id)
  }

  list({ order = 'newest', after, offset = 0, limit, ...filter }: DeliveryQuery): Delivery[] {
    integerOption('offset', offset, 0)
    integerOption('limit', limit, 0)
    const direction = order === 'newest' ? -1 : 1
    return [...this.#matching(filter)]
      .filter((delivery) => after === undefined || direction * compare(delivery, after) > 0)
      .sort((a, b) => direction * compare(a, b))
      .slice(offset, offset + limit)
  }

  count(filter: DeliveryFilter): number {
    return Array.from(this.#matching(filter), () => 1).length
  }

  *#matching({ status, provider, receivedAfter, receivedBefore }: DeliveryFilter): Generator<Delivery> {
    for (const delivery of this.byId.values()) {
      if (provider !== undefined && delivery.provider !== provider) continue
      if (receivedAfter !== undefined && delivery.receivedAt <= receivedAfter) continue
      if (receivedBefore !== undefined && delivery.receivedAt >= receivedBefore) continue
      if (status === undefined || toSummary(delivery).status === status) yield delivery
    }
  }
}

function compare(
  a: Pick<Delivery, 'receivedAt' | 'sequence'>,
  b: Pick<Delivery, 'receivedAt' | 'sequence'>,
): number {
  return a.receivedAt - b.receivedAt || a.sequence - b.sequence
}

export function statusOf({ stage, queued }: Item): EventStatus {
  if (stage === 'publish') return queued ? 'queued' : 'pending'
  return stage === 'dead' ? 'dead' : 'published'
}

export function toSummary(delivery: Delivery): DeliverySummary {
  const { id, provider, receivedAt, sequence, bodyState, bodyBytes, quarantine } = delivery
  const events: Record<EventStatus, number> = { pending: 0, queued: 0, published: 0, dead: 0 }
  for (const item of delivery.items) events[statusOf(item)]++
  const status = ((): DeliveryStatus => {
    if (quarantine?.reason !== undefined) return 'quarantined'
    return (['dead', 'pending', 'queued'] as const).find((one) => events[one] > 0) ?? 'published'
  })()
  const { reason, detail } = quarantine ?? {}
  return {
    ...{ id, provider, receivedAt, sequence, status, bodyState, bodyBytes, events },
    ...(reason !== undefined && { reason }),
    ...(detail !== undefined && { reasonDetail: detail }),
  }
}

export function toDetail(delivery: Delivery): DeliveryDetail {
  const { headers, body, items } = delivery
  return {
    ...toSummary(delivery),
    headers: { ...headers },
    ...(body && { body: Uint8Array.from(body.bytes) }),
    events: [...items].filter(isOwed).map(toState),
  }
}

function toState(item: Item & { owed: NonNullable<Item['owed']> }): EventState {
  const { owed, stage, attempts, dueAt, lease, leaseEndsAt, notification, published, failures } = item
  const isDuplicate = stage === 'settled' && item.duplicate
  return {
    event: owed.event,
    route: owed.route,
    status: statusOf(item),
    attempts,
    ...(stage === 'publish' && { dueAt }),
    ...(stage === 'publish' && lease !== undefined && { leaseEndsAt }),
    ...(published && { publishedAt: published.publishedAt }),
    ...(isDuplicate && { duplicate: true }),
    failures: [...(failures ?? [])],
    ...(notification && {
      notification: {
        status: notification.status,
        attempts: notification.attempts,
        ...(notification.status === 'pending' && { dueAt: notification.dueAt }),
        failures: [...(notification.failures ?? [])],
      },
    }),
  }
}
