import { callHook } from '@sallyport/internal/promises'
import { integerOption } from '@sallyport/internal/options'
import { CodedError } from '@sallyport/errors'
import type { EndpointSource, GatewayEndpoint } from '../ports/ports.ts'
import type { EndpointRecord, EndpointStore } from './store.ts'

export interface EndpointCacheOptions {
  /** The maximum number of cached endpoints; about 600 bytes each. @default 100,000 */
  readonly size?: number
  /** The maximum number of cached unknown ids. @default 10,000 */
  readonly unknownSize?: number
  /**
   * How long a change by another process stays unseen, in milliseconds. An unavailable store makes the endpoints unavailable
   * after this time.
   *
   * @default 2,000
   */
  readonly maxStaleMs?: number
  /** Called when the changes cannot be read, or a secret cannot be decrypted. */
  readonly onError?: (error: unknown) => unknown
  /** Milliseconds of a monotonic clock. @default performance.now */
  readonly monotonicNow?: () => number
}

/** A cached source of endpoints. */
export interface EndpointCache extends EndpointSource {
  /** Removes an endpoint that this process changed. */
  invalidate(id: string): void
}

/** Ids per query. */
const batchSize = 500
/** Unknown ids arrive unverified: more waiting lookups are answered 503. */
const maxWaiting = 10_000
/** More changed endpoints than this empty the cache. */
const maxChanges = 1000

/** A pending lookup, which parallel deliveries share. */
interface Lookup {
  readonly id: string
  readonly found: Promise<GatewayEndpoint | undefined>
  readonly resolve: (endpoint: GatewayEndpoint | undefined) => void
  readonly reject: (error: unknown) => void
  /** The endpoint changed during the lookup: the result is not cached. */
  isStale: boolean
}

/**
 * Caches the endpoints of a store, and unknown ids. One query at a time looks up all waiting ids, so that requests with
 * random ids cost few round trips. The cache reads the changes of other processes at most twice in `maxStaleMs`.
 */
export function createEndpointCache(
  store: Pick<EndpointStore, 'get' | 'changes'>,
  open: (record: EndpointRecord) => Promise<GatewayEndpoint>,
  options: EndpointCacheOptions = {},
): EndpointCache {
  const { size = 100_000, unknownSize = 10_000, maxStaleMs = 2000, onError } = options
  const { monotonicNow = () => performance.now() } = options
  integerOption('size', size, 1)
  integerOption('unknownSize', unknownSize, 1)
  integerOption('maxStaleMs', maxStaleMs, 1)
  const known = new Map<string, GatewayEndpoint>()
  const unknown = new Set<string>()
  const lookups = new Map<string, Lookup>()
  const waiting: Lookup[] = []
  let position: number | undefined
  let syncedAt = -Infinity
  let syncing: Promise<void> | undefined
  let isReading = false

  function invalidate(id: string): void {
    known.delete(id)
    unknown.delete(id)
    const lookup = lookups.get(id)
    if (lookup) lookup.isStale = true
  }

  function invalidateAll(): void {
    known.clear()
    unknown.clear()
    for (const lookup of lookups.values()) lookup.isStale = true
  }

  async function readChanges(): Promise<void> {
    const startedAt = monotonicNow()
    const changes = await store.changes({ after: position, limit: maxChanges })
    if (changes.ids === undefined) invalidateAll()
    else changes.ids.forEach(invalidate)
    position = changes.position
    syncedAt = startedAt
  }

  const sync = (): Promise<void> => (syncing ??= readChanges().finally(() => (syncing = undefined)))

  /** Looks up the waiting ids, one batch at a time. */
  async function readWaiting(): Promise<void> {
    isReading = true
    // Deliveries of the same turn of the event loop share the first batch.
    await Promise.resolve()
    while (waiting.length > 0) await readBatch(waiting.splice(0, batchSize))
    isReading = false
  }

  async function readBatch(batch: readonly Lookup[]): Promise<void> {
    try {
      const found = await store.get(batch.map(({ id }) => id))
      const records = new Map(found.map((record) => [record.id, record]))
      await Promise.all(batch.map((lookup) => finish(lookup, records.get(lookup.id))))
    } catch (error) {
      for (const lookup of batch) {
        end(lookup)
        lookup.reject(error)
      }
    }
  }

  async function finish(lookup: Lookup, record: EndpointRecord | undefined): Promise<void> {
    const { id } = lookup
    try {
      const endpoint = record && (await open(record))
      if (!lookup.isStale && endpoint) add(known, size, id, endpoint)
      if (!lookup.isStale && !endpoint) add(unknown, unknownSize, id)
      lookup.resolve(endpoint)
    } catch (error) {
      callHook(onError, error)
      lookup.reject(error)
    }
    end(lookup)
  }

  function end(lookup: Lookup): void {
    if (lookups.get(lookup.id) === lookup) lookups.delete(lookup.id)
  }

  function lookUp(id: string): Promise<GatewayEndpoint | undefined> {
    const pending = lookups.get(id)
    if (pending?.isStale === false) return pending.found
    if (waiting.length >= maxWaiting) throw overloaded()
    const { promise: found, resolve, reject } = Promise.withResolvers<GatewayEndpoint | undefined>()
    const lookup = { id, found, resolve, reject, isStale: false }
    lookups.set(id, lookup)
    waiting.push(lookup)
    if (!isReading) void readWaiting()
    return found
  }

  function findNow(id: string): GatewayEndpoint | undefined | Promise<GatewayEndpoint | undefined> {
    return known.get(id) ?? (unknown.has(id) ? undefined : lookUp(id))
  }

  return {
    invalidate,
    find(id) {
      const age = monotonicNow() - syncedAt
      if (age >= maxStaleMs) return sync().then(() => findNow(id))
      if (age >= maxStaleMs / 2)
        sync().catch((error: unknown) => {
          callHook(onError, error)
        })
      return findNow(id)
    },
  }
}

const overloaded = () =>
  new CodedError(503, 'OVERLOADED', 'Too many lookups of endpoints: try again', {
    headers: { 'Retry-After': '1' },
  })

/** Adds an entry, and deletes the oldest entry of a full collection. */
function add<Key, Value>(
  collection: Map<Key, Value> | Set<Key>,
  limit: number,
  key: Key,
  value?: Value,
): void {
  if (collection instanceof Set) collection.add(key)
  else collection.set(key, value as Value)
  if (collection.size > limit) collection.delete(collection.keys().next().value as Key)
}
