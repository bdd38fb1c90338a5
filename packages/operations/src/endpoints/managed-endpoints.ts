import { SallyportError } from '@sallyport/errors'
import { requireFound, type AnyRouteResult, type ApiContext } from '@sallyport/rest'
import type { AnyProvider } from '@sallyport/webhooks'
import type { EndpointOperations, WebhookOperations } from '@sallyport/webhooks/node'
import type { Endpoint, Endpoints, SaveOptions, TestDeliverySender } from '@sallyport/webhooks/endpoints'
import { createFindSummaries, type FindSummaries } from '../subscriptions/find-summaries.ts'
import type { LoadCatalogue } from '../catalogue/routes.ts'

/** The endpoints that the routes of endpoints manage. */
export interface ManagedEndpoints extends Pick<EndpointOperations, 'endpoints' | 'cipher'> {
  /** The address before `/{provider}/{endpoint}`. */
  readonly gatewayUrl: string
  /** The providers of the gateway. */
  readonly providers: readonly AnyProvider[]
  /**
   * Returns the store of idempotent responses for a transaction of the endpoint store, so that a crash leaves no endpoint
   * whose response, the only one with its secret, is lost.
   *
   * @default the endpoint and the response are stored separately
   */
  readonly idempotency?: WebhookOperations['idempotency']
  readonly findSubscriptions: FindSummaries
  /** @default no route for test deliveries */
  readonly sendTestDelivery?: TestDeliverySender | undefined
}

export const defaultGatewayUrl = '/webhooks'

type WebhookParts = Pick<WebhookOperations, 'providers' | 'idempotency' | 'gatewayUrl' | 'subscriptions'>

/** Test deliveries need samples, which are a part of the catalogue. */
export function toManagedEndpoints(
  { providers = [], idempotency, gatewayUrl = defaultGatewayUrl, subscriptions }: WebhookParts,
  { createTestSender, ...managed }: EndpointOperations,
  loadCatalogue: LoadCatalogue | undefined,
): ManagedEndpoints {
  const loadSamples = async (name: string) => {
    const entries = (await loadCatalogue?.()) ?? []
    return await entries.find(({ provider }) => provider.name === name)?.loadSamples?.()
  }
  return {
    ...managed,
    ...{ gatewayUrl, providers, idempotency, findSubscriptions: createFindSummaries(subscriptions) },
    sendTestDelivery: loadCatalogue && createTestSender?.(loadSamples),
  }
}

export const unknownEndpoint = 'The endpoint or the secret does not exist'

/**
 * Runs a change whose response is stored for an `Idempotency-Key` in the transaction of the change.
 *
 * @returns the response
 */
export async function changeWithResult<Saved, Result extends AnyRouteResult>(
  { idempotency }: Pick<ManagedEndpoints, 'idempotency'>,
  { saveResult }: ApiContext,
  toResult: (saved: Saved) => Result,
  change: (save: SaveOptions<Saved>) => Promise<Saved>,
): Promise<{ readonly saved: Saved; readonly result: Result }> {
  let result: Result | undefined
  const save =
    saveResult &&
    idempotency &&
    ((saved: Saved, transaction: unknown) =>
      saveResult((result = toResult(saved)), idempotency(transaction as never)))
  const saved = await change({ save })
  return { saved, result: result ?? toResult(saved) }
}

/** Returns an endpoint. @throws SallyportError 404 `NOT_FOUND` */
export async function requireEndpoint(endpoints: Pick<Endpoints, 'get'>, id: string): Promise<Endpoint> {
  return requireFound(await endpoints.get(id), unknownEndpoint)
}

/** Returns the provider of an endpoint. @throws SallyportError 409 `CONFLICT` for a provider without registration */
export function requireProvider(providers: readonly AnyProvider[], { provider }: Endpoint): AnyProvider {
  const found = providers.find(({ name }) => name === provider)
  if (found === undefined)
    throw new SallyportError('CONFLICT', `The provider ${provider} is not registered at the server`)
  return found
}
