import { createOperationTracker } from '@sallyport/internal/operation-tracker'
import { checkIntegers } from '@sallyport/internal/options'
import { callHook } from '@sallyport/internal/promises'
import type {
  CompleteInbox,
  DeliveryFilter,
  ForwardFailure,
  RecordResult,
  Settlement,
  StoredRequest,
  Work,
} from '@sallyport/webhooks'
import type { Kysely } from 'kysely'
import { randomUUID } from 'node:crypto'
import type { Bodies } from '../bodies/bodies.ts'
import { cancelEvents } from '../deliveries/cancel.ts'
import { countDeliveries } from '../deliveries/count.ts'
import { readDelivery, readRequests } from '../deliveries/detail.ts'
import { eraseDeliveries, eraseDelivery } from '../deliveries/erase.ts'
import { failQueuedEvents } from '../deliveries/fail-queued.ts'
import { groupFailures } from '../deliveries/failures.ts'
import { makeLanesDue } from '../deliveries/lanes.ts'
import { listDeliveries } from '../deliveries/list.ts'
import { makeEventsDue, makeNotificationsDue } from '../deliveries/make-due.ts'
import { checkFilter } from '../deliveries/matching.ts'
import { createPruner, type PruneStore } from '../deliveries/prune.ts'
import { readRecorded } from '../deliveries/recorded.ts'
import { createReplayer } from '../deliveries/replay.ts'
import { countNewest } from '../deliveries/newest-counts.ts'
import type { RunTransaction } from '../deliveries/transaction.ts'
import { resolveDelivery } from '../deliveries/resolve.ts'
import { readStats } from '../deliveries/stats.ts'
import type { ReadHashes } from '../encryption/value-hashes.ts'
import type { Vault } from '../encryption/vault.ts'
import { inboxUnavailable, unfinished, type OnError } from '../internal/errors.ts'
import type { BodyEvents } from '../internal/event-json.ts'
import type { SchemaCheck } from '../internal/schema-check.ts'
import type { InboxTables } from '../internal/tables.ts'
import { escapeText } from '../internal/text.ts'
import { BatchQueue } from '../internal/batch-queue.ts'
import type { StoredBody } from './body.ts'
import { readClaimedRows, reportUnreadableRows, type ClaimedRow } from './claimed.ts'
import { findDestinationEvents } from './destination-events.ts'
import { createLaneOperators } from './lane-operators.ts'
import { createLaneOperations, type LaneStore } from './lanes.ts'
import { countPublished, findRecorded, findPublished } from './published.ts'
import {
  toStoredDelivery,
  toStoredEvent,
  toStoredFailure,
  toStoredSettlement,
  type StoredDelivery,
} from './stored.ts'

/** The token and the duration of a requested lease. */
export interface LeaseRequest {
  readonly token: string
  readonly leaseMs: number
}

/** The maximum number of work items of a claim, and the maximum bytes of their data. */
export interface ClaimLimits {
  readonly limit: number
  readonly maxBytes: number | undefined
  /** Work that waits for longer is due: the clock was set back. In milliseconds. */
  readonly longestDelayMs?: number | undefined
}

/** A key that was recorded before, a new key, or a new key whose event or lane is under the requested lease. */
export type Recorded = 'known' | 'new' | 'leased'

/** `notify`: the attempt is settled, and the notification of the event became due. */
export type SettleResult = 'lost' | 'settled' | 'notify'

/** The operations of an inbox that each engine implements, and its transactions; their errors are those of the inbox. */
export interface InboxStore extends PruneStore {
  /** Returns the results of the keys of the events, or of the key of the quarantined delivery. A body is stored already, or plain. */
  record(
    delivery: StoredDelivery,
    body: Uint8Array | StoredBody,
    lease: LeaseRequest | undefined,
  ): Promise<readonly Recorded[]>
  claim(work: Work, limits: ClaimLimits, lease: LeaseRequest): Promise<readonly ClaimedRow[]>
  /** With a lease, notifications become due under it. */
  settle(
    work: Work,
    settlements: readonly Settlement[],
    lease?: LeaseRequest,
  ): Promise<readonly SettleResult[]>
  forwarded(ids: readonly string[], duplicates: readonly string[]): Promise<readonly boolean[]>
  readonly lanes?: LaneStore
  /** Returns a sequence up to which no delivery can appear later. */
  lastRecorded(): Promise<number>
  ping(): Promise<void>
  /** Notifies other processes of new work. */
  notifyOthers?(work: Work): void
}

