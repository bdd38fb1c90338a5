import { runWithTimeout, waitAtMost } from '@sallyport/internal/deadline'
import { timerOption } from '@sallyport/internal/options'
import { callHook } from '@sallyport/internal/promises'
import { createWakeUps } from '@sallyport/internal/wake-ups'
import { CodedError, SallyportError } from '@sallyport/errors'
import type { MaybePromise } from '../ports/ports.ts'
import { describeError, planRetry } from './failures.ts'
import type { SubscriptionContext, SubscriptionService } from './service.ts'
import type {
  SubscriptionProgress,
  SubscriptionQuery,
  SubscriptionRecord,
  SubscriptionStore,
  SubscriptionTarget,
} from './store.ts'
import { keepSubscription, removeSubscription, type SubscriptionAction, type Visit } from './visit.ts'

/** A subscription whose credential a request needs. */
export interface CredentialRequest extends Pick<
  SubscriptionTarget,
  'id' | 'service' | 'endpoint' | 'parameters' | 'credential'
> {
  /** Whether the service refused the last credential: return a new one. */
  readonly isRefused: boolean
}

/** How the webhooks of services are registered. */
export interface SubscriptionsOptions {
  /** Such as `subscriptionServices` of `@sallyport/providers/subscriptions`. */
  readonly services: readonly SubscriptionService[]
  /** Returns the token of the API of a service, such as an access token of OAuth. */
  readonly credentials: (request: CredentialRequest) => MaybePromise<string>
  /** The subscriptions of a file: `declare` is called with them at the start. @default none; those of earlier stay */
  readonly declared?: readonly DeclaredSubscription[]
  /** How often a subscription is compared with its service, in milliseconds. @default 3,600,000 */
  readonly checkMs?: number
  /** How often a process looks for due subscriptions, in milliseconds. @default 5,000 */
  readonly pollMs?: number
  /** @default the platform's `fetch` */
  readonly fetch?: typeof globalThis.fetch
}

/** An address that services send to. */
export interface SubscribedAddress {
  readonly url: string
  /** Whether it is the address of a provider, or of an endpoint of the provider that exists. */
  readonly isKnown: boolean
  /** Newest first. */
  readonly secrets: readonly string[]
  /** Stores a secret that the service created. @default the address stores none */
  readonly storeSecret?: ((secret: string) => Promise<void>) | undefined
}

export interface SubscriptionParts extends SubscriptionsOptions {
  readonly store: SubscriptionStore
  /** Returns the address of an endpoint, or that of a provider. */
  readonly findAddress: (service: string, endpoint: string | undefined) => Promise<SubscribedAddress>
  /** Hashes what a service is to have, with a key. */
  readonly hash: (text: string) => string
  readonly onAction?: (record: SubscriptionRecord, action: SubscriptionAction) => unknown
  readonly onError?: (error: unknown) => unknown
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
  /** @default Math.random */
  readonly random?: () => number
  /** Creates unique ids. @default crypto.randomUUID */
  readonly newId?: () => string
}

/** A subscription to add. */
export interface NewSubscription extends Pick<
  SubscriptionTarget,
  'service' | 'endpoint' | 'parameters' | 'credential'
> {
  /** @default a random id */
  readonly id?: string | undefined
}

/** A subscription that `declare` adds, changes, or removes. */
export interface DeclaredSubscription extends NewSubscription {
  readonly id: string
}

