import { getClientNetwork } from '@sallyport/internal/client-address'
import { codedResponse, isSallyportError } from '@sallyport/errors'
import { withDeadline } from '@sallyport/internal/deadline'
import { callHook } from '@sallyport/internal/promises'
import { withoutMessage } from '@sallyport/internal/describe-failure'
import { memoryFailureLimiter } from './failure-limiter.ts'
import type { EndpointSource, FailureLimiter, GatewayEndpoint } from '../ports/ports.ts'
import type { TraceContext } from '../ports/trace-context.ts'
import type { AnyProvider, HandshakeAnswer } from '../provider/provider.ts'
import type { SecretKeeper } from '../secrets/secret-keeper.ts'
import { matchesAny } from '../schemes/credentials.ts'
import { accept } from './accept.ts'
import { checkBodyLimits, createBodyBudget, type BodyLimits } from './body-budget.ts'
import type {
  DeliverySpan,
  DeliveryTracer,
  Gateway,
  GatewayRequest,
  GatewayResponse,
  Observation,
  Outcome,
  UnprocessedRequest,
} from './gateway-contract.ts'
import { endpointTimeoutMs, findEndpoint } from './find-endpoint.ts'
import { withProviderDeadline } from './provider-deadline.ts'
import { hasQueryBody, readQueryBody } from '../provider/query-body.ts'
import type { Recorder } from './recorder.ts'
import {
  endpointDisabled,
  endpointRateLimited,
  endpointsUnavailable,
  invalidSignature,
  methodNotAllowed,
  payloadTooLarge,
  rateLimited,
  unknownEndpoint,
  unknownProvider,
  unsupportedEncoding,
} from '../ports/refusals.ts'
import type { Registry } from '../provider/registry.ts'
import { answerHandshake, createDelivery, verify } from '../provider/verify.ts'

