import { randomBytes } from 'node:crypto'
import { isSallyportError, SallyportError } from '@sallyport/errors'
import { callHook } from '@sallyport/internal/promises'
import { LRUCache } from 'lru-cache'
import { integerOption } from '@sallyport/internal/options'
import { createInvalidTokenError } from '../bearer/errors.ts'
import { textOption, textsOption } from '../options.ts'
import { sameText } from '../sessions/refresh-tokens.ts'
import type { ApiKeyQuery, ApiKeyRecord, ApiKeyStore } from './api-key-store.ts'
import { formatKey, hashSecret, parseKey } from './key-format.ts'

/** An API key without its secret. Times are milliseconds since 1970. */
export type ApiKey = Omit<ApiKeyRecord, 'secretHash'> & {
  /** The first characters of the key, which identify it in a configuration. */
  readonly prefix: string
}

/** A key to create. */
interface NewApiKey {
  readonly name: string
  readonly scopes: readonly string[]
  /** Labels of the endpoints that the key is limited to. @default no limit */
  readonly endpoints?: string | null
  /** The id of the user that the key acts for. */
  readonly ownerId: string
  /** @default the key does not expire */
  readonly expiresAt?: number | null
  /** The id of the key that creates the key. @default a user creates the key */
  readonly parentId?: string | null
}

/** A verified key, and the user that it acts for. */
export interface VerifiedApiKey<Owner> {
  readonly key: ApiKey
  readonly owner: Owner
}

export interface ApiKeysOptions<Owner extends object> {
  readonly store: ApiKeyStore
  /**
   * Returns the user that a key acts for, with the current permissions. Undefined stops the keys of the user, for example
   * after the deletion or suspension of the user.
   */
  readonly getOwner: (ownerId: string) => Owner | undefined | Promise<Owner | undefined>
  /** The start of every key: 2 to 20 lower-case letters. @default 'sp' */
  readonly prefix?: string
  /**
   * How long a key and its owner are cached, in seconds. Other processes see a deletion, and all processes a change of the
   * owner, after at most this time.
   *
   * @default 5
   */
  readonly maxAgeSeconds?: number
  /** The maximum number of cached keys and of cached unknown ids, each. @default 10000 */
  readonly max?: number
  /** Called when the time of the last use cannot be stored. */
  readonly onError?: (error: unknown) => void
  /** The clock, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
  /** @default randomBytes of node:crypto */
  readonly randomBytes?: (size: number) => Uint8Array
}

/** API keys: long-lived bearer tokens with scopes. */
export interface ApiKeys<Owner> {
  /**
   * Creates a key. The text of the key is returned once; the store has only its hash.
   *
   * @throws SallyportError 401 `INVALID_TOKEN` if the key that creates the key is deleted
   */
  readonly create: (key: NewApiKey) => Promise<{ readonly key: ApiKey; readonly text: string }>
  /** Reports whether a bearer token has the prefix of API keys. */
  readonly isApiKey: (token: string) => boolean
  /**
   * Verifies a bearer token, and notes its use at most once a minute.
   *
   * @throws SallyportError 401 `INVALID_TOKEN` with one message for a malformed, unknown, deleted or expired key and a key
   *   without an owner; 503 `SERVICE_UNAVAILABLE` when the store is unavailable
   */
  readonly verify: (token: string) => Promise<VerifiedApiKey<Owner>>
  readonly get: (id: string) => Promise<ApiKey | undefined>
  readonly list: (query: ApiKeyQuery) => Promise<readonly ApiKey[]>
  readonly count: () => Promise<number>
  /** Deletes a key and all keys that descend from it; resolves to the ids of the deleted keys. */
  readonly delete: (id: string) => Promise<readonly string[]>
}

const minute = 60_000
/** Lookups of keys that arrive unverified. */
const maxPending = 1000

interface Entry<Owner> {
  /** Undefined for an unknown id. */
  readonly record: ApiKeyRecord | undefined
  readonly owner: Owner | undefined
  readonly readAt: number
}

/**
 * Creates API keys of the form `sp_<id>_<secret><checksum>`. The store has the SHA-256 of each 256-bit secret.
 *
 * @throws TypeError for an option out of range
 * @example
 * ```ts
 * import { createApiKeys, createMemoryApiKeyStore, parseBearer, requireScopes } from '@sallyport/auth'
 *
 * const keys = createApiKeys({ store: createMemoryApiKeyStore(), getOwner: (id) => ({ id }) })
 * const { text } = await keys.create({ name: 'CI', scopes: ['posts:read'], ownerId: 'ann' })
 *
 * const { key, owner } = await keys.verify(parseBearer(`Bearer ${text}`))
 * requireScopes({ scope: key.scopes.join(' ') }, ['posts:read'])
 * console.log(owner.id) // ann
 * ```
 */
