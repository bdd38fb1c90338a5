import { checkIntegers } from '@sallyport/internal/options'
import { inboxUnavailable } from '../ports/refusals.ts'
import { createSteadyClock } from '@sallyport/internal/steady-clock'
import type { CompleteInbox, EventRecord, RecordResult } from '../ports/ports.ts'
import {
  countInbox,
  describeDelivery,
  filterPublished,
  listDeliveries,
  listDestinationEvents,
  listPublished,
  listRecorded,
  summarize,
} from './inbox-queries.ts'
import { eraseBody, eraseMatching } from './inbox-erasure.ts'
import { countNewest } from './inbox-counts.ts'
import { groupFailures } from './inbox-failures.ts'
import { filterDeliveries } from './inbox-filter.ts'
import { InboxStore, type Delivery, type Item } from './inbox-store.ts'
import { pruneInbox } from './inbox-retention.ts'
import { replayDeliveries } from './inbox-replay.ts'
import { InboxTasks } from './inbox-tasks.ts'

export interface MemoryInboxOptions {
  /**
   * The number of idempotency keys. Beyond the limit, the inbox forgets the keys whose work ended first; `record` rejects
   * while all keys have unfinished work.
   *
   * @default 100,000
   */
  readonly keys?: number
  /** The number of published events. Beyond the limit, the inbox deletes the oldest with their deliveries. @default 10,000 */
  readonly published?: number
  /**
   * The number of bytes of raw bodies. Beyond the limit, the inbox deletes the oldest bodies, also of unpublished events.
   *
   * @default 67,108,864 (64 MiB)
   */
  readonly bodyBytes?: number
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
  /** Creates the unique tokens of leases and fresh ids. @default crypto.randomUUID */
  readonly newToken?: () => string
}

type Sync<Method extends 'record' | 'resolve'> = (
  ...given: Parameters<CompleteInbox[Method]>
) => Awaited<ReturnType<CompleteInbox[Method]>>

/**
 * Creates an inbox in the memory of the process, for tests and for serverless forwarding. A restart loses everything.
 *
 * The inbox stores events without a copy, and rejects data that JSON cannot represent, such as a bigint. Lists, counts and
 * `prune` visit all stored entries. Operators can neither list nor change lanes: that needs a database.
 *
 * @throws TypeError when `keys` or `published` is not an integer of at least 1, or `bodyBytes` of at least 0
 *
 * @example
 * ```ts
 * import { createMemoryInbox } from '@sallyport/webhooks'
 *
 * const inbox = createMemoryInbox({ keys: 10_000 })
 * ```
 */
