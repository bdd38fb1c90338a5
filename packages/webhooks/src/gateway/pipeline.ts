import { getClientNetwork } from '@sallyport/internal/client-address'
import { codedResponse, isSallyportError } from '@sallyport/errors'
import { withDeadline } from '@sallyport/internal/deadline'
import { callHook } from '@sallyport/internal/promises'
import { describeIssues, withoutMessage } from '../internal/describe-failure.ts'
import { memoryFailureLimiter } from '../memory/failure-limiter.ts'
import type { Delivery, VerifiedDelivery } from '../ports/delivery.ts'
import type { InternalEvent } from '../ports/event.ts'
import type { FailureLimiter } from '../ports/ports.ts'
import type { TraceContext } from '../ports/trace-context.ts'
import type { AnyProvider, HandshakeAnswer } from '../provider/provider.ts'
import type { SecretKeeper } from '../secrets/secret-keeper.ts'
import { checkBodyLimits, createBodyBudget, type BodyLimits } from './body-budget.ts'
import type {
  DeliverySpan,
  DeliveryTracer,
  Gateway,
  GatewayRequest,
  GatewayResponse,
  Observation,
  Outcome,
} from './gateway-contract.ts'
import { normalize, parse, readIgnoredKind } from './normalize.ts'
import type { Recorder } from './recorder.ts'
import {
  invalidSignature,
  methodNotAllowed,
  payloadTooLarge,
  providerUnavailable,
  rateLimited,
  unknownProvider,
  unsupportedEncoding,
} from './refusals.ts'
import type { Registry } from './registry.ts'
import { answerHandshake, verify } from './verify.ts'

/** Options of every gateway. */
export interface PipelineOptions {
  readonly providers: Iterable<AnyProvider>
  /** @default 20 failures a minute, counted in this process */
  readonly limiter?: FailureLimiter
  /** Accepts correctly signed deliveries from a blocked address. @default false */
  readonly allowVerified?: boolean
  readonly limits?: BodyLimits
  /** Called after each request is answered. */
  readonly observe?: (observation: Observation) => unknown
  /** Traces requests and their events. @default no tracing */
  readonly tracer?: DeliveryTracer
  /** Called when the limiter fails. The gateway blocks no address then. */
  readonly onLimiterError?: (error: unknown) => unknown
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/** The replaceable parts of a gateway. The factories import them, so that a bundle contains only the chosen parts. */
export interface PipelineParts {
  readonly registry: Registry
  readonly secrets: Pick<SecretKeeper, 'getSecrets'>
  readonly record: Recorder
  readonly newId: () => string
}

/** The part of an observation that the pipeline collects. */
type ObservationDraft = Mutable<
  Pick<Observation, 'outcome' | 'code' | 'reason' | 'error' | 'deliveryId' | 'kind'>
>
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

/** The time limit for a provider's own code. The limit for its key lookup is shorter, and reports a more precise error. */
export const providerTimeoutMs = 10_000

/** The gateway asks a shared limiter for each delivery. */
const limiterTimeoutMs = 1000

/** The codes of an incomplete body: the sender was too slow, or disconnected. */
const incompleteBodyCodes: ReadonlySet<string> = new Set(['REQUEST_TIMEOUT', 'BAD_REQUEST'])

/**
 * Creates the pipeline of a gateway. A delivery passes through these types: `GatewayRequest`, `Delivery`,
 * `VerifiedDelivery`, `NormalizedDelivery`, `RecordedDelivery`, `GatewayResponse`.
 */
export function createPipeline(options: PipelineOptions, parts: PipelineParts): Gateway {
  const { limiter = memoryFailureLimiter(), allowVerified, now = Date.now } = options
  const { registry, secrets, record, newId } = parts
  const limits = checkBodyLimits(options.limits)
  const openSink = createBodyBudget(limits)

  async function deliver(
    request: GatewayRequest,
    draft: ObservationDraft,
    trace?: TraceContext,
  ): Promise<GatewayResponse> {
    const { method, headers, url, address } = request

    // 1. Limit.
    if (!allowVerified) await askLimiter('check', address)

    // 2. Find the provider and its secrets, before the body takes memory.
    const provider = registry.get(request.provider)
    if (provider === undefined) throw unknownProvider()
    const { name, handshake } = provider
    const allowed = [...new Set(['POST', ...(handshake?.methods ?? []), 'OPTIONS'])]
    if (method === 'OPTIONS') return { status: 204, headers: { allow: allowed.join(', ') }, body: '' }
    if (!allowed.includes(method)) throw methodNotAllowed(allowed)
    const encoding = headers.get('content-encoding')?.toLowerCase() || 'identity'
    if (encoding !== 'identity' && !provider.contentEncodings?.includes(encoding)) throw unsupportedEncoding()
    const secretValues = await secrets.getSecrets(name)

    // 3. Read the body.
    const limit = provider.bodyLimit ?? limits.bodyBytes
    if (Number(headers.get('content-length')) > limit) throw payloadTooLarge(limit)
    const sink = openSink(limit, address && getClientNetwork(address))
    // The provider's own code that uses the body.
    let providerWork: unknown
    try {
      try {
        await request.readBody(sink)
      } catch (error) {
        // A sender could otherwise hold memory with incomplete bodies without a limit.
        if (isSallyportError(error) && incompleteBodyCodes.has(error.code)) await askLimiter('fail', address)
        throw error
      }
      const delivery: Delivery = { method, headers, body: sink.bytes(), ...(url !== undefined && { url }) }
      const receivedAt = now()
      // Parallel requests of the address may have failed while this body arrived.
      if (!allowVerified) await askLimiter('check', address)

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
            if (safe.status !== 503) await askLimiter('fail', address)
            throw safe
          },
        )
        if (challenge ? challenge.signed : method !== 'POST') await askLimiter('fail', address)
        if (challenge) return respondToChallenge(draft, challenge)
        if (method !== 'POST') throw methodNotAllowed(allowed)
      }