/** Options of every gateway. */
export interface PipelineOptions {
  readonly providers: Iterable<AnyProvider>
  /** @default 20 failures a minute, counted in this process */
  readonly limiter?: FailureLimiter
  /** Endpoints with separate secrets, at `/webhooks/<provider>/<endpoint>`. @default none */
  readonly endpoints?: EndpointSource | undefined
  /**
   * Limits the verified deliveries of each endpoint, which is the `address` of the limiter, so that one endpoint cannot use the
   * capacity of all.
   *
   * @default 6,000 deliveries a minute, counted in this process
   */
  readonly endpointLimiter?: FailureLimiter
  /** The response to a delivery for a disabled endpoint. @default 410 */
  readonly disabledEndpointStatus?: 404 | 410
  /** Accepts correctly signed deliveries from a blocked address. @default false */
  readonly allowVerified?: boolean
  readonly limits?: BodyLimits
  /**
   * The names of providers whose signature does not cover the whole body (their `trust` is `partial`, `origin` or `none`)
   * and whose deliveries are accepted nevertheless.
   *
   * @default []
   */
  readonly allowUnsigned?: readonly string[]
  /** Called after each request is answered. */
  readonly observe?: (observation: Observation) => unknown
  /** Traces requests and their events. @default no tracing */
  readonly tracer?: DeliveryTracer
  /**
   * Called with each ignored delivery and each delivery whose signature is not valid, before the answer. The function must not
   * wait: see `createUnprocessedKeeper` of `@sallyport/webhooks/unprocessed`. @default none
   */
  readonly onUnprocessed?: ((request: UnprocessedRequest) => unknown) | undefined
  /** Called when the limiter fails. The gateway blocks no address then: the signature keeps forged deliveries out. */
  readonly onLimiterError?: (error: unknown) => unknown
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/** The replaceable parts of a gateway. The factories import them, so that a bundle contains only the chosen parts. */
export interface PipelineParts {
  readonly registry: Registry
  /** The secrets of the addresses without an endpoint. */
  readonly secrets: Pick<SecretKeeper, 'getSecrets'> | undefined
  readonly record: Recorder
  readonly newId: () => string
}

/** The part of an observation that the pipeline collects. */
type ObservationDraft = Mutable<
  Pick<Observation, 'endpoint' | 'outcome' | 'code' | 'reason' | 'error' | 'deliveryId' | 'kind' | 'narrowed'>
>
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

/** The gateway asks a shared limiter for each delivery. */
const limiterTimeoutMs = 1000

/** The default number of verified deliveries of an endpoint in a minute. */
const endpointDeliveries = 6000

/** The codes of an incomplete body: the sender was too slow, or disconnected. */
const incompleteBodyCodes: ReadonlySet<string> = new Set(['REQUEST_TIMEOUT', 'BAD_REQUEST'])

/**
 * Creates the pipeline of a gateway. A delivery passes through these types: `GatewayRequest`, `Delivery`,
 * `VerifiedDelivery`, `NormalizedDelivery`, `RecordedDelivery`, `GatewayResponse`.
 */
export function createPipeline(options: PipelineOptions, parts: PipelineParts): Gateway {
  const {
    limiter = memoryFailureLimiter(),
    allowVerified,
    endpoints,
    onUnprocessed,
    now = Date.now,
  } = options
  const { endpointLimiter = memoryFailureLimiter({ failures: endpointDeliveries }) } = options
  const { registry, secrets, record, newId } = parts
  const limits = checkBodyLimits(options.limits)
  const openSink = createBodyBudget(limits)

  async function deliver(
    request: GatewayRequest,
    draft: ObservationDraft,
    trace?: TraceContext,
  ): Promise<GatewayResponse> {
    const { method, headers, url, alternativeUrls, address } = request

    // 1. Limit. The failures of an address count per endpoint, because the customers of a service share its addresses.
    const isNamed = request.endpoint !== undefined
    if (!allowVerified && !isNamed) await askLimiter('check', address)

    // 2. Find the provider, the endpoint and the secrets, before the body takes memory.
    const provider = registry.get(request.provider)
    if (provider === undefined) throw unknownProvider()
    const { name, handshake, methods = ['POST'] } = provider
    const isDelivery = methods.some((one) => one === method)
    const allowed = [...new Set([...methods, ...(handshake?.methods ?? []), 'OPTIONS'])]
    const describeMethods = () => ({ status: 204, headers: { allow: allowed.join(', ') }, body: '' })
    if (method === 'OPTIONS' && !handshake?.methods.includes('OPTIONS')) return describeMethods()
    if (!allowed.includes(method)) throw methodNotAllowed(allowed)
    const encoding = headers.get('content-encoding')?.toLowerCase() || 'identity'
    if (encoding !== 'identity' && !provider.contentEncodings?.includes(encoding)) throw unsupportedEncoding()
    const endpoint = isNamed ? await findEndpoint(endpoints, name, request.endpoint) : undefined
    if (endpoint) draft.endpoint = endpoint.id
    const client = endpoint ? getEndpointClient(endpoint, address) : address
    if (endpoint) {
      if (endpoint.status === 'disabled') throw disabled()
      if (!allowVerified) await askLimiter('check', client)
      await limitEndpoint('check', endpoint)
    }
    const secretValues = endpoint ? endpoint.secrets : await getSecrets(name)

    // 3. Read the body.
    const limit = provider.bodyLimit ?? limits.bodyBytes
    if (Number(headers.get('content-length')) > limit) throw payloadTooLarge(limit)
    // An endpoint has a share of the budget, whatever the number of its addresses.
    const sink = openSink(limit, endpoint ? endpoint.id : address && getClientNetwork(address))
    // The provider's own code that uses the body.
    let providerWork: unknown
    try {
      try {
        await request.readBody(sink)
      } catch (error) {
        // A sender could otherwise hold memory with incomplete bodies without a limit.
        if (isSallyportError(error) && incompleteBodyCodes.has(error.code)) await askLimiter('fail', client)
        throw error
      }
      const body = hasQueryBody(provider, method)
        ? readQueryBody(url ?? `?${request.query?.toString() ?? ''}`)
        : sink.bytes()
      const delivery = createDelivery({ method, headers, body, url, alternativeUrls }, endpoint)
      const receivedAt = request.receivedAt ?? now()
      // For `onUnprocessed`.
      const kept = {
        provider,
        endpoint: endpoint?.id,
        method,
        headers,
        body,
        url,
        alternativeUrls,
        address,
        receivedAt,
      }
      // Parallel requests of the address may have failed while this body arrived.
      if (!allowVerified) await askLimiter('check', client)

      // 4. Answer a handshake.
      if (handshake) {
        const answering = answerHandshake(
          handshake,
          provider,
          delivery,
          secretValues,
          receivedAt,
          request.query,
        )
        const challenge = await withProviderDeadline((providerWork = answering)).catch(
          async (error: unknown) => {
            // The message of an unknown error may quote the request or a secret.
            const safe: Error & { status?: number } = isSallyportError(error) ? error : withoutMessage(error)
            // A 503 is a fault of the server. Any other error counts: a sender could otherwise repeat it without a limit.
            if (safe.status !== 503) await askLimiter('fail', client)
            throw safe
          },
        )
        if (challenge === undefined && method === 'OPTIONS') return describeMethods()
        if (challenge ? challenge.signed : !isDelivery) await askLimiter('fail', client)
        if (challenge && endpoint) await establishSecret(endpoint, challenge, client)
        if (challenge) return respondToChallenge(draft, challenge)
        if (!isDelivery) throw methodNotAllowed(allowed)
      }

      // 5. Verify.
      const verification = await withProviderDeadline(
        (providerWork = verify(provider, delivery, secretValues, receivedAt)),
      )
      // eslint-disable-next-line @typescript-eslint/no-unnecessary-boolean-literal-compare -- in JavaScript, a truthy value such as a promise must not pass
      if (verification.verified !== true) {
        draft.reason = verification.reason
        if (verification.error) draft.error = withoutMessage(verification.error)
        await askLimiter('fail', client)
        callHook(onUnprocessed, {
          ...kept,
          id: newId(),
          outcome: 'refused',
          reason: draft.reason,
          status: 401,
        })
        throw invalidSignature()
      }

      if (endpoint) await limitEndpoint('fail', endpoint)

      // 6. Parse and normalize. 7. Record. 8. The recorder passes new events to the dispatcher.
      const { body: verifiedBody, headers: verifiedHeaders = headers } = verification
      const id = (draft.deliveryId = newId())
      const { outcome, events } = await accept(
        {
          ...{ id, provider, endpoint, headers: verifiedHeaders, query: request.query },
          ...{ body: verifiedBody, receivedAt, trace },
        },
        record,
        draft,
        (work) => {
          providerWork = work
        },
      )
      if (outcome === 'ignored') {
        // An ignored delivery is not recorded.
        delete draft.deliveryId
        callHook(onUnprocessed, {
          ...kept,
          id,
          headers: verifiedHeaders,
          outcome: 'ignored',
          kind: draft.kind,
          body: verifiedBody,
          status: provider.answer?.status ?? 200,
        })
      }
      return respond(draft, provider, outcome, events)
    } finally {
      // Provider code that has passed its deadline still holds the body in memory.
      void Promise.resolve(providerWork).then(sink.release, sink.release)
    }
  }

  /**
   * Checks an address, or counts a failure, which throws when parallel failures exceed the limit. A limiter that fails
   * blocks no address: the signature still protects the gateway.
   *
   * @throws SallyportError `RATE_LIMITED` (429)
   */
  async function askLimiter(method: 'check' | 'fail', address: string | undefined): Promise<void> {
    if (address === undefined) return
    const blockedMs = await getBlockedMs(limiter, method, address)
    if (blockedMs > 0) throw rateLimited(blockedMs)
  }

  /** @throws SallyportError `RATE_LIMITED` (429) */
  async function limitEndpoint(method: 'check' | 'fail', { id }: GatewayEndpoint): Promise<void> {
    const blockedMs = await getBlockedMs(endpointLimiter, method, id)
    if (blockedMs > 0) throw endpointRateLimited(blockedMs)
  }

  async function getBlockedMs(by: FailureLimiter, method: 'check' | 'fail', key: string): Promise<number> {
    try {
      return await withDeadline(limiterTimeoutMs, by[method](key))
    } catch (error) {
      callHook(options.onLimiterError, error)
      return 0
    }
  }

  /**
   * Stores the secret of a handshake before the answer: the service does not send the secret again.
   *
   * @throws SallyportError `INVALID_SIGNATURE` (401) when the endpoint does not wait for a handshake or has other secrets,
   *   `PROVIDER_UNAVAILABLE` (503) while the endpoints are unavailable
   */
  async function establishSecret(
    { id, secrets }: GatewayEndpoint,
    { establishes: secret }: HandshakeAnswer,
    client: string | undefined,
  ): Promise<void> {
    if (secret === undefined || endpoints?.establishSecret === undefined) return
    let isEstablished: boolean
    try {
      // Challenges for an endpoint with a secret cost no write.
      isEstablished =
        secrets.length > 0
          ? await matchesAny(secret, secrets)
          : await withDeadline(endpointTimeoutMs, endpoints.establishSecret(id, secret))
    } catch (error) {
      throw isSallyportError(error) ? error : endpointsUnavailable(error)
    }
    if (isEstablished) return
    await askLimiter('fail', client)
    throw invalidSignature()
  }

  const disabled = () => (options.disabledEndpointStatus === 404 ? unknownEndpoint() : endpointDisabled())

  /** @throws SallyportError `UNKNOWN_ENDPOINT` (404) in a gateway with endpoints only */
  function getSecrets(provider: string): readonly string[] | Promise<readonly string[]> {
    if (secrets === undefined) throw unknownEndpoint()
    return secrets.getSecrets(provider)
  }

  /** Answers a request and reports it to the observer and the span. */
  async function handle(request: GatewayRequest, span?: DeliverySpan): Promise<GatewayResponse> {
    const startedAt = now()
    const { requestId, address } = request
    const draft: ObservationDraft = { outcome: 'refused' }
    let response: GatewayResponse
    try {
      response = await deliver(request, draft, span?.trace)
    } catch (error) {
      response = respondWithError(draft, error)
    }
    const observation: Observation = {
      ...draft,
      // The path of an unknown provider must not reach logs and metrics.
      provider: registry.get(request.provider)?.name ?? 'unknown',
      status: response.status,
      requestId,
      address,
      durationMs: now() - startedAt,
    }
    callHook(options.observe, observation)
    callHook(request.observe, observation)
    callHook((result: Observation) => span?.end(result), observation)
    return response
  }

  return {
    providers: registry.names,
    hasEndpoints: endpoints !== undefined,
    handle(request) {
      let span: DeliverySpan | undefined
      try {
        span = options.tracer?.start(request)
      } catch {
        // The gateway continues without a trace.
      }
      if (span === undefined) return handle(request)
      return new Promise((resolve) => {
        resolve(span.run(() => handle(request, span)))
      })
    },
  }
}

/** Returns the client for the failure limiter: the network of an address at one endpoint. The text is not an IP address. */
const getEndpointClient = ({ id }: GatewayEndpoint, address: string | undefined): string | undefined =>
  address === undefined ? undefined : `${id}/${getClientNetwork(address).replaceAll(':', '-')}`

const jsonType = 'application/json; charset=utf-8'

/** Creates the response to a verified delivery. */
function respond(
  draft: ObservationDraft,
  { answer }: Pick<AnyProvider, 'answer'>,
  outcome: Outcome,
  events: readonly unknown[] = [],
): GatewayResponse {
  draft.outcome = outcome
  if (answer) {
    const { status, body = '', contentType = 'text/plain; charset=utf-8' } = answer
    const headers = body === '' ? {} : { 'content-type': contentType }
    return { status, headers: { ...headers, 'sallyport-status': outcome }, body }
  }
  const body = JSON.stringify({ data: { status: outcome, events } })
  return { status: 200, headers: { 'content-type': jsonType }, body }
}

/** Creates the response to a handshake. */
function respondToChallenge(
  draft: ObservationDraft,
  { status = 200, contentType, headers, body }: HandshakeAnswer,
): GatewayResponse {
  draft.outcome = 'handshake'
  const own = {
    'content-type': `${contentType}; charset=utf-8`,
    'x-content-type-options': 'nosniff',
  }
  return { status, headers: { ...headers, ...own }, body }
}

/** Creates the error envelope. */
function respondWithError(draft: ObservationDraft, error: unknown): GatewayResponse {
  const { status, headers, body } = codedResponse(error)
  draft.code = body.error.code
  if (status >= 500) draft.error = isSallyportError(error) ? (error.cause ?? error) : error
  return { status, headers: { ...headers, 'content-type': jsonType }, body: JSON.stringify(body) }
}
