import { isSallyportError, toErrorResponse } from '@sallyport/errors'
import { networkOf } from './address.ts'
import { BodyBudget, defaultBodyLimits, type BodyLimits } from './body-budget.ts'
import { uuidV7 } from './crypto/uuid-v7.ts'
import type { Delivery } from './delivery.ts'
import { withoutMessage } from './describe-failure.ts'
import type {
  DeliverySpan,
  DeliveryTracer,
  Gateway,
  GatewayRequest,
  GatewayResponse,
  Observation,
  Outcome,
} from './gateway-contract.ts'
import { answerHandshake } from './handshake.ts'
import { memoryFailureLimiter } from './memory/failure-limiter.ts'
import { areJson, hashKey, normalize, parse } from './normalize.ts'
import type { FailureLimiter, MaybePromise, SecretSource } from './ports.ts'
import type { AnyProvider } from './provider.ts'
import { createRecorder, type RecorderOptions } from './recorder.ts'
import { redactHeaders } from './redact.ts'
import {
  allowedMethods,
  invalidSignature,
  methodNotAllowed,
  payloadTooLarge,
  rateLimited,
  unknownProvider,
  unsupportedEncoding,
} from './refusals.ts'
import { createRegistry } from './registry.ts'
import { createRouting } from './route.ts'
import { createSecretKeeper, type SecretKeeper } from './secret-keeper.ts'
import { tell } from './tell.ts'
import { within } from './timeout.ts'
import type { TraceContext } from './trace-context.ts'
import { verify } from './verify.ts'

interface CommonOptions {
  readonly providers: Iterable<AnyProvider>
  /** A source, or a keeper of what a source leases that others watch too. */
  readonly secrets: SecretSource | SecretKeeper
  /** @default 20 failures a minute, counted in this process */
  readonly limiter?: FailureLimiter
  /** Whether correctly signed deliveries of a blocked address still pass. @default false */
  readonly allowVerified?: boolean
  readonly limits?: BodyLimits
  /** Told of every request once it is answered. */
  readonly observe?: (observation: Observation) => unknown
  /** Follows requests; their events carry on the trace. @default nothing is traced */
  readonly tracer?: DeliveryTracer
  /** Told when the limiter cannot be asked; meanwhile nobody is blocked. */
  readonly onLimiterError?: (error: unknown) => unknown
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
  /** The id of a delivery. @default UUIDv7 */
  readonly newId?: () => string
}

export type GatewayOptions = CommonOptions & RecorderOptions

/**
 * The way of a delivery: limit, find the provider, read, handshake, verify, parse and normalize, record, dispatch.
 *
 * Answers 200 `{ data: { status, events: [{ id, name, duplicate }] } }`, or the error envelope: `RATE_LIMITED` 429,
 * `UNKNOWN_PROVIDER` 404, `METHOD_NOT_ALLOWED` 405, `UNSUPPORTED_MEDIA_TYPE` 415 for an unsigned Content-Encoding,
 * `PAYLOAD_TOO_LARGE` 413, `REQUEST_TIMEOUT` 408, `OVERLOADED` 503, `PROVIDER_UNAVAILABLE` 503, `INVALID_SIGNATURE` 401,
 * `INVALID_JSON` 400, `INBOX_UNAVAILABLE` 503.
 *
 * @throws TypeError when two providers share a name, or a queue pilot is not among them
 *
 * @example
 * ```ts
 * import { createGateway, createDispatcher, memoryBus, memoryInbox, staticSecrets } from '@sallyport/webhooks'
 * import type { AnyProvider } from '@sallyport/webhooks'
 *
 * declare const codehost: AnyProvider
 * const inbox = memoryInbox()
 * const dispatcher = createDispatcher({ inbox, publisher: memoryBus() })
 * const gateway = createGateway({
 *   providers: [codehost],
 *   secrets: staticSecrets({ codehost: ['the secret of the webhook'] }),
 *   inbox,
 *   dispatcher,
 * })
 * dispatcher.start()
 * ```
 */