      // 5. Verify.
      const verification = await withProviderDeadline(
        (providerWork = verify(provider, delivery, secretValues, receivedAt)),
      )
      // eslint-disable-next-line @typescript-eslint/no-unnecessary-boolean-literal-compare -- in JavaScript, a truthy value such as a promise must not pass
      if (verification.verified !== true) {
        draft.reason = verification.reason
        if (verification.error) draft.error = withoutMessage(verification.error)
        await askLimiter('fail', address)
        throw invalidSignature()
      }

      // 6. Parse and normalize.
      const { body } = verification
      const id = (draft.deliveryId = newId())
      const payload = parse(provider, body)
      let events: readonly InternalEvent[] = []
      let detail: string | undefined
      const verified: VerifiedDelivery = { payload, headers, body, receivedAt }
      try {
        events = await withDeadline(providerTimeoutMs, (providerWork = normalize(provider, verified, id)))
        if (events.length === 0) {
          const kind = readIgnoredKind(provider, verified)
          if (kind !== undefined) draft.kind = kind
          // An ignored delivery is not recorded.
          delete draft.deliveryId
          return respond(draft, 'ignored')
        }
      } catch (error) {
        // The recorder quarantines the verified delivery, or answers 503 so that the service sends it again.
        draft.reason = 'NORMALIZER_FAILED'
        draft.error = withoutMessage(error)
        detail = describeIssues(error)
      }

      // 7. Record. 8. The recorder passes new events to the dispatcher.
      const recorded = await record({
        ...verified,
        id,
        provider,
        events: trace ? events.map((event) => ({ ...event, trace })) : events,
        unreadable: draft.reason,
        detail,
      })
      if (recorded.quarantined) {
        Object.assign(draft, recorded.quarantined)
        return respond(draft, 'quarantined')
      }
      const results = events.map(({ id, name }, index) => ({
        id,
        name,
        duplicate: recorded.events[index]?.duplicate,
      }))
      const isDuplicate = results.every(({ duplicate }) => duplicate)
      return respond(draft, isDuplicate ? 'duplicate' : 'accepted', results)
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
    let blockedMs = 0
    try {
      blockedMs = await withDeadline(limiterTimeoutMs, limiter[method](address))
    } catch (error) {
      callHook(options.onLimiterError, error)
    }
    if (blockedMs > 0) throw rateLimited(blockedMs)
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
    callHook((result: Observation) => span?.end(result), observation)
    return response
  }

  return {
    providers: registry.names,
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

/**
 * Limits how long the gateway waits for a provider's own code.
 *
 * @throws SallyportError `PROVIDER_UNAVAILABLE` (503) after the deadline
 */
function withProviderDeadline<T>(value: Promise<T>): Promise<T> {
  return withDeadline(providerTimeoutMs, value, (timeout) =>
    providerUnavailable('This provider cannot answer now: try again', timeout),
  )
}

const jsonType = 'application/json; charset=utf-8'

/** Creates the response to a verified delivery. */
function respond(
  draft: ObservationDraft,
  outcome: Outcome,
  events: readonly unknown[] = [],
): GatewayResponse {
  draft.outcome = outcome
  const body = JSON.stringify({ data: { status: outcome, events } })
  return { status: 200, headers: { 'content-type': jsonType }, body }
}

/** Creates the response to a handshake. */
function respondToChallenge(
  draft: ObservationDraft,
  { contentType, body }: HandshakeAnswer,
): GatewayResponse {
  draft.outcome = 'handshake'
  const headers = {
    'content-type': `${contentType}; charset=utf-8`,
    'x-content-type-options': 'nosniff',
  }
  return { status: 200, headers, body }
}

/** Creates the error envelope. */
function respondWithError(draft: ObservationDraft, error: unknown): GatewayResponse {
  const { status, headers, body } = codedResponse(error)
  draft.code = body.error.code
  if (status >= 500) draft.error = isSallyportError(error) ? (error.cause ?? error) : error
  return { status, headers: { ...headers, 'content-type': jsonType }, body: JSON.stringify(body) }
}
