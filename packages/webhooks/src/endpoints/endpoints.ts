import { hash, timingSafeEqual } from 'node:crypto'
import { SallyportError } from '@sallyport/errors'
import { checkFunctions, integerOption } from '@sallyport/internal/options'
import { createEndpointId, isEndpointId } from '../gateway/endpoint-id.ts'
import type { EndpointOptions, EndpointSource, GatewayEndpoint } from '../ports/ports.ts'
import { createKindFilter } from '@sallyport/internal/kind'
import type { AnyProvider } from '../provider/provider.ts'
import { createEndpointCache, type EndpointCacheOptions } from './cache.ts'
import { requireProvider, requireUsableSecret } from './check-endpoint.ts'
import type {
  EndpointFilter,
  EndpointQuery,
  EndpointRecord,
  EndpointStatus,
  EndpointStore,
  SecretCipher,
  SecretRecord,
} from './store.ts'

/** An endpoint without the values of its secrets. */
export interface Endpoint extends Omit<EndpointRecord, 'secrets'> {
  /** Newest first. */
  readonly secrets: readonly Omit<SecretRecord, 'value'>[]
}

interface NewEndpoint {
  /** @default a random id; see `createEndpointId` */
  readonly id?: string | undefined
  readonly provider: string
  /** A name for people. */
  readonly name: string
  /** Without a secret, the endpoint accepts no delivery until `addSecret`, or until the handshake that it waits for. */
  readonly secret?: string | undefined
  /**
   * Whether an endpoint without a secret waits for a handshake, like after `startHandshake`.
   *
   * @default whether the service sends its secret in a handshake; false without `providers`
   */
  readonly awaitsHandshake?: boolean | undefined
  /** @default 'active' */
  readonly status?: EndpointStatus | undefined
  /** @default none */
  readonly labels?: Readonly<Record<string, string>> | undefined
  /** @default none */
  readonly options?: EndpointOptions | undefined
}

type EndpointChange = Partial<Pick<EndpointRecord, 'name' | 'status' | 'labels' | 'options'>>

interface ChangeOptions {
  /** Changes the endpoint only if it has this version. */
  readonly version?: number | undefined
}

/** Saves something in the transaction of the change; see {@link SaveInTransaction}. */
export interface SaveOptions<Saved> {
  readonly save?: ((saved: Saved, transaction: unknown) => Promise<void>) | undefined
}

/** An endpoint with a new secret. */
export interface AddedSecret {
  readonly endpoint: Endpoint
  readonly secretId: string
}

/** A secret that a handshake established. */
interface EstablishedSecret {
  /** The id of the endpoint. */
  readonly id: string
  readonly provider: string
  readonly secretId: string
}

/** A secret that an operator reads once. */
export interface TakenSecret {
  readonly secretId: string
  /** The decrypted secret. */
  readonly secret: string
}

