import { createHmac, randomBytes } from 'node:crypto'
import { oneRowEach, type FanOut } from '../destinations/fan-out.ts'
import { deriveKeys } from '../endpoints/derive-keys.ts'
import type { Endpoint, Endpoints } from '../endpoints/contract.ts'
import { maxSecrets } from '../endpoints/endpoints.ts'
import type { EndpointSource } from '../ports/ports.ts'
import type { SubscriptionsOptions } from '../subscriptions/options.ts'
import { getProvider } from '../subscriptions/service.ts'
import { createSubscriptions, type SubscriptionLoop } from '../subscriptions/subscriptions.ts'
import type { SubscribedAddress } from '../subscriptions/visitor.ts'
import type { Addresses } from './addresses.ts'
import type { Core } from './core.ts'
import { isManaged } from './endpoints.ts'
import type { ReportError } from './report.ts'

/**
 * Opens the subscriptions; undefined without options.
 *
 * @throws TypeError without a store, and without `publicUrl`, which services send to
 */
export function openSubscriptions(
  options: SubscriptionsOptions | undefined,
  core: Core,
  addresses: Addresses,
): SubscriptionLoop | undefined {
  if (options === undefined) return undefined
  const { database, ring, audit, onError } = core
  if (database.subscriptions === undefined) throw new TypeError('The database has no store of subscriptions')
  if (core.place.publicUrl === undefined) throw new TypeError('subscriptions needs publicUrl')
  const [key = new Uint8Array()] = deriveKeys(ring.keys, 'subscriptions')
  return createSubscriptions({
    ...options,
    store: database.subscriptions(),
    findAddress: createFindAddress(core, addresses),
    hash: (text) => createHmac('sha256', key).update(text).digest('base64url'),
    onError: (error) => onError(error, 'subscriptions'),
    onAction: ({ id, service, endpoint }, action) =>
      audit
        ?.record({
          actor: { id: 'subscriptions', name: service },
          action: `subscription.${action}`,
          target: id,
          detail: { service, ...(endpoint !== undefined && { endpoint }) },
        })
        .catch((error: unknown) => onError(error, 'audit')),
  })
}

function createFindAddress({ providers, place }: Core, { secrets, endpoints }: Addresses) {
  const { basePath, publicUrl } = place
  return async (name: string, id: string | undefined): Promise<SubscribedAddress> => {
    const url = `${publicUrl ?? ''}${basePath}/${name}`
    const provider = providers.find((one) => one.name === name)
    if (id === undefined) {
      const isKnown = provider !== undefined && secrets !== undefined
      return { url, isKnown, secrets: (await secrets?.getSecrets(name)) ?? [] }
    }
    // `find` is cached: it may not yet know an endpoint that another process created.
    const managed = endpoints !== undefined && isManaged(endpoints) ? endpoints : undefined
    const [found, stored] = await Promise.all([endpoints?.find(id), managed?.get(id)])
    return {
      url: `${url}/${id}`,
      isKnown: (stored ?? found)?.provider === name,
      secrets: found?.secrets ?? [],
      ...(stored && {
        isFull: stored.secrets.length >= maxSecrets,
        storeSecret: async (secret) => {
          await managed?.addSecret(id, secret)
        },
      }),
      ...(stored &&
        managed &&
        provider?.handshake?.establishesSecret === true && {
          startHandshake: () => startHandshake(managed, stored),
        }),
    }
  }
}

/**
 * Lets an endpoint answer handshakes. The service returns the secret from the creation of the subscription, so that no handshake
 * may establish one: an endpoint with a secret stores none.
 */
async function startHandshake(endpoints: Endpoints, { id, secrets }: Endpoint): Promise<void> {
  if (secrets.length === 0) await endpoints.addSecret(id, randomBytes(32).toString('hex'))
  await endpoints.startHandshake(id, { withSecrets: true })
}

/** Removes the subscriptions of an endpoint before the endpoint, whose labels can lead to the credentials. */
export function removeWithEndpoints<Source extends EndpointSource | undefined>(
  endpoints: Source,
  loop: Pick<SubscriptionLoop, 'removeOf'> | undefined,
): Source {
  if (endpoints === undefined || loop === undefined || !isManaged(endpoints)) return endpoints
  return {
    ...endpoints,
    async delete(id: string, options?: { readonly version?: number | undefined }) {
      const endpoint = await endpoints.get(id)
      const { version = endpoint?.version } = options ?? {}
      if (endpoint?.version === version) await loop.removeOf(id)
      return await endpoints.delete(id, options)
    },
  }
}

/** A sender of many events causes few requests to the service. */
const pauseMs = 60_000
const mostPauses = 1000

/** Renews the subscriptions of an address when the service asks for it by an event. */
export function renewOnEvents(
  fanOut: FanOut | undefined,
  options: SubscriptionsOptions | undefined,
  loop: Pick<SubscriptionLoop, 'renewOf'> | undefined,
  onError: ReportError,
): FanOut | undefined {
  const services = options?.services ?? []
  const names = new Map<string, string>(
    services.flatMap((service) =>
      (service.renewOn ?? []).map((kind) => [`${getProvider(service)}/${kind}`, service.name] as const),
    ),
  )
  if (loop === undefined || names.size === 0) return fanOut
  const createRows = fanOut ?? oneRowEach
  const renewed = new Map<string, number>()
  return (records) => {
    for (const { event } of records) {
      const service = names.get(event.name)
      if (service === undefined) continue
      const { endpoint } = event.source
      const address = `${service}/${endpoint ?? ''}`
      if (performance.now() - (renewed.get(address) ?? -Infinity) < pauseMs) continue
      if (renewed.size >= mostPauses) renewed.clear()
      renewed.set(address, performance.now())
      loop.renewOf(service, endpoint).catch((error: unknown) => onError(error, 'subscriptions'))
    }
    return createRows(records)
  }
}