export function createGateway(options: GatewayOptions): Gateway {
  const { limiter = memoryFailureLimiter(), allowVerified = false, now = Date.now } = options
  const { maxEventAgeMs = Infinity, newId = uuidV7(now) } = options
  const registry = createRegistry(options.providers)
  const limits = { ...defaultBodyLimits, ...options.limits }
  const budget = new BodyBudget(limits)
  const secrets =
    'secretsOf' in options.secrets ? options.secrets : createSecretKeeper(options.secrets, { now })
  const recorder = createRecorder(options)
  const routeOf = createRouting(registry, options.queuePilots)

  async function deliver(
    request: GatewayRequest,
    seen: Seen,
    trace?: TraceContext,
  ): Promise<GatewayResponse> {
    const { method, headers, address } = request

    // 1. Limit.
    const blocked = refuseBlocked(address)
    if (blocked) await blocked

    // 2. Find the provider, and its secrets before any memory is given to a body.
    const provider = registry.get(request.provider)
    if (provider === undefined) throw unknownProvider()
    const allowed = allowedMethods(provider)
    if (method === 'OPTIONS') return { status: 204, headers: { allow: allowed.join(', ') }, body: '' }
    if (!allowed.includes(method)) throw methodNotAllowed(allowed)
    const encoding = headers.get('content-encoding')?.toLowerCase() ?? 'identity'
    if (encoding !== 'identity' && !provider.contentEncodings?.includes(encoding)) throw unsupportedEncoding()
    const held = secrets.secretsOf(provider.name)
    const current = 'then' in held ? await held : held

    // 3. Read the bytes.
    const limit = provider.bodyLimit ?? limits.bodyBytes
    if (Number(headers.get('content-length')) > limit) throw payloadTooLarge(limit)
    const sink = budget.open(limit, address && networkOf(address))
    try {
      await request.readBody(sink)
      const body = sink.bytes()
      const receivedAt = now()
      const delivery: Delivery = {
        method,
        headers,
        body,
        ...(request.url !== undefined && { url: request.url }),
      }
      // Parallel senders may have failed often enough while this body came in.
      const blockedMeanwhile = refuseBlocked(address)
      if (blockedMeanwhile) await blockedMeanwhile

      // 4. Handshake.
      const challenge =
        provider.handshake &&
        (await answerHandshake(provider, delivery, request.query, current, receivedAt).catch(
          async (error: unknown) => {
            // What a stranger can make it throw, he could otherwise make it throw without end.
            if (!isUnavailable(error)) await countFailure(address)
            throw error
          },
        ))
      if (challenge?.signed === true || (challenge === undefined && method !== 'POST'))
        await countFailure(address)
      if (challenge) return answer(seen, 'handshake', challenge, { 'x-content-type-options': 'nosniff' })
      if (method !== 'POST') throw methodNotAllowed(allowed)

      // 5. Verify.
      const verifying = verify(provider, delivery, current, receivedAt)
      const verification = verifying instanceof Promise ? await verifying : verifying
      if (!verification.verified) {
        seen.reason = verification.reason
        await countFailure(address)
        throw invalidSignature()
      }

      // 6. Parse and normalize.
      const signed = verification.body
      const id = (seen.deliveryId = newId())
      const record = { id, provider: provider.name, receivedAt, body: signed }
      const payload = parse(provider, signed)
      const quarantine = async (reason: string): Promise<GatewayResponse> => {
        seen.reason = reason
        const key = await hashKey(provider.name, signed)
        const kept = redactHeaders(headers, provider)
        await recorder.record({ ...record, headers: kept, events: [], quarantine: { key, reason } })
        return answer(seen, 'quarantined', outcomeBody('quarantined', []))
      }
      let events
      try {
        events = await normalize(provider, { payload, headers, body: signed, receivedAt }, id)
      } catch (error) {
        seen.error = withoutMessage(error)
        return await quarantine('NORMALIZER_FAILED')
      }
      // An event without a time of its own happened when it was received.
      if (events.some(({ ts }) => ts < receivedAt - maxEventAgeMs)) return await quarantine('EVENT_TOO_OLD')
      if (events.length === 0) return answer(seen, 'ignored', outcomeBody('ignored', []))

      // 7. Record; the recorder hands what is new to the dispatcher: 8.
      const complete = {
        ...record,
        headers: redactHeaders(headers, provider),
        events: events.map((event) => ({
          event: trace ? { ...event, trace } : event,
          route: routeOf(event),
          notify: recorder.notifies(provider),
        })),
      }
      let recorded
      try {
        recorded = await recorder.record(complete)
      } catch (error) {
        if (areJson(events)) throw error
        // Sent again it would fail again, until the sender gives up.
        seen.error = withoutMessage(isSallyportError(error) ? error.cause : error)
        return await quarantine('NORMALIZER_FAILED')
      }
      const outcome = recorded.events.every(({ duplicate }) => duplicate) ? 'duplicate' : 'accepted'
      const told = events.map(({ id, name }, index) => ({
        id,
        name,
        duplicate: recorded.events[index]?.duplicate,
      }))
      return answer(seen, outcome, outcomeBody(outcome, told))
    } finally {
      sink.release()
    }
  }

  /** A promise only where the limiter answers with one: most count in this process. */
  function refuseBlocked(address: string | undefined): Promise<void> | undefined {
    if (address === undefined || allowVerified) return undefined
    return refuseFor(() => limiter.check(address))
  }

  /** Refuses by itself a failure that was one too many: it slipped through beside others. */
  async function countFailure(address: string | undefined): Promise<void> {
    if (address !== undefined) await refuseFor(() => limiter.fail(address))
  }

  /** A limiter that is away blocks nobody: what it protects is still behind a signature. */
  function refuseFor(question: () => MaybePromise<number>): Promise<void> | undefined {
    let blockedMs: MaybePromise<number>
    try {
      blockedMs = within(limiterTimeoutMs, question())
    } catch (error) {
      tell(options.onLimiterError, error)
      return undefined
    }
    if (typeof blockedMs !== 'number') {
      return Promise.resolve(blockedMs)
        .catch((error: unknown) => {
          tell(options.onLimiterError, error)
          return 0
        })
        .then(refuseWhenPositive)
    }
    refuseWhenPositive(blockedMs)
    return undefined
  }

  return {
    providers: registry.names,
    async handle(request) {
      const startedAt = now()
      const span = begin(options.tracer, request)
      const handled = async () => {
        const seen: Seen = { outcome: 'refused' }
        const response = await deliver(request, seen, span?.trace).catch((error: unknown) =>
          refuse(seen, error),
        )
        const observation: Observation = {
          ...seen,
          // Whatever a stranger writes into the path does not reach logs and metrics.
          provider: registry.get(request.provider)?.name ?? 'unknown',
          status: response.status,
          ...(request.requestId !== undefined && { requestId: request.requestId }),
          ...(request.address !== undefined && { address: request.address }),
          durationMs: now() - startedAt,
        }
        tell(options.observe, observation)
        if (span) tell(span.end, observation)
        return response
      }
      return span ? span.run(handled) : handled()
    },
  }
}