/** Registers webhooks at services, and keeps them registered. */
export interface Subscriptions {
  /**
   * Adds a subscription, which a process with a dispatcher creates at the service.
   *
   * @throws SallyportError `VALIDATION_ERROR` (400) for an unknown service or endpoint, and for parameters that the service
   *   does not accept; `CONFLICT` (409) for an id in use
   */
  add(subscription: NewSubscription): Promise<SubscriptionRecord>
  get(id: string): Promise<SubscriptionRecord | undefined>
  list(query: SubscriptionQuery): Promise<readonly SubscriptionRecord[]>
  count(filter?: Omit<SubscriptionQuery, 'limit'>): Promise<number>
  /** Compares a subscription with its service at once, and renews one that expires. False for an unknown id. */
  renew(id: string): Promise<boolean>
  /** Removes a subscription from its service, and then from the database. False for an unknown id. */
  remove(id: string): Promise<boolean>
  /**
   * Adds and changes the given subscriptions, and removes those of earlier calls that are not given. One that cannot be added
   * does not prevent the others: the first error is thrown, as by `add`.
   */
  declare(subscriptions: readonly DeclaredSubscription[]): Promise<void>
}

export interface SubscriptionLoop extends Subscriptions {
  /** Removes the subscriptions of an endpoint, and waits at most for `waitMs`. A process continues later. */
  removeOf(endpoint: string, waitMs?: number): Promise<void>
  /** Renews the subscriptions of an endpoint, or those of the address of a provider. */
  renewOf(service: string, endpoint: string | undefined): Promise<void>
  start(): void
  /** Ends the requests. Another process continues. */
  stop(): Promise<void>
}

const leaseMs = 300_000
/** A visit ends before its lease. */
const visitMs = 120_000
/** Subscriptions that a process visits at the same time. */
const concurrency = 4
/** After so many failures, a subscription stays at the service, and its record is deleted a week later. */
export const removalAttempts = 12
const keptMs = 7 * 86_400_000
/** An endpoint can be created after the start. */
const redeclareMs = 60_000

/**
 * Creates the loop that keeps subscriptions. One process at a time visits a subscription, under a lease: it creates the
 * subscription, renews it after two thirds of its lifetime, and compares it with the service.
 *
 * @throws TypeError for a number out of range, and for two services with one name
 */
