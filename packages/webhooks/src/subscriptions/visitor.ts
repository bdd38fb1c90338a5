import { CodedError } from '@sallyport/errors'
import { runWithTimeout } from '@sallyport/internal/deadline'
import { toCode } from '@sallyport/internal/last-outcome'
import { callHook } from '@sallyport/internal/promises'
import { planRetry } from './failures.ts'
import { listBeside } from './list-beside.ts'
import type { SubscriptionsOptions } from './options.ts'
import { readParameters } from './parameters.ts'
import { getProvider, type SubscriptionContext, type SubscriptionService } from './service.ts'
import type { SubscriptionProgress, SubscriptionRecord, SubscriptionStore } from './store.ts'
import { keepSubscription, removeSubscription, type SubscriptionAction, type Visit } from './visit.ts'

/** An address that services send to. */
export interface SubscribedAddress {
  readonly url: string
  /** Whether it is the address of a provider, or of an endpoint of the provider that exists. */
  readonly isKnown: boolean
  /** Newest first. */
  readonly secrets: readonly string[]
  /** Stores a secret that the service created. @default the address stores none */
  readonly storeSecret?: ((secret: string) => Promise<void>) | undefined
  /** Whether the address has as many secrets as it can have. @default false */
  readonly isFull?: boolean | undefined
  /** Lets the address answer a handshake with a secret for some time. @default the provider has no such handshake */
  readonly startHandshake?: (() => Promise<unknown>) | undefined
}

export interface SubscriptionParts extends SubscriptionsOptions {
  readonly store: SubscriptionStore
  /** Returns the address of an endpoint, or that of a provider. */
  readonly findAddress: (provider: string, endpoint: string | undefined) => Promise<SubscribedAddress>
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

interface VisitControl extends Pick<Visit, 'onLost'> {
  readonly signal: AbortSignal
}

/** Visits a claimed subscription, and stores the result. The signal ends the visit, and another process continues. */
type Visitor = (record: SubscriptionRecord, token: string, stop: AbortSignal) => Promise<void>

/** A visit ends before its lease. */
const visitMs = 120_000
/** After so many failures, a subscription stays at the service, and its record is deleted a week later. */
export const removalAttempts = 12
const keptMs = 7 * 86_400_000
/** A clock that differs by more than a lifetime would renew without a pause. */
const minRenewalMs = 60_000

/** Creates the function that visits subscriptions of the given services. */
export function createVisitor(
  parts: SubscriptionParts,
  services: ReadonlyMap<string, SubscriptionService>,
  checkMs: number,
): Visitor {
  const { store, findAddress, hash, credentials, onAction, now = Date.now } = parts
  // eslint-disable-next-line no-restricted-properties -- the default of an option
  const { random = Math.random } = parts
  const { fetch = globalThis.fetch } = parts

  async function openVisit(
    { record, service }: Pick<Visit, 'record' | 'service'>,
    { url, secrets, storeSecret, startHandshake, isFull = false }: SubscribedAddress,
    { signal, onLost }: VisitControl,
  ): Promise<Visit> {
    const { id, endpoint, parameters, credential } = record
    const request = { id, service: service.name, endpoint, parameters, credential }
    const context: SubscriptionContext = {
      parameters: readParameters(service, parameters),
      ...{ address: url, secrets, fetch, now, signal },
      token: ({ isRefused }) => credentials({ ...request, isRefused }),
    }
    const sent = service.secret === 'endpoint' ? secrets : []
    const beside = await listBeside(store, service.name, endpoint)
    return {
      ...{ service, record, context, random },
      taken: beside.flatMap((one) => (one.id === id ? [] : (one.progress.registration?.id ?? []))),
      fingerprint: hash(JSON.stringify([url, sent, parameters])),
      storeSecret: async (created) => {
        if (storeSecret === undefined) throw new CodedError(409, 'NO_SECRET', 'The address stores no secret')
        await storeSecret(created)
      },
      ...{ startHandshake, isFull },
      onLost,
      onAction: (action) => {
        callHook(onAction, record, action)
      },
    }
  }

  /** Returns the progress of a subscription, or undefined when it is removed. */
  async function visit(
    record: SubscriptionRecord,
    control: VisitControl,
  ): Promise<SubscriptionProgress | undefined> {
    const service = services.get(record.service)
    if (service === undefined)
      throw new CodedError(500, 'UNKNOWN_SERVICE', 'The service has no subscriptions')
    const address = await findAddress(getProvider(service), record.endpoint)
    const opened = await openVisit({ record, service }, address, control)
    // An endpoint can be deleted in the database without its subscriptions.
    if (record.isRemoving || !address.isKnown) {
      await removeSubscription(opened)
      return undefined
    }
    if (service.secret === 'endpoint' && address.secrets.length === 0)
      throw new CodedError(409, 'NO_SECRET', 'The endpoint has no secret')
    return await keepSubscription(opened)
  }

  async function fail(record: SubscriptionRecord, token: string, error: unknown): Promise<void> {
    const { progress, isRemoving, revision } = record
    // A request of an operator begins the attempts again.
    const failures = (isRemoving && progress.revision !== revision ? 0 : progress.failures) + 1
    const isGivenUp = isRemoving && failures >= removalAttempts
    const dueMs = isGivenUp ? keptMs : planRetry(failures, error, random)
    const failed = { ...progress, failures, error: toCode(error) }
    await store.save(record, token, isRemoving ? { ...failed, revision } : failed, dueMs)
  }

  /** A renewal waits for no check, and a short lifetime has more checks. */
  function untilNext(renewAt: number | undefined): number {
    const check = checkMs * (1 - random() / 10)
    if (renewAt === undefined) return Math.round(check)
    return Math.round(Math.max(Math.min(check, minRenewalMs), Math.min(check, renewAt - now())))
  }

  return async (record, token, stop) => {
    const { progress, isRemoving, revision } = record
    if (isRemoving && progress.failures >= removalAttempts && progress.revision === revision) {
      await store.delete(record, token)
      return
    }
    let present = progress
    const onLost = () => {
      present = { ...progress, registration: undefined, renewAt: undefined }
    }
    try {
      const next = await runWithTimeout(visitMs, (timeout) =>
        visit(record, { signal: AbortSignal.any([timeout, stop]), onLost }),
      )
      if (next === undefined) await store.delete(record, token)
      else await store.save(record, token, next, untilNext(next.renewAt))
    } catch (error) {
      // Another process continues at once.
      if (stop.aborted) await store.save(record, token, present, 0)
      else await fail({ ...record, progress: present }, token, error)
    }
  }
}
