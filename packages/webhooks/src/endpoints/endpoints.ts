import { hash, timingSafeEqual } from 'node:crypto'
import { SallyportError } from '@sallyport/errors'
import { checkFunctions, integerOption } from '@sallyport/internal/options'
import { createEndpointId, isEndpointId } from '../gateway/endpoint-id.ts'
import type { EndpointOptions, GatewayEndpoint } from '../ports/ports.ts'
import { createKindFilter } from '@sallyport/internal/kind'
import type { AnyProvider } from '../provider/provider.ts'
import { createEndpointCache, type EndpointCacheOptions } from './cache.ts'
import { requireProvider, requireUsableSecret } from './check-endpoint.ts'
import type { ChangeOptions, Endpoint, Endpoints, EstablishedSecret, SaveOptions } from './contract.ts'
import { reencryptEndpoints } from './reencrypt.ts'
import type { EndpointRecord, EndpointStore, SecretCipher, SecretRecord } from './store.ts'

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
}

export const maxSecrets = 10
/** Concurrent changes of one endpoint are rare. */
const maxAttempts = 5

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
  const { store, cipher, providers, now = Date.now } = options
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
    return { id: createEndpointId(), value: await cipher.encrypt(secret, id), createdAt: now() }
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
      const record = await change(id, ({ secrets, handshakeUntil = 0 }) => {
        if (secrets.length > 0 || handshakeUntil <= now()) return undefined
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
      // The cache may not have the secret that another process established.
      cache.invalidate(id)
      const stored = await read(id)
      if (stored === undefined || stored.secrets.length === 0) return false
      const isAnswered = (stored.handshakeUntil ?? 0) > now()
      return isAnswered || includes((await open(stored)).secrets, secret)
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

    reencrypt: () => reencryptEndpoints(store, cipher, change),
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
