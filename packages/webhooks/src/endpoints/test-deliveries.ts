import type { TestSamples } from '../provider/catalogue.ts'
import { SallyportError, type ErrorEnvelope } from '@sallyport/errors'
import type { Gateway, GatewayResponse, Observation } from '../gateway/gateway-contract.ts'
import type { EndpointSource, GatewayEndpoint, MaybePromise } from '../ports/ports.ts'
import type { AnyProvider } from '../provider/provider.ts'
import { signDelivery, type SignedDelivery } from '../schemes/sign-delivery.ts'

export interface TestDeliverySenderOptions {
  /** The endpoints of the gateway. */
  readonly endpoints: Pick<EndpointSource, 'find'>
  readonly gateway: Pick<Gateway, 'handle'>
  /** The providers of the gateway. */
  readonly providers: readonly AnyProvider[]
  /** Loads the samples of a provider by its name; undefined without samples. */
  readonly loadSamples: (provider: string) => MaybePromise<TestSamples | undefined>
  /** The public address before `/{provider}/{endpoint}`, for schemes that sign the address. @default 'https://localhost/webhooks' */
  readonly gatewayUrl?: string | undefined
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/** The response of the gateway to a test delivery. */
interface TestDeliveryResult {
  readonly outcome: Observation['outcome']
  /** The HTTP status. */
  readonly status: number
  /** The id of the delivery in the inbox, if it is recorded. */
  readonly deliveryId?: string
  /** The reason of a quarantine, or the kind of an ignored delivery. */
  readonly reason?: string
  /** The error of a refusal. */
  readonly error?: { readonly code: string; readonly message: string }
}

/** Sends a test delivery of a kind to an endpoint, and resolves to undefined for an unknown endpoint. */
export type TestDeliverySender = (
  endpointId: string,
  kind: string,
  context?: { readonly requestId?: string },
) => Promise<TestDeliveryResult | undefined>

/**
 * Creates a function that signs a new sample of the provider with the newest secret of an endpoint, and passes the sample
 * through the gateway like a delivery of the service. An accepted sample is published.
 *
 * The function throws a SallyportError `VALIDATION_ERROR` (400) for a kind without a sample, and `CONFLICT` (409) for an
 * endpoint without a secret, for a provider that is not registered, and for a service whose private key only the service
 * has.
 */
export function createTestDeliverySender({
  endpoints,
  gateway,
  providers,
  loadSamples,
  gatewayUrl = 'https://localhost/webhooks',
  now = Date.now,
}: TestDeliverySenderOptions): TestDeliverySender {
  return async (endpointId, kind, { requestId } = {}) => {
    const endpoint = await endpoints.find(endpointId)
    if (endpoint === undefined) return undefined
    const provider = findProvider(providers, endpoint)
    const samples = await loadSamples(provider.name)
    if (!samples?.kinds.includes(kind)) throw unknownKind(provider, samples?.kinds ?? [])

    const address = `${gatewayUrl}/${provider.name}/${endpointId}`
    const { headers, body, url } = await signSample(provider, endpoint, samples, { kind, url: address, now })
    let observation: Observation | undefined
    const response = await gateway.handle({
      method: 'POST',
      ...{ provider: provider.name, endpoint: endpointId, headers, url, requestId },
      observe: (observed) => {
        observation = observed
      },
      readBody: (sink) => {
        sink.push(body)
        return Promise.resolve()
      },
    })
    if (observation === undefined) throw new TypeError('The gateway does not report the result of a request')
    return toResult(response, observation)
  }
}

/** @throws SallyportError `CONFLICT` (409) */
function findProvider(providers: readonly AnyProvider[], { provider }: GatewayEndpoint): AnyProvider {
  const found = providers.find(({ name }) => name === provider)
  if (found === undefined) throw new SallyportError('CONFLICT', `The provider ${provider} is not registered`)
  return found
}

/** @throws SallyportError `CONFLICT` (409) without a secret that signs */
async function signSample(
  { name, signature }: AnyProvider,
  { secrets: [secret] }: GatewayEndpoint,
  samples: TestSamples,
  { kind, url, now }: { readonly kind: string; readonly url: string; readonly now: () => number },
) {
  if (secret === undefined)
    throw new SallyportError('CONFLICT', 'The endpoint has no secret: add a secret, or wait for the service')
  const sample = samples.sample(kind, { fresh: true, now })
  const text = typeof sample.body === 'string' ? sample.body : JSON.stringify(sample.body)
  const headers = new Headers(sample.headers)
  const delivery = { method: 'POST', headers, body: new TextEncoder().encode(text), url }
  let signed: SignedDelivery
  try {
    signed = await signDelivery(signature, delivery, secret, now())
    for (const [header, value] of Object.entries(signed.headers)) headers.set(header, value)
    const checked = await signature.verify({ ...delivery, ...signed, headers }, [secret], now())
    if (!checked.verified) throw new TypeError('The secret verifies only')
  } catch {
    // The error is dropped because it may quote the secret.
    throw new SallyportError(
      'CONFLICT',
      `Only the service can sign deliveries of ${name}: send a test from the settings of the service`,
    )
  }
  return { headers, body: signed.body, url: signed.url ?? url }
}

function toResult(response: GatewayResponse, observation: Observation): TestDeliveryResult {
  const { outcome, code, deliveryId, reason = observation.kind } = observation
  const isRecorded = outcome === 'accepted' || outcome === 'quarantined'
  return {
    outcome,
    status: response.status,
    ...(isRecorded && deliveryId !== undefined && { deliveryId }),
    ...(outcome !== 'accepted' && reason !== undefined && { reason }),
    ...(code !== undefined && {
      error: { code, message: (JSON.parse(response.body) as ErrorEnvelope).error.message },
    }),
  }
}

function unknownKind({ name }: AnyProvider, kinds: readonly string[]): SallyportError {
  const message =
    kinds.length === 0 ? `There are no samples of ${name}` : `Must be one of ${kinds.join(', ')}`
  return new SallyportError('VALIDATION_ERROR', 'The request is not valid', {
    details: [{ code: 'NOT_ONE_OF', field: 'kind', in: 'body', message }],
  })
}