// An erasure locks all of its deliveries and events in one transaction.
const maxErased = 1000

interface InboxOptions {
  /** @default a random UUID */
  readonly newToken: (() => string) | undefined
  readonly onError: OnError | undefined
  readonly bodyEvents: BodyEvents
  readonly schema: SchemaCheck
  readonly vault: Vault
  readonly bodies: Bodies
  readonly readHashes: ReadHashes
}

/** Creates an inbox over the store of an engine. */
export function createInbox(
  kysely: Kysely<InboxTables>,
  store: InboxStore,
  { newToken = randomUUID, onError, bodyEvents, schema, vault, bodies, readHashes }: InboxOptions,
): CompleteInbox {
  const operations = createOperationTracker(() => inboxUnavailable(new Error('The inbox is closed')))
  const transaction: RunTransaction = (run) =>
    store.transaction(async (one) => {
      const result = await run(one)
      await schema.check(one.db)
      return result
    })
  const replay = createReplayer(kysely, transaction, newToken)
  const prune = createPruner(kysely, { now: () => store.now(), transaction })
  /** Deletes unused objects, and returns whether more may remain. A failure is left to the next call. */
  const collect = () =>
    bodies.collect(transaction).catch((error: unknown) => {
      callHook(onError, error)
      return false
    })
  const collectAll = async () => {
    while (await collect());
  }
  const lanes =
    store.lanes && createLaneOperations(store.lanes, { newToken, onError, bodyEvents, schema, vault, bodies })
  const operators = createLaneOperators(
    kysely,
    transaction,
    () => store.now(),
    () => store.notifyOthers?.('publish'),
  )
  // The destinations of one delivery share its request.
  const requests = new BatchQueue<string, StoredRequest | undefined>(
    async (ids) => {
      const found = await readRequests(kysely, [...new Set(ids)], { vault, bodies, onError })
      return ids.map((id) => found.get(id) ?? { status: 'fulfilled', value: undefined })
    },
    { concurrency: 2, waiting: Infinity, waitingBytes: Infinity },
  )
  /** Adds the stored forms of values and subjects to a filter. */
  const hashed = async <Filter extends DeliveryFilter>(filter: Filter): Promise<Filter> =>
    (['value', 'text', 'eventId', 'subject'] as const).every((name) => filter[name] === undefined)
      ? filter
      : { ...filter, find: (await readHashes()).find, findSubject: vault.subjects.find }
  const newLease = (leaseMs: number) => {
    checkIntegers({ leaseMs }, 0)
    return { token: newToken(), leaseMs }
  }

  const failQueued = async (failures: readonly ForwardFailure[], isFinal: boolean) => {
    const stored = failures.map(toStoredFailure)
    return stored.length === 0 ? [] : await transaction((one) => failQueuedEvents(one, stored, isFinal))
  }

  async function settle(work: Work, settlements: readonly Settlement[], lease?: LeaseRequest) {
    const stored = settlements.map((settlement) => toStoredSettlement(work, settlement, vault.seal))
    return stored.length === 0 ? [] : await store.settle(work, stored, lease)
  }

  /** Settles unreadable work; returns whether any was settled. The rest is claimed again after its lease. */
  async function settleUnreadable(work: Work, unreadable: readonly Settlement[]): Promise<boolean> {
    const ended = await store.settle(work, unreadable).then(
      (results) => results.map(isSettled),
      (): readonly boolean[] => [],
    )
    reportUnreadableRows(
      onError,
      work,
      unreadable.filter((_, index) => ended[index]),
    )
    return ended.includes(true)
  }

  return {
    record: (delivery, { leaseMs } = {}) =>
      operations.run(async () => {
        const { events, quarantine } = delivery
        const lease = leaseMs === undefined ? undefined : newLease(leaseMs)
        const found = readHashes('write')
        // Records of one turn of the event loop share a commit.
        const hashes = 'write' in found ? found : await found.catch(rejectUnavailable)
        const sealing = { ...vault, hashes }
        const stored = toStoredDelivery(delivery, sealing)
        const saved = bodies.save((run) => store.transaction(run), stored, delivery.body)
        const body = saved instanceof Uint8Array ? saved : await saved
        const recorded = await store.record(stored, body, lease)
        for (const [index, { event, dataIsBody }] of events.entries())
          if (dataIsBody === true && recorded[index] !== 'known') bodyEvents.set(event, event.data)
        const ids = quarantine ? [quarantine.key] : events.map(({ event }) => event.id)
        return toResult(ids, recorded, quarantine ? undefined : lease?.token)
      }),

    known: (ids) => operations.run(() => findRecorded(kysely, ids)),

    claim: (work, { limit, leaseMs, maxBytes, longestDelayMs }) =>
      operations.run(async () => {
        checkIntegers({ limit, leaseMs, maxBytes, longestDelayMs }, 0)
        await readHashes()
        for (;;) {
          const token = newToken()
          const rows = await schema.claim(() =>
            store.claim(work, { limit, maxBytes, longestDelayMs }, { token, leaseMs }),
          )
          const isMeasured = maxBytes !== undefined
          const options = { lease: token, isMeasured, bodyEvents, vault }
          const { claimed, unreadable } = readClaimedRows(await bodies.load(rows), options)
          const isSettled = unreadable.length > 0 && (await settleUnreadable(work, unreadable))
          // An empty answer would let the caller wait although readable work may follow.
          if (claimed.length > 0 || !isSettled) return claimed
        }
      }),

    ...(lanes && {
      claimLanes: (options) =>
        operations.run(async () => {
          await readHashes()
          return await lanes.claimLanes(options)
        }),
      makeLanesDue: (options) =>
        operations.run(async () => {
          checkIntegers({ limit: options.limit }, 1)
          const count = await transaction((one) => makeLanesDue(one, options))
          if (count > 0) store.notifyOthers?.('publish')
          return count
        }),
      settleLanes: (settlements) => operations.run(() => lanes.settleLanes(settlements)),
      renew: (leases, options) => operations.run(() => lanes.renew(leases, options)),
    }),

    settle: (work, settlements) =>
      operations.run(async () => (await settle(work, settlements)).map(isSettled)),

    settlePublished: (settlements, { leaseMs }) =>
      operations.run(async () => {
        const lease = newLease(leaseMs)
        const results = await settle('publish', settlements, lease)
        return results.map((result) =>
          result === 'notify'
            ? { settled: true, notificationLease: lease.token }
            : { settled: isSettled(result) },
        )
      }),

    forwarded: (ids, { duplicates = [] } = {}) =>
      operations.run(async () => {
        if (ids.length === 0) return []
        return await store.forwarded(ids.map(escapeText), duplicates.map(escapeText))
      }),

    abandoned: (failures) => operations.run(() => failQueued(failures, true)),

    postponed: (failures) => operations.run(() => failQueued(failures, false)),

    makeDue: ({ work, ...options }) =>
      operations.run(async () => {
        const { limit, filter } = options
        checkIntegers({ limit }, 1)
        if (filter !== undefined) checkFilter(filter)
        if (work === 'notify') return await transaction((one) => makeNotificationsDue(one, limit))
        const due = { ...options, ...(filter && { filter: await hashed(filter) }) }
        const count = await transaction((one) => makeEventsDue(one, due))
        // Without a filter, a dispatcher calls for itself.
        if (filter !== undefined && count > 0) store.notifyOthers?.('publish')
        return count
      }),

    published: (query) =>
      operations.run(async () => {
        const { after, before, offset, limit } = query
        checkIntegers({ after, before, offset, limit }, 0)
        await readHashes()
        return await schema.claim(() => findPublished(kysely, query, { vault, bodies }))
      }),

    countPublished: (query) => operations.run(() => countPublished(kysely, query)),

    list: (query) =>
      operations.run(async () => {
        checkIntegers({ offset: query.offset, limit: query.limit }, 0)
        checkFilter(query)
        await readHashes()
        return await listDeliveries(kysely, await hashed(query), vault)
      }),

    countDeliveries: (filter, { countUpTo } = {}) =>
      operations.run(async () => {
        checkFilter(filter)
        checkIntegers({ countUpTo }, 1)
        return await countDeliveries(kysely, await hashed(filter), countUpTo)
      }),

    lastRecorded: () => operations.run(() => store.lastRecorded()),

    recorded: (query) =>
      operations.run(async () => {
        const { after, upTo, limit, ...filter } = query
        checkIntegers({ after, upTo }, 0)
        checkIntegers({ limit }, 1)
        checkFilter(filter)
        await readHashes()
        return await readRecorded(kysely, await hashed(query), vault)
      }),

    get: (id) =>
      operations.run(async () => {
        await readHashes()
        return await readDelivery(kysely, id, { vault, bodies, onError })
      }),

    getRequest: (id) => operations.run(() => requests.add(0, () => id)),

    replay: (selection, options) =>
      operations.run(async () => {
        const hashedSelection =
          'filter' in selection ? { ...selection, filter: await hashed(selection.filter) } : selection
        const result = await replay(hashedSelection, options)
        if (result.deliveries.some(({ outcome }) => outcome === 'replayed')) store.notifyOthers?.('publish')
        return result
      }),

    resolve: (id, events, { leaseMs } = {}) =>
      operations.run(async () => {
        const lease = leaseMs === undefined ? undefined : newLease(leaseMs)
        // The transaction does not read the body.
        await readHashes()
        const stored = events.map((event) => toStoredEvent({ ...event, dataIsBody: false }, vault))
        const recorded = await transaction((one) => resolveDelivery(one, escapeText(id), stored, lease))
        if (recorded?.includes('new')) store.notifyOthers?.('publish')
        const ids = events.map(({ event }) => event.id)
        return recorded && toResult(ids, recorded, lease?.token)
      }),

    listLanes: (query) => operations.run(() => operators.listLanes(query)),
    destinationBacklogs: () => operations.run(() => operators.destinationBacklogs()),
    destinationEvents: (query) =>
      operations.run(async () => {
        checkIntegers({ limit: query.limit }, 1)
        await readHashes()
        return await findDestinationEvents(kysely, query, vault)
      }),
    pauseLane: (name) => operations.run(() => operators.pauseLane(name)),
    resumeLane: (name) => operations.run(() => operators.resumeLane(name)),
    skipLaneHead: (name, event) => operations.run(() => operators.skipLaneHead(name, event)),
    retryLaneHead: (name) => operations.run(() => operators.retryLaneHead(name)),
    cancelLane: (name, options) => operations.run(() => operators.cancelLane(name, options)),

    eraseBody: (id) =>
      operations.run(async () => {
        const outcome = await transaction((one) => eraseDelivery(one, escapeText(id), vault))
        if (outcome === 'unfinished') throw unfinished()
        await collectAll()
        return outcome === 'erased'
      }),

    cancel: (options) =>
      operations.run(async () => {
        checkIntegers({ limit: options.limit }, 1)
        checkFilter(options.filter)
        const filter = await hashed(options.filter)
        return await transaction((one) => cancelEvents(one, { ...options, filter }))
      }),

    erase: (selection) =>
      operations.run(async () => {
        const { filter, after, limit } = selection
        checkIntegers({ limit }, 1, maxErased)
        checkFilter({ ...filter, ...(after && { after }) })
        const hashedSelection = { ...selection, filter: await hashed(filter) }
        const result = await eraseDeliveries(kysely, transaction, hashedSelection, vault)
        await collectAll()
        return result
      }),

    prune: (options) =>
      operations.run(async () => {
        const { limit = 1000, ...bounds } = options
        checkIntegers({ limit }, 1)
        checkIntegers(bounds, 0)
        const result = await prune(options)
        const moreObjects = await collect()
        return { ...result, more: result.more || moreObjects }
      }),

    failures: (query) =>
      operations.run(async () => {
        checkIntegers({ limit: query.limit }, 1)
        return await groupFailures(kysely, query)
      }),

    newestCounts: (query) =>
      operations.run(async () => {
        checkIntegers({ newest: query.newest, limit: query.limit }, 1)
        return await countNewest(kysely, query)
      }),

    stats: ({ countUpTo = 10_000 } = {}) =>
      operations.run(async () => {
        checkIntegers({ countUpTo }, 0)
        return await readStats(kysely, countUpTo)
      }),

    ping: () => operations.run(() => store.ping()),

    close: () => operations.close(),
  }
}

/** A delivery that cannot be recorded is sent again. */
function rejectUnavailable(error: unknown): never {
  throw inboxUnavailable(error)
}

const isSettled = (result: SettleResult): boolean => result !== 'lost'

function toResult(
  ids: readonly string[],
  recorded: readonly Recorded[],
  lease: string | undefined,
): RecordResult {
  return {
    events: ids.map((id, index) => {
      const duplicate = recorded[index] === 'known'
      return recorded[index] === 'leased' && lease !== undefined
        ? { id, duplicate, lease }
        : { id, duplicate }
    }),
  }
}