export function createApiKeys<Owner extends object>(options: ApiKeysOptions<Owner>): ApiKeys<Owner> {
  const { store, getOwner, prefix = 'sp', onError, now = Date.now } = options
  const random = options.randomBytes ?? randomBytes
  if (!/^[a-z]{2,20}$/.test(prefix)) throw new TypeError('prefix must have 2 to 20 lower-case letters')
  const maxAge = integerOption('maxAgeSeconds', options.maxAgeSeconds ?? 5, 1) * 1000
  const max = integerOption('max', options.max ?? 10_000, 1)
  // Separate, so that requests with random ids do not evict keys.
  const known = new LRUCache<string, Entry<Owner>>({ max })
  const unknown = new LRUCache<string, Entry<Owner>>({ max })
  const pending = new Map<string, Promise<Entry<Owner>>>()
  const touched = new LRUCache<string, number>({ max })

  const toKey = ({ id, name, scopes, endpoints, ownerId, parentId, ...times }: ApiKeyRecord): ApiKey => ({
    ...{ id, name, scopes, endpoints, ownerId, parentId, prefix: `${prefix}_${id}` },
    ...{ createdAt: times.createdAt, expiresAt: times.expiresAt, lastUsedAt: times.lastUsedAt },
  })

  function forget(id: string): void {
    known.delete(id)
    unknown.delete(id)
    // A lookup that began before a deletion must not be cached after it.
    pending.delete(id)
  }

  async function read(id: string): Promise<Entry<Owner>> {
    const readAt = now()
    const record = await store.get(id)
    return { record, owner: record && (await getOwner(record.ownerId)), readAt }
  }

  function lookUp(id: string): Promise<Entry<Owner>> {
    const running = pending.get(id)
    if (running !== undefined) return running
    if (pending.size >= maxPending) throw createUnavailableError()
    const reading = read(id)
      .then((entry) => {
        if (pending.get(id) === reading) (entry.record ? known : unknown).set(id, entry)
        return entry
      })
      .finally(() => {
        if (pending.get(id) === reading) pending.delete(id)
      })
    pending.set(id, reading)
    return reading
  }

  function find(id: string): Entry<Owner> | Promise<Entry<Owner>> {
    const entry = known.get(id) ?? unknown.get(id)
    const age = entry === undefined ? Infinity : now() - entry.readAt
    return entry !== undefined && age >= 0 && age < maxAge ? entry : lookUp(id)
  }

  function touch({ id, lastUsedAt }: ApiKeyRecord): void {
    const at = now()
    const last = Math.max(lastUsedAt ?? -Infinity, touched.get(id) ?? -Infinity)
    if (at - last < minute) return
    touched.set(id, at)
    store.touch(id, at).catch((error: unknown) => {
      callHook(onError, error)
    })
  }

  return {
    async create({ name, scopes, endpoints = null, ownerId, expiresAt = null, parentId = null }) {
      const id = toHex(random(8))
      const secret = toHex(random(32))
      if (id.length !== 16 || secret.length !== 64)
        throw new TypeError('randomBytes must return the requested number of bytes')
      const record: ApiKeyRecord = {
        id,
        name: textOption('name', name),
        scopes: [...new Set(textsOption('scopes', scopes))],
        endpoints,
        ownerId: textOption('ownerId', ownerId),
        parentId,
        secretHash: hashSecret(secret),
        createdAt: now(),
        expiresAt,
        lastUsedAt: null,
      }
      if (!(await store.insert(record)))
        throw createInvalidTokenError({ cause: new Error('The key that creates the key is deleted') })
      forget(id)
      return { key: toKey(record), text: formatKey(prefix, { id, secret }) }
    },

    isApiKey: (token) => token.startsWith(`${prefix}_`),

    async verify(token) {
      const parsed = parseKey(prefix, token)
      if (parsed === undefined) throw createInvalidTokenError({ cause: new Error('The form is wrong') })
      let entry
      try {
        entry = await find(parsed.id)
      } catch (cause) {
        throw isSallyportError(cause) ? cause : createUnavailableError(cause)
      }
      const { record, owner } = entry
      const refuse = (reason: string) => createInvalidTokenError({ cause: new Error(reason) })
      if (record === undefined) throw refuse('The key is unknown')
      if (!sameText(hashSecret(parsed.secret), record.secretHash)) throw refuse('The secret is wrong')
      if (record.expiresAt !== null && record.expiresAt <= now()) throw refuse('The key has expired')
      if (owner === undefined) throw refuse('The owner of the key may not use it')
      touch(record)
      return { key: toKey(record), owner }
    },

    async get(id) {
      const record = await store.get(id)
      return record && toKey(record)
    },
    list: async (query) => (await store.list(query)).map(toKey),
    count: () => store.count(),

    async delete(id) {
      const deleted = await store.delete(id)
      for (const each of [id, ...deleted]) forget(each)
      return deleted
    },
  }
}

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

function createUnavailableError(cause?: unknown): SallyportError {
  return new SallyportError('SERVICE_UNAVAILABLE', 'API keys cannot be checked at the moment; try again', {
    cause,
    headers: { 'Retry-After': '1' },
  })
}