function refuseWhenPositive(blockedMs: number): void {
  if (blockedMs > 0) throw rateLimited(blockedMs)
}

/** A tracer that fails traces nothing. */
function begin(tracer: DeliveryTracer | undefined, request: GatewayRequest): DeliverySpan | undefined {
  try {
    return tracer?.start(request)
  } catch {
    return undefined
  }
}

/** What is learned of a request on its way. */
type Seen = Mutable<Pick<Observation, 'outcome' | 'code' | 'reason' | 'error' | 'deliveryId'>>
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

/** A shared limiter is asked for each delivery: it answers soon, or not at all. */
const limiterTimeoutMs = 1000

const jsonType = 'application/json; charset=utf-8'

interface AnswerBody {
  readonly contentType: string
  readonly body: string
}

function outcomeBody(status: Outcome, events: readonly unknown[]): AnswerBody {
  return { contentType: jsonType, body: JSON.stringify({ data: { status, events } }) }
}

function answer(
  seen: Seen,
  outcome: Seen['outcome'],
  { contentType, body }: AnswerBody,
  headers: GatewayResponse['headers'] = {},
): GatewayResponse {
  seen.outcome = outcome
  return { status: 200, headers: { 'content-type': contentType, ...headers }, body }
}

/** The server's own fault: the sender is to try again, and has failed at nothing. */
function isUnavailable(error: unknown): boolean {
  return isSallyportError(error) && error.status === 503
}

function refuse(seen: Seen, error: unknown): GatewayResponse {
  const { status, headers, body } = toErrorResponse(error)
  seen.code = body.error.code
  if (status >= 500) seen.error = isSallyportError(error) ? (error.cause ?? error) : error
  return { status, headers: { ...headers, 'content-type': jsonType }, body: JSON.stringify(body) }
}