export function createSubscriptions(parts: SubscriptionParts): SubscriptionLoop {
  const { store, findAddress, hash, onAction, onError, now = Date.now, random = Math.random } = parts
  const { fetch = globalThis.fetch, credentials, newId = () => crypto.randomUUID() } = parts
  const checkMs = timerOption('checkMs', parts.checkMs ?? 3_600_000)
  const pollMs = timerOption('pollMs', parts.pollMs ?? 5000)
  const services = new Map(parts.services.map((service) => [service.name, service]))
  if (services.size < parts.services.length)
    throw new TypeError('Two of the services of subscriptions have the same name')
  const wakeUps = createWakeUps()
  let stopping = new AbortController()
  let running: Promise<void> | undefined

  /** @throws SallyportError `VALIDATION_ERROR` (400) */
  async function check({ service: name, endpoint, parameters }: NewSubscription): Promise<void> {
    const service = services.get(name)
    if (service === undefined) throw invalid('service', `Must be one of ${[...services.keys()].join(', ')}`)
    const address = await findAddress(name, endpoint)
    if (!address.isKnown) throw invalid('endpoint', `Must be an endpoint of ${name}`)
    if (service.secret === 'created' && address.storeSecret === undefined)
      throw invalid('endpoint', `Must be an endpoint of the database: ${name} creates the secret`)
    readParameters(service, parameters)
  }

  /** Returns the subscriptions of an address. */
  async function listBeside(service: string, endpoint: string | undefined) {
    const ofEndpoint = endpoint === undefined ? {} : { endpoints: [endpoint] }
    const found = await store.list({ service, limit: 1000, ...ofEndpoint })
    return found.filter((one) => one.endpoint === endpoint)
  }

  async function openVisit(
    record: SubscriptionRecord,
    { url, secrets, storeSecret }: SubscribedAddress,
    signal: AbortSignal,
  ): Promise<Visit> {
    const { id, endpoint, parameters, credential } = record
    const service = services.get(record.service)
    if (service === undefined)
      throw new CodedError(500, 'UNKNOWN_SERVICE', 'The service has no subscriptions')
    const request = { id, service: service.name, endpoint, parameters, credential }
    const context: SubscriptionContext = {
      parameters: readParameters(service, parameters),
      ...{ address: url, secrets, fetch, now, signal },
      token: ({ isRefused }) => credentials({ ...request, isRefused }),
    }
    const sent = service.secret === 'endpoint' ? secrets : []
    const beside = await listBeside(service.name, endpoint)
    return {
      ...{ service, record, context, random },
      taken: beside.flatMap((one) => (one.id === id ? [] : (one.progress.registration?.id ?? []))),
      fingerprint: hash(JSON.stringify([url, sent, parameters])),
      storeSecret: async (created) => {
        if (storeSecret === undefined) throw new CodedError(409, 'NO_SECRET', 'The address stores no secret')
        await storeSecret(created)
      },
      onAction: (action) => {
        callHook(onAction, record, action)
      },
    }
  }

  /** Returns the progress of a subscription, or undefined when it is removed. */
  async function visit(
    record: SubscriptionRecord,
    signal: AbortSignal,
  ): Promise<SubscriptionProgress | undefined> {
    const address = await findAddress(record.service, record.endpoint)
    const opened = await openVisit(record, address, signal)
    // An endpoint can be deleted in the database without its subscriptions.
    if (record.isRemoving || !address.isKnown) {
      await removeSubscription(opened)
      return undefined
    }
    if (opened.service.secret === 'endpoint' && address.secrets.length === 0)
      throw new CodedError(409, 'NO_SECRET', 'The endpoint has no secret')
    return await keepSubscription(opened)
  }

  async function process(record: SubscriptionRecord, token: string, stop: AbortSignal): Promise<void> {
    const { progress } = record
    try {
      if (
        record.isRemoving &&
        progress.failures >= removalAttempts &&
        progress.revision === record.revision
      ) {
        await store.delete(record, token)
        return
      }
      const next = await runWithTimeout(visitMs, (signal) => visit(record, AbortSignal.any([signal, stop])))
      if (next === undefined) await store.delete(record, token)
      else await store.save(record, token, next, untilNext(next.renewAt))
    } catch (error) {
      // Another process continues at once.
      if (stop.aborted) await store.save(record, token, progress, 0)
      else await fail(record, token, error)
    }
  }

  async function fail(record: SubscriptionRecord, token: string, error: unknown): Promise<void> {
    const { progress, isRemoving, revision } = record
    // A request of an operator begins the attempts again.
    const failures = (isRemoving && progress.revision !== revision ? 0 : progress.failures) + 1
    const isGivenUp = isRemoving && failures >= removalAttempts
    const dueMs = isGivenUp ? keptMs : planRetry(failures, error, random)
    const failed = { ...progress, failures, error: describeError(error) }
    await store.save(record, token, isRemoving ? { ...failed, revision } : failed, dueMs)
  }

  /** A renewal waits for no check, and a short lifetime has more checks. */
  function untilNext(renewAt: number | undefined): number {
    const check = checkMs * (1 - random() / 10)
    if (renewAt === undefined) return Math.round(check)
    return Math.round(Math.max(1000, Math.min(check, renewAt - now())))
  }

  async function processDue(signal: AbortSignal, endpoint?: string): Promise<number> {
    const token = newId()
    const claimed = await store.claim({
      ...{ token, leaseMs, limit: concurrency },
      ...(endpoint !== undefined && { endpoint }),
    })
    const report = (error: unknown) => {
      callHook(onError, error)
    }
    await Promise.all(claimed.map((record) => process(record, token, signal).catch(report)))
    return claimed.length
  }

  async function run({ signal }: AbortController): Promise<void> {
    let declareAt = parts.declared === undefined ? Infinity : 0
    while (!signal.aborted) {
      let count = 0
      try {
        if (performance.now() >= declareAt) {
          declareAt = performance.now() + redeclareMs
          await declare(parts.declared ?? [])
          declareAt = Infinity
        }
        count = await processDue(signal)
      } catch (error) {
        callHook(onError, error)
      }
      if (count === 0) await wakeUps.pause(pollMs, signal)
    }
  }

  async function change(...given: Parameters<SubscriptionStore['change']>): Promise<boolean> {
    const count = await store.change(...given)
    wakeUps.wake()
    return count > 0
  }

  async function insert({ id = newId(), ...target }: NewSubscription, isDeclared: boolean) {
    if (!/^[\w.-]{1,128}$/.test(id)) throw invalid('id', 'Must have 1 to 128 letters, digits, and _ . -')
    const isInserted = await store.insert({ ...target, id, isDeclared })
    wakeUps.wake()
    return isInserted ? await store.get(id) : undefined
  }

  async function declareOne(one: DeclaredSubscription): Promise<void> {
    const { id, service, endpoint, parameters, credential } = one
    await check(one)
    const stored = await store.get(id)
    if (stored === undefined) await insert(one, true)
    else if (stored.service !== service || stored.endpoint !== endpoint)
      throw invalid('id', `${id} was the subscription of another address: choose another id`)
    else if (stored.isRemoving || !equals(stored, one))
      await change({ id }, { isRemoving: false, target: { parameters, credential } })
  }

  async function declare(subscriptions: readonly DeclaredSubscription[]): Promise<void> {
    const results: PromiseSettledResult<void>[] = []
    for (const one of subscriptions) results.push(...(await Promise.allSettled([declareOne(one)])))
    const given = new Set(subscriptions.map(({ id }) => id))
    const declared = await store.list({ isDeclared: true, limit: 10_000 })
    for (const { id, isRemoving } of declared)
      if (!given.has(id) && !isRemoving) await change({ id }, { isRemoving: true })
    const failed = results.find((one) => one.status === 'rejected')
    if (failed) throw failed.reason
  }

  return {
    async add(subscription) {
      await check(subscription)
      const added = await insert(subscription, false)
      if (added === undefined) throw new SallyportError('CONFLICT', 'The id of the subscription is in use')
      return added
    },
    get: (id) => store.get(id),
    list: (query) => store.list(query),
    count: (filter) => store.count(filter),
    renew: (id) => change({ id }),
    remove: (id) => change({ id }, { isRemoving: true }),

    declare,

    async renewOf(service, endpoint) {
      const found = await listBeside(service, endpoint)
      for (const { id } of found) await change({ id })
    },

    async removeOf(endpoint, waitMs = 5000) {
      if (!(await change({ endpoint }, { isRemoving: true }))) return
      const { signal } = stopping
      const removing = (async () => {
        while ((await processDue(signal, endpoint)) > 0);
      })()
      await waitAtMost(
        waitMs,
        removing.catch((error: unknown) => {
          callHook(onError, error)
        }),
      )
    },

    start() {
      if (running !== undefined) return
      stopping = new AbortController()
      running = run(stopping)
    },
    async stop() {
      stopping.abort()
      await running
      running = undefined
    },
  }
}

/** @throws SallyportError `VALIDATION_ERROR` (400) for parameters that the service does not accept */
function readParameters(service: SubscriptionService, parameters: unknown): unknown {
  const result = service.parameters['~standard'].validate(parameters)
  if (result instanceof Promise) throw new TypeError(`The parameters of ${service.name} are validated later`)
  if (!result.issues) return result.value
  const [issue] = result.issues
  const path = (issue?.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part))
  throw invalid(['parameters', ...path].join('.'), issue?.message ?? 'Cannot be used')
}

const invalid = (field: string, message: string): SallyportError =>
  new SallyportError('VALIDATION_ERROR', `The ${field} of the subscription is not valid: ${message}`, {
    details: [{ code: 'INVALID_VALUE', field, in: 'body', message }],
  })

const equals = (stored: SubscriptionRecord, { parameters, credential }: NewSubscription): boolean =>
  JSON.stringify([stored.parameters, stored.credential]) === JSON.stringify([parameters, credential])
