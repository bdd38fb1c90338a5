export interface KeyLookupOptions<Key> {
  /** Loads the key of an id; undefined when the service does not know the id. */
  readonly load: (id: string) => Promise<Key | undefined>
  /** How long a key is used, in seconds. An older key is used while the service is unavailable. @default 3600 */
  readonly maxAgeSeconds?: number
  /** The largest number of keys in the cache. @default 32 */
  readonly maxKeys?: number
  /** The largest number of loads in a minute: senders can name unknown keys. @default 30 */
  readonly loadsPerMinute?: number
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

interface Entry<Key> {
  readonly key: Key
  readonly loadedAt: number
}

/** The age after which a key is not used, even when the service is unavailable. */
const maximumAgeFactor = 24

/**
 * Creates a function that returns the key of an id, for services that publish keys by an API or by URL.
 *
 * The function caches keys, shares the load of concurrent requests, and limits the number of loads. The function rejects when a
 * key cannot be loaded, so that the gateway answers 503 and the service sends again.
 *
 * @example
 * ```ts
 * import { ecdsa, type Jwk } from '@sallyport/webhooks'
 * import { createKeyLookup, fetchDocument } from '@sallyport/webhooks/keys'
 *
 * const findKey = createKeyLookup({
 *   load: (id) => fetchDocument(`https://api.example/keys/${encodeURIComponent(id)}`, { hosts: ['api.example'] }),
 * })
 *
 * const signature = ecdsa({
 *   header: 'x-signature',
 *   encoding: 'base64',
 *   keyEncoding: 'der',
 *   keys: async (_, { headers }) => [(await findKey(headers.get('x-key-id') ?? '')) ?? []].flat(),
 * })
 * ```
 */
export function createKeyLookup<Key>(
  options: KeyLookupOptions<Key>,
): (id: string) => Promise<Key | undefined> {
  const { load, maxKeys = 32, loadsPerMinute = 30, now = Date.now } = options
  const maxAgeMs = (options.maxAgeSeconds ?? 3600) * 1000
  const entries = new Map<string, Entry<Key>>()
  const loading = new Map<string, Promise<Key | undefined>>()
  let windowStart = -Infinity
  let loads = 0

  function takeLoad(): boolean {
    if (now() - windowStart >= 60_000) {
      windowStart = now()
      loads = 0
    }
    loads += 1
    return loads <= loadsPerMinute
  }

  async function loadKey(id: string): Promise<Key | undefined> {
    const key = await load(id)
    entries.delete(id)
    if (key === undefined) return undefined
    if (entries.size >= maxKeys) entries.delete(entries.keys().next().value as string)
    entries.set(id, { key, loadedAt: now() })
    return key
  }

  return async (id) => {
    const entry = entries.get(id)
    const age = entry ? now() - entry.loadedAt : Infinity
    if (entry && age < maxAgeMs) return entry.key
    const isUsable = entry && age < maxAgeMs * maximumAgeFactor
    let work = loading.get(id)
    if (work === undefined) {
      if (!takeLoad()) {
        if (isUsable) return entry.key
        throw new Error('Too many keys were loaded in this minute')
      }
      work = loadKey(id).finally(() => loading.delete(id))
      loading.set(id, work)
    }
    try {
      return await work
    } catch (error) {
      if (isUsable) return entry.key
      throw error
    }
  }
}