/** Creates, changes and finds endpoints. */
export interface Endpoints extends EndpointSource {
  /**
   * Creates an endpoint. No secret is generated.
   *
   * @throws SallyportError `CONFLICT` (409) when the id is in use, `VALIDATION_ERROR` (400) for a provider that is not registered
   *   and for a secret that it cannot use; TypeError for a malformed id and for invalid options
   */
  create(endpoint: NewEndpoint, options?: SaveOptions<Endpoint>): Promise<Endpoint>
  get(id: string): Promise<Endpoint | undefined>
  /** Returns the endpoints with these ids, in any order, without unknown ones. */
  getMany(ids: readonly string[]): Promise<readonly Endpoint[]>
  list(query: EndpointQuery): Promise<readonly Endpoint[]>
  count(filter?: EndpointFilter): Promise<number>
  /**
   * Changes an endpoint. Resolves to undefined for an unknown endpoint.
   *
   * @throws SallyportError `PRECONDITION_FAILED` (412) when the endpoint has another version
   */
  update(id: string, change: EndpointChange, options?: ChangeOptions): Promise<Endpoint | undefined>
  /**
   * Deletes an endpoint with its secrets; its deliveries and events stay. Resolves to false for an unknown endpoint.
   *
   * @throws SallyportError `PRECONDITION_FAILED` (412) when the endpoint has another version
   */
  delete(id: string, options?: ChangeOptions): Promise<boolean>
  /**
   * Adds a secret in front of the others, which stay valid. Resolves to undefined for an unknown endpoint.
   *
   * @throws SallyportError `CONFLICT` (409) when the endpoint has 10 secrets, `VALIDATION_ERROR` (400) for a secret that the
   *   provider cannot use
   */
  addSecret(id: string, secret: string, options?: SaveOptions<AddedSecret>): Promise<AddedSecret | undefined>
  /** Removes a secret. Resolves to false for an unknown endpoint or secret. */
  removeSecret(id: string, secretId: string): Promise<boolean>
  /**
   * Lets an endpoint without a secret wait for a handshake that establishes its secret, until `handshakeMs` later. Anyone who
   * knows the address can send the handshake. Resolves to undefined for an unknown endpoint. With `withSecrets`, an endpoint with
   * secrets answers handshakes too, and stores none of their secrets.
   *
   * @throws SallyportError `CONFLICT` (409) when the endpoint has a secret
   */
  startHandshake(
    id: string,
    options?: { readonly withSecrets?: boolean | undefined },
  ): Promise<Endpoint | undefined>
  /**
   * Adds the secret that a handshake establishes, and ends the wait. Resolves to true when the endpoint has this secret, and to
   * false for an unknown endpoint, an endpoint that does not wait, and an endpoint with other secrets. An endpoint that waits with
   * secrets stores no other one, and resolves to true. With `isReadOnce`, `takeSecret` returns the secret.
   */
  establishSecret(
    id: string,
    secret: string,
    options?: { readonly isReadOnce?: boolean | undefined },
  ): Promise<boolean>
  /**
   * Returns the secret that a handshake established with `isReadOnce`, to one of several concurrent calls. Resolves to undefined
   * for an unknown endpoint, an endpoint without such a secret, and a secret that was read.
   */
  takeSecret(id: string, options?: SaveOptions<TakenSecret>): Promise<TakenSecret | undefined>
  /**
   * Encrypts all secrets with the newest key, and returns the number of changed endpoints.
   *
   * @throws Error that names endpoints with an unreadable secret, after the secrets of all others are encrypted
   */
  reencrypt(): Promise<number>
}

export interface EndpointsOptions extends EndpointCacheOptions {
  readonly store: EndpointStore
  /** Encrypts the secrets; see `createSecretCipher`. */
  readonly cipher: SecretCipher
  /** The providers of the gateway, which check new endpoints and secrets. @default secrets are checked for white space only */
  readonly providers?: readonly AnyProvider[] | undefined
  /** How long an endpoint waits for a handshake that establishes its secret, in milliseconds. @default 1 hour */
  readonly handshakeMs?: number
  /**
   * Called after a handshake established a secret, such as to record it in the audit. The answer waits for it. A
   * rejection removes the secret and is the answer 503, so that the endpoint waits for the repeated handshake.
   */
  readonly onHandshake?: (established: EstablishedSecret) => unknown
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
  /** Creates the id of a secret. @default a random id of 22 letters and digits */
  readonly newSecretId?: () => string
}

const maxSecrets = 10
/** Concurrent changes of one endpoint are rare. */
const maxAttempts = 5
const pageSize = 500

