import type { DeliveryRecord, EventRecord, CompleteInbox, RecordResult } from '../ports/ports.ts'
import { inboxUnavailable } from '../gateway/refusals.ts'
import { DeliveryShelf, toDetail, toSummary } from './inbox-shelf.ts'
import { eraseDelivery } from './inbox-erase.ts'
import type { Delivery, Item } from './inbox-item.ts'
import { pruneInbox } from './inbox-prune.ts'
import { replayDeliveries } from './inbox-replay.ts'
import { countWork } from './inbox-stats.ts'
import { InboxWork } from './inbox-work.ts'
import { createSteadyClock } from '../operations/steady-clock.ts'
import { refuseUnwritable } from './writable.ts'

export interface MemoryInboxOptions {
  /**
   * Idempotency keys that are kept. Past it, those whose work ended first are forgotten; when every key has work
   * before it, `record` rejects.
   *
   * @default 100,000
   */
  readonly keys?: number
  /** Published events that are kept; past it, the oldest are forgotten, and their deliveries with them. @default 10,000 */
  readonly published?: number
  /**
   * Bytes of memory for raw bodies, of which gaps that others have left may take up to half; past it, the oldest are
   * dropped, needed or not.
   *
   * @default 67,108,864 (64 MiB)
   */
  readonly bodyBytes?: number
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
  /** The token of a lease, or of fresh ids; no two may be equal. @default a random UUID */
  readonly newToken?: () => string
}

/**
 * An inbox in this process, for tests and for servers that may lose what they hold: a restart forgets everything.
 *
 * Events are kept as the objects that they are; data that no other inbox could write (a big integer, a circle) is refused.
 * Lists look at everything that is kept. `record` rejects with `INBOX_UNAVAILABLE` when the limit of keys is reached by
 * unfinished work.
 *
 * @throws TypeError when `keys` or `published` is no integer from 1, or `bodyBytes` none from 0
 *
 * @example
 * ```ts
 * import { memoryInbox } from '@sallyport/webhooks'
 *
 * const inbox = memoryInbox({ keys: 10_000 })
 * ```
 */
export function memoryInbox(options: MemoryInboxOptions = {}): CompleteInbox {
  const { now = Date.now, newToken = () => crypto.randomUUID() } = options
  const { keys = 100_000, published = 10_000, bodyBytes = 64 * 1024 * 1024 } = options
  const shelf = new DeliveryShelf(bodyBytes)
  const work = new InboxWork({ keys, published, shelf })
  const steadyForMs = createSteadyClock()
  let closed = false

  function open<T>(step: () => T): Promise<T> {
    return new Promise((resolve) => {
      if (closed) throw inboxUnavailable(new Error('The inbox is closed'))
      resolve(step())
    })
  }

  function record(delivery: DeliveryRecord, leaseMs: number | undefined): RecordResult {
    if (delivery.quarantine === undefined)
      return { events: admit(delivery.events, leaseMs, () => shelf.add(delivery)) }
    const { key } = delivery.quarantine
    const duplicate = work.keys.quarantines.has(key)
    if (!duplicate) {
      work.keys.makeRoom(1)
      const item = work.newItem(key, delivery.provider, now())
      item.delivery = shelf.add(delivery)
      work.keys.quarantines.set(key, item)
      work.end(item, 'settled')
    }
    return { events: [{ id: key, duplicate }] }
  }

  function admit(
    events: readonly EventRecord[],
    leaseMs: number | undefined,
    delivery: () => Delivery,
    quarantined?: Item,
  ): RecordResult['events'] {
    const fresh = new Set<string>()
    const dead = new Set<Item>()
    for (const { event } of events) {
      refuseUnwritable(event.data)
      const item = work.keys.events.get(event.id)
      if (item === undefined) fresh.add(event.id)
      else if (item.stage === 'dead') dead.add(item)
    }
    // What was passed in may throw, and is asked while nothing has changed.
    const at = now()
    const lease = leaseMs === undefined ? undefined : newToken()
    work.keys.makeRoom(fresh.size, quarantined ? [...dead, quarantined] : [...dead])
    for (const item of dead) work.begin(item, at)
    let owner: Delivery | undefined
    return events.map((owed) => {
      const { id } = owed.event
      if (!fresh.delete(id)) return { id, duplicate: true }
      owner ??= delivery()
      const item = work.addEvent(owner, owed, at)
      if (lease === undefined || leaseMs === undefined) {
        work.begin(item, at)
        return { id, duplicate: false }
      }
      work.hold(item, lease, at + leaseMs)
      return { id, duplicate: false, lease }
    })
  }

  function resolve(
    id: string,
    events: readonly EventRecord[],
    leaseMs: number | undefined,
  ): RecordResult | undefined {
    const delivery = shelf.byId.get(id)
    if (delivery?.quarantine?.reason === undefined) return undefined
    const { key } = delivery.quarantine
    const quarantined = work.keys.quarantines.get(key)
    // What is resolved is not forgotten to make room for what it becomes.
    const admitted = admit(events, leaseMs, () => delivery, quarantined)
    if (quarantined) work.keys.end(quarantined)
    delivery.quarantine = { key }
    return { events: admitted }
  }

  return {
    record: (delivery, how) => open(() => record(delivery, how?.leaseMs)),
    known: (ids) => open(() => ids.map((id) => work.keys.events.has(id))),
    claim: (kind, how) => open(() => work.claim(kind, how, now(), newToken())),
    settle: (kind, settlements) => open(() => settlements.map((one) => work.settle(kind, one, now()))),
    forwarded: (ids, { duplicates = [] } = {}) =>
      open(() => {
        const known = new Set(duplicates)
        return ids.map((id) => work.forwarded(id, now(), known.has(id)))
      }),
    abandoned: (failures) => open(() => failures.map((failure) => work.abandoned(failure, now()))),
    postponed: (failures) => open(() => failures.map((failure) => work.postponed(failure, now()))),
    makeDue: (how) => open(() => work.makeDue(how, now())),
    published: (query) => open(() => work.log.list(query)),
    countPublished: (query) => open(() => work.log.count(query)),
    list: (query) => open(() => shelf.list(query).map(toSummary)),
    countDeliveries: (filter) => open(() => shelf.count(filter)),
    get: (id) =>
      open(() => {
        const delivery = shelf.byId.get(id)
        return delivery && toDetail(delivery)
      }),
    replay: (selection, { asNew = false } = {}) =>
      open(() => replayDeliveries(work, shelf, selection, now(), asNew ? newToken() : undefined)),
    resolve: (id, events, how) => open(() => resolve(id, events, how?.leaseMs)),
    eraseBody: (id) => open(() => eraseDelivery(work, shelf, id)),
    prune: (bounds) => open(() => pruneInbox(work, shelf, bounds, now(), steadyForMs)),
    stats: ({ countUpTo = 10_000 } = {}) => open(() => countWork(work, shelf, countUpTo)),
    ping: () => open(() => undefined),
    close() {
      closed = true
      return Promise.resolve()
    },
  }
}