export function createMemoryInbox(options: MemoryInboxOptions = {}): CompleteInbox {
  const { now = Date.now, newToken = () => crypto.randomUUID() } = options
  const { keys = 100_000, published = 10_000, bodyBytes = 64 * 1024 * 1024 } = options
  const store = new InboxStore({ keys, published, bodyBytes })
  const tasks = new InboxTasks(store)
  const steadyForMs = createSteadyClock()
  let closed = false

  const record: Sync<'record'> = (delivery, { leaseMs } = {}) => {
    if (delivery.quarantine === undefined) {
      let added: Delivery | undefined
      return { events: addEvents(delivery.events, leaseMs, () => (added ??= store.addDelivery(delivery))) }
    }
    const { key } = delivery.quarantine
    const duplicate = store.quarantines.has(key)
    if (!duplicate) {
      const at = now()
      store.makeRoom(1)
      store.addItem(store.addDelivery(delivery), at)
    }
    return { events: [{ id: key, duplicate }] }
  }

  function addEvents(
    records: readonly EventRecord[],
    leaseMs: number | undefined,
    getDelivery: () => Delivery,
    needed: readonly Item[] = [],
  ): RecordResult['events'] {
    const newIds = new Set<string>()
    const dead = new Set<Item>()
    for (const { event } of records) {
      // Throws for data that an inbox with a database cannot store.
      JSON.stringify(event.data)
      const item = store.events.get(event.id)
      if (item === undefined) newIds.add(event.id)
      else if (item.status === 'dead') dead.add(item)
    }
    // The functions of the application may throw, so they run before the first change.
    const at = now()
    const lease = leaseMs === undefined ? undefined : { token: newToken(), endsAt: at + leaseMs }
    store.makeRoom(newIds.size, [...dead, ...needed])
    for (const item of dead) tasks.start(item, at)
    return records.map((record) => {
      const { id } = record.event
      if (!newIds.delete(id)) return { id, duplicate: true }
      const item = store.addItem(getDelivery(), at, record)
      if (lease === undefined) tasks.start(item, at)
      const isLeased = lease !== undefined && tasks.startLeased(item, at, lease)
      return { id, duplicate: false, ...(isLeased && { lease: lease.token }) }
    })
  }

  const resolve: Sync<'resolve'> = (id, records, { leaseMs } = {}) => {
    const delivery = store.deliveries.get(id)
    if (delivery?.quarantine?.reason === undefined) return undefined
    const { key } = delivery.quarantine
    const quarantine = store.quarantines.get(key)
    const events = addEvents(records, leaseMs, () => delivery, quarantine && [quarantine])
    if (quarantine) store.end(quarantine)
    delivery.quarantine = { key }
    return { events }
  }

  /** Runs an operation while the inbox is open, and returns its errors as rejections. */
  function run<T>(operation: () => T): Promise<T> {
    return new Promise((resolve) => {
      if (closed) throw inboxUnavailable(new Error('The inbox is closed'))
      resolve(operation())
    })
  }

  return {
    record: (...given) => run(() => record(...given)),
    known: (ids) => run(() => ids.map((id) => store.events.has(id))),
    claim: (kind, how) => run(() => tasks.claim(kind, how, now(), newToken())),
    claimLanes: (how) => run(() => tasks.claimLanes(how, now(), newToken())),
    destinationBacklogs: () => run(() => tasks.countBacklogs()),
    destinationEvents: (query) => run(() => listDestinationEvents(store, query)),
    makeLanesDue: (how) => run(() => tasks.makeLanesDue(how, now())),
    settleLanes: (settlements) =>
      run(() => {
        if (settlements.some((lane) => lane.settlements.some(({ outcome }) => outcome.status === 'queued')))
          throw new TypeError('An event of a lane cannot be queued')
        return settlements.map((one) => tasks.settleLane(one, now()))
      }),
    renew: (leases, { leaseMs }) =>
      run(() => {
        checkIntegers({ leaseMs }, 0)
        return leases.map((one) => tasks.renew(one, now() + leaseMs))
      }),
    settle: (kind, settlements) => run(() => settlements.map((one) => tasks.settle(kind, one, now()))),
    settlePublished: (settlements, { leaseMs }) =>
      run(() => {
        checkIntegers({ leaseMs }, 0)
        const at = now()
        const lease = { token: newToken(), endsAt: at + leaseMs }
        return settlements.map((one) => tasks.settlePublished(one, at, lease))
      }),
    makeDue: (how) => run(() => tasks.makeDue(how, now())),
    forwarded: (ids, { duplicates } = {}) =>
      run(() => {
        const known = new Set(duplicates)
        return ids.map((id) => tasks.forwarded(id, now(), known.has(id)))
      }),
    abandoned: (failures) => run(() => failures.map((failure) => tasks.abandoned(failure, now()))),
    postponed: (failures) => run(() => failures.map((failure) => tasks.postponed(failure, now()))),
    getRequest: (id) =>
      run(() => {
        const { headers, query, body } = store.deliveries.get(id) ?? {}
        return headers && body && { headers, ...(query !== undefined && { query }), body }
      }),
    get: (id) =>
      run(() => {
        const delivery = store.deliveries.get(id)
        return delivery && describeDelivery(delivery)
      }),
    replay: async (...given) => {
      const result = await run(() => replayDeliveries(store, tasks, { at: now(), newToken }, ...given))
      await given[1]?.save?.(result, undefined)
      return result
    },
    resolve: (...given) => run(() => resolve(...given)),
    prune: (bounds) =>
      run(() => {
        const at = now()
        return pruneInbox(store, bounds, { at, steadyForMs: steadyForMs(at) })
      }),
    lastRecorded: () => run(() => store.deliveryCount),
    recorded: (query) => run(() => listRecorded(store, query)),
    list: (query) => run(() => listDeliveries(store, query).map(summarize)),
    countDeliveries: (filter, { countUpTo = Infinity } = {}) =>
      run(() => Math.min(countUpTo, filterDeliveries(store, filter).length)),
    published: (query) => run(() => listPublished(store, query)),
    countPublished: (query) => run(() => filterPublished(store, query).length),
    failures: (query) => run(() => groupFailures(store, query)),
    newestCounts: (query) => run(() => countNewest(store, query)),
    stats: ({ countUpTo = 10_000 } = {}) => run(() => countInbox(store, countUpTo)),
    cancel: (how) => run(() => tasks.cancel(how, now())),
    eraseBody: (id) => run(() => eraseBody(store, id)),
    erase: (selection) => run(() => eraseMatching(store, tasks, selection, now())),
    ping: () => run(() => undefined),
    close() {
      closed = true
      return Promise.resolve()
    },
  }
}