/**
 * Creates the endpoints of a gateway: pass them as `endpoints` to `createGateway`.
 *
 * @example
 * ```ts
 * import { createGateway, createMemoryInbox } from '@sallyport/webhooks'
 * import type { AnyProvider } from '@sallyport/webhooks'
 * import { createEndpoints, createSecretCipher, parseEncryptionKeys } from '@sallyport/webhooks/endpoints'
 * import { createMemoryDatabase } from '@sallyport/webhooks/node'
 *
 * declare const codehost: AnyProvider
 * const cipher = createSecretCipher(parseEncryptionKeys([process.env.ENCRYPTION_KEY ?? '']))
 * const endpoints = createEndpoints({ store: createMemoryDatabase().endpoints(), cipher })
 * export const gateway = createGateway({ providers: [codehost], endpoints, inbox: createMemoryInbox() })
 * const { id } = await endpoints.create({ provider: 'codehost', name: 'Acme', secret: 'the secret of Acme' })
 * ```
 */
export function createEndpoints(options: EndpointsOptions): Endpoints {
  const { store, cipher, providers, now = Date.now, newSecretId = createEndpointId } = options
  const { handshakeMs = 3_600_000, onHandshake } = options
  integerOption('handshakeMs', handshakeMs, 1)
  checkFunctions('store', store, 'insert', 'get', 'replace', 'delete', 'list', 'count', 'changes')
  checkFunctions('cipher', cipher, 'encrypt', 'decrypt', 'isCurrent')

  /** Returns the endpoint with its readable secrets, because a process without the newest key has the other keys. */
  async function open({ id, provider, status, options, secrets }: EndpointRecord): Promise<GatewayEndpoint> {
    const decrypted = await Promise.allSettled(secrets.map(async ({ value }) => cipher.decrypt(value, id)))
    const readable = decrypted.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const refused = decrypted.find((one) => one.status === 'rejected')
    if (refused && readable.length === 0)
      throw new Error(`No secret of the endpoint ${id} is readable: ${(refused.reason as Error).message}`)
    return { id, provider, status, options, secrets: readable }
  }
  const cache = createEndpointCache(store, open, options)

  async function read(id: string): Promise<EndpointRecord | undefined> {
    if (!isEndpointId(id)) return undefined
    const [record] = await store.get([id])
    return record
  }

  /**
   * Replaces an endpoint by the result of a function. A concurrent change is not lost: the function runs again.
   *
   * @returns undefined for an unknown endpoint, and when the function returns undefined
   */
  async function change(
    id: string,
    apply: (record: EndpointRecord) => Partial<EndpointRecord> | undefined,
    { version, save }: ChangeOptions & SaveOptions<EndpointRecord> = {},
  ): Promise<EndpointRecord | undefined> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const record = await read(id)
      if (record === undefined) return undefined
      checkVersion(record, version)
      const changed = apply(record)
      if (changed === undefined) return undefined
      const next = { ...record, ...changed, version: record.version + 1, updatedAt: now() }
      if (await store.replace(next, record.version, save && ((transaction) => save(next, transaction)))) {
        cache.invalidate(id)
        return next
      }
    }
    throw new SallyportError('CONFLICT', 'Other requests change this endpoint: try again')
  }

  async function encryptSecret(secret: string, id: string): Promise<SecretRecord> {
    return { id: newSecretId(), value: await cipher.encrypt(secret, id), createdAt: now() }
  }

  /** Encrypts the old secrets of an endpoint. Returns undefined if one of them is unreadable. */
  async function renewSecrets({ id, secrets }: EndpointRecord): Promise<Map<string, string> | undefined> {
    const renewed = new Map<string, string>()
    for (const { value } of secrets.filter((secret) => !cipher.isCurrent(secret.value))) {
      try {
        renewed.set(value, await cipher.encrypt(await cipher.decrypt(value, id), id))
      } catch {
        return undefined
      }
    }
    return renewed
  }

  async function replaceSecrets(id: string, renewed: ReadonlyMap<string, string>): Promise<boolean> {
    if (renewed.size === 0) return false
    const changed = await change(id, ({ secrets }) => ({
      secrets: secrets.map((secret) => ({ ...secret, value: renewed.get(secret.value) ?? secret.value })),
    }))
    return changed !== undefined
  }

  return {
    find: (id) => cache.find(id),

    async create({ id = createEndpointId(), provider, name, secret, status = 'active', ...rest }, how = {}) {
      const { save } = how
      const known = requireProvider(providers, provider)
      if (secret !== undefined) await requireUsableSecret(known, secret)
      const { labels = {}, options = {} } = rest
      const { awaitsHandshake = known?.handshake?.establishesSecret === true } = rest
      if (!isEndpointId(id))
        throw new TypeError('The id of an endpoint has 1 to 64 letters, digits, underscores and dashes')
      checkOptions(options)
      const at = now()
      const secrets = secret === undefined ? [] : [await encryptSecret(secret, id)]
      const record = {
        id,
        provider,
        name,
        status,
        secrets,
        labels,
        options,
        ...(awaitsHandshake && secret === undefined && { handshakeUntil: at + handshakeMs }),
        version: 1,
        createdAt: at,
        updatedAt: at,
      }
      const endpoint = toEndpoint(record)
      if (!(await store.insert(record, save && ((transaction) => save(endpoint, transaction)))))
        throw new SallyportError(
          'CONFLICT',
          'The id of the endpoint is in use, or was in use: choose another id',
        )
      cache.invalidate(id)
      return endpoint
    },

    async get(id) {
      const record = await read(id)
      return record && toEndpoint(record)
    },

    async getMany(ids) {
      const known = ids.filter(isEndpointId)
      return known.length === 0 ? [] : (await store.get(known)).map(toEndpoint)
    },

    list: async (query) => (await store.list(query)).map(toEndpoint),

    count: (filter = {}) => store.count(filter),

    async update(id, { name, status, labels, options }, how) {
      checkOptions(options)
      const given = Object.entries({ name, status, labels, options }).filter(
        ([, value]) => value !== undefined,
      )
      const record = await change(id, () => Object.fromEntries(given), how)
      return record && toEndpoint(record)
    },

    async delete(id, { version } = {}) {
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        const record = await read(id)
        if (record === undefined) return false
        checkVersion(record, version)
        if (await store.delete(id, record.version, now())) {
          cache.invalidate(id)
          return true
        }
      }
      throw new SallyportError('CONFLICT', 'Other requests change this endpoint: try again')
    },

    async addSecret(id, secret, { save } = {}) {
      const endpoint = await read(id)
      if (endpoint === undefined) return undefined
      await requireUsableSecret(
        providers?.find(({ name }) => name === endpoint.provider),
        secret,
      )
      const added = await encryptSecret(secret, id)
      const toResult = (record: EndpointRecord) => ({ endpoint: toEndpoint(record), secretId: added.id })
      const add = ({ secrets }: EndpointRecord) => {
        if (secrets.length >= maxSecrets)
          throw new SallyportError(
            'CONFLICT',
            `An endpoint has at most ${maxSecrets} secrets: remove one first`,
          )
        return { secrets: [added, ...secrets], handshakeUntil: undefined }
      }
      const record = await change(id, add, {
        save: save && ((changed, transaction) => save(toResult(changed), transaction)),
      })
      return record && toResult(record)
    },

    async removeSecret(id, secretId) {
      const record = await change(id, ({ secrets }) => {
        const rest = secrets.filter((secret) => secret.id !== secretId)
        if (rest.length === secrets.length) return undefined
        return { secrets: rest, ...(rest.length === 0 && { handshakeUntil: undefined }) }
      })
      return record !== undefined
    },

    async startHandshake(id, { withSecrets = false } = {}) {
      const record = await change(id, ({ secrets }) => {
        if (secrets.length > 0 && !withSecrets)
          throw new SallyportError('CONFLICT', 'The endpoint has a secret: remove its secrets first')
        return { handshakeUntil: now() + handshakeMs }
      })
      return record && toEndpoint(record)
    },

    async establishSecret(id, secret, { isReadOnce = false } = {}) {
      const added = { ...(await encryptSecret(secret, id)), ...(isReadOnce && { isReadable: true as const }) }
      let waited: number | undefined
      let isAnswered = false
      const record = await change(id, ({ secrets, handshakeUntil = 0 }) => {
        const isWaiting = handshakeUntil > now()
        isAnswered = isWaiting && secrets.length > 0
        if (!isWaiting || isAnswered) return undefined
        waited = handshakeUntil
        return { secrets: [added], handshakeUntil: undefined }
      })
      if (record) {
        try {
          await onHandshake?.({ id, provider: record.provider, secretId: added.id })
          return true
        } catch (error) {
          await change(id, ({ secrets }) => {
            const rest = secrets.filter((one) => one.id !== added.id)
            return { secrets: rest, ...(rest.length === 0 && { handshakeUntil: waited }) }
          })
          throw error
        }
      }
      if (isAnswered) return true
      // The cache may not have the secret that another process established.
      cache.invalidate(id)
      const stored = await read(id)
      return stored !== undefined && includes((await open(stored)).secrets, secret)
    },

    async takeSecret(id, { save } = {}) {
      const found = (await read(id))?.secrets.find(({ isReadable }) => isReadable)
      if (found === undefined) return undefined
      // A secret that no key decrypts stays readable.
      const taken = { secretId: found.id, secret: await cipher.decrypt(found.value, id) }
      const isFound = (one: SecretRecord) => one.id === found.id && one.isReadable
      const record = await change(
        id,
        ({ secrets }) =>
          secrets.some(isFound)
            ? { secrets: secrets.map((one) => (isFound(one) ? { ...one, isReadable: undefined } : one)) }
            : undefined,
        { save: save && ((_, transaction) => save(taken, transaction)) },
      )
      return record && taken
    },

    async reencrypt() {
      let count = 0
      const unreadable: string[] = []
      let after: EndpointQuery['after']
      for (;;) {
        const page = await store.list({ order: 'oldest', after, limit: pageSize })
        for (const record of page) {
          const renewed = await renewSecrets(record)
          if (renewed === undefined) unreadable.push(record.id)
          else if (await replaceSecrets(record.id, renewed)) count++
        }
        after = page.at(-1)
        if (after === undefined) break
      }
      if (unreadable.length === 0) return count
      const ids = unreadable.slice(0, 20).join(', ')
      throw new Error(
        `${count} endpoints are encrypted with the newest key, and ${unreadable.length} have an unreadable secret: ${ids}`,
      )
    },
  }
}

/** @throws SallyportError `PRECONDITION_FAILED` (412) */
function checkVersion(record: EndpointRecord, version: number | undefined): void {
  if (version !== undefined && record.version !== version)
    throw new SallyportError('PRECONDITION_FAILED', 'The endpoint has changed: read the endpoint again')
}

/** @throws TypeError for a malformed pattern, and a tolerance out of range */
function checkOptions({ only, toleranceSeconds }: EndpointOptions = {}): void {
  if (only) createKindFilter(only)
  if (toleranceSeconds === undefined) return
  if (!Number.isInteger(toleranceSeconds) || toleranceSeconds < 1 || toleranceSeconds > 86_400)
    throw new TypeError('toleranceSeconds must be an integer from 1 to 86,400')
}

/** Compares hashes, so that the duration depends on no secret. */
const includes = (secrets: readonly string[], secret: string): boolean =>
  secrets.filter((one) => timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', secret, 'buffer')))
    .length > 0

const toEndpoint = ({ secrets, ...record }: EndpointRecord): Endpoint => ({
  ...record,
  secrets: secrets.map(({ id, createdAt, isReadable }) => ({
    id,
    createdAt,
    ...(isReadable && { isReadable }),
  })),
})
