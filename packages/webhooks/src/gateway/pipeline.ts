import { isSallyportError } from '@sallyport/errors'
import { withDeadline } from '@sallyport/internal/deadline'
import { callHook } from '@sallyport/internal/promises'
import { describeIssues, withoutMessage } from '../internal/describe-failure.ts'
import { memoryFailureLimiter } from '../memory/failure-limiter.ts'
import type { Delivery, VerifiedDelivery } from '../ports/delivery.ts'
import type { InternalEvent } from '../ports/event.ts'
import type { FailureLimiter, MaybePromise } from '../ports/ports.ts'
import type { TraceContext } from '../ports/trace-context.ts'
import type { AnyProvider } from '../provider/provider.ts'
import type { SecretKeeper } from '../secrets/secret-keeper.ts'
import { getClientNetwork } from './address.ts'
import { checkBodyLimits, createBodyBudget, type BodyLimits } from './body-budget.ts'
import type {
  DeliverySpan,
  DeliveryTracer,
  Gateway,
  GatewayRequest,
  GatewayResponse,
  Observation,
} from './gateway-contract.ts'
import { normalize, parse, readIgnoredKind } from './normalize.ts'
import type { Recorder } from './recorder.ts'
import {
  getAllowedMethods,
  invalidSignature,
  methodNotAllowed,
  payloadTooLarge,
  providerUnavailable,
  rateLimited,
  unknownProvider,
  unsupportedEncoding,
} from './refusals.ts'
import type { Registry } from './registry.ts'
import { respond, respondToChallenge, respondWithError, type ObservationDraft } from './responses.ts'
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
    const blockCheck = rejectBlocked(address)
    if (blockCheck) await blockCheck

    // 2. Find the provider and its secrets, before the body takes memory.
    const provider = registry.get(request.provider)
    if (provider === undefined) throw unknownProvider()
    const { name, handshake } = provider
    const allowed = getAllowedMethods(provider)
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
        if (isSallyportError(error) && incompleteBodyCodes.has(error.code)) await countFailure(address)
        throw error
      }
      const delivery: Delivery = { method, headers, body: sink.bytes(), ...(url !== undefined && { url }) }
      const receivedAt = now()
      // Parallel requests of the address may have failed while this body arrived.
      const secondBlockCheck = rejectBlocked(address)
      if (secondBlockCheck) await secondBlockCheck

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
            if (safe.status !== 503) await countFailure(address)
            throw safe
          },
        )
        if (challenge ? challenge.signed : method !== 'POST') await countFailure(address)
        if (challenge) return respondToChallenge(draft, challenge)
        if (method !== 'POST') throw methodNotAllowed(allowed)
      }

      // 5. Verify.
      const verifying = withProviderDeadline(
        (providerWork = verify(provider, delivery, secretValues, receivedAt)),
      )
      const verification = verifying instanceof Promise ? await verifying : verifying
      // eslint-disable-next-line @typescript-eslint/no-unnecessary-boolean-literal-compare -- in JavaScript, a truthy value such as a promise must not pass
      if (verification.verified !== true) {
        draft.reason = verification.reason
        if (verification.error) draft.error = withoutMessage(verification.error)
        await countFailure(address)
        throw invalidSignature()
      }

      // 6. Parse and normalize.
      const { body } = verification
      const id = (draft.deliveryId = newId())
      const payload = parse(provider, body)
      let events: readonly InternalEvent[] = []
      let detail: string | undefined
      try {
        const verified: VerifiedDelivery = { payload, headers, body, receivedAt }
        const normalizing = normalize(provider, verified, id, (validate) => {
          // The deadline has passed.
          if (draft.reason) throw draft.error
          return validate()
        })
        events = await withDeadline(providerTimeoutMs, (providerWork = normalizing))
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
        id,
        provider,
        receivedAt,
        headers,
        body,
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

  /** Asks the limiter. A limiter that fails blocks no address: the signature still protects the gateway. */
  function askLimiter(address: string | undefined, method: 'check' | 'fail'): Promise<void> | undefined {
    if (address === undefined) return undefined
    const ignoreError = (error: unknown) => {
      callHook(options.onLimiterError, error)
      return 0
    }
    let blockedMs: MaybePromise<number>
    try {
      blockedMs = withDeadline(limiterTimeoutMs, limiter[method](address))
    } catch (error) {
      blockedMs = ignoreError(error)
    }
    // The limiter of one process answers without a promise.
    if (blockedMs instanceof Promise) return blockedMs.catch(ignoreError).then(rejectWhenPositive)
    rejectWhenPositive(blockedMs)
    return undefined
  }

  const rejectBlocked = (address: string | undefined) =>
    allowVerified ? undefined : askLimiter(address, 'check')

  /** Counts a failure, and throws for a failure beyond the limit, which a parallel request can reach. */
  const countFailure = (address: string | undefined) => askLimiter(address, 'fail')

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
function withProviderDeadline<T>(value: Promise<T>): Promise<T>
function withProviderDeadline<T>(value: MaybePromise<T>): MaybePromise<T>
function withProviderDeadline<T>(value: MaybePromise<T>): MaybePromise<T> {
  return withDeadline(providerTimeoutMs, value, (timeout) =>
    providerUnavailable('This provider cannot answer now: try again', timeout),
  )
}

function rejectWhenPositive(blockedMs: number): void {
  if (blockedMs > 0) throw rateLimited(blockedMs)
}
