import { codedResponse, isSallyportError } from '@sallyport/errors'
import { networkOf } from './address.ts'
import { bodyBudget, bodyLimits, type BodyLimits } from './body-budget.ts'
import type { Delivery, VerifiedDelivery } from '../ports/delivery.ts'
import { describeIssues, withoutMessage } from '../internal/describe-failure.ts'
import type { InternalEvent } from '../ports/event.ts'
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
import { memoryFailureLimiter } from '../memory/failure-limiter.ts'
import { normalize, parse, readIgnoredKind } from './normalize.ts'
import type { FailureLimiter, MaybePromise } from '../ports/ports.ts'
import type { AnyProvider, HandshakeAnswer } from '../provider/provider.ts'
import { inTime, providerMs } from './provider-time.ts'
import type { Recorder } from './recorder.ts'
import {
  allowedMethods,
  invalidSignature,
  methodNotAllowed,
  payloadTooLarge,
  rateLimited,
  unknownProvider,
  unsupportedEncoding,
} from './refusals.ts'
import type { Registry } from './registry.ts'
import type { SecretKeeper } from '../secrets/secret-keeper.ts'
import { tell } from '../internal/tell.ts'
import { within } from '../internal/timeout.ts'
import type { TraceContext } from '../ports/trace-context.ts'
import { verify } from './verify.ts'

/** What every gateway is told. */
export interface CommonOptions {
  readonly providers: Iterable<AnyProvider>
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
}

/** What a gateway is made of beside the pipeline: each is imported where it is chosen, and bundled only there. */
export interface Parts {
  readonly registry: Registry
  readonly secrets: Pick<SecretKeeper, 'secretsOf'>
  readonly record: Recorder
  readonly newId: () => string
}

/** The way of a delivery: limit, find the provider, read, handshake, verify, parse and normalize, record, dispatch. */
export function createPipeline(options: CommonOptions, parts: Parts): Gateway {
  const { limiter = memoryFailureLimiter(), allowVerified, now = Date.now } = options
  const { registry, secrets, record, newId } = parts
  const limits = bodyLimits(options.limits)
  const openSink = bodyBudget(limits)

  async function deliver(
    request: GatewayRequest,
    seen: Seen,
    trace?: TraceContext,
  ): Promise<GatewayResponse> {
    const { method, headers, url, address } = request

    // 1. Limit.
    const blocked = refuseBlocked(address)
    if (blocked) await blocked

    // 2. Find the provider, and its secrets before any memory is given to a body.
    const provider = registry.get(request.provider)
    if (provider === undefined) throw unknownProvider()
    const { name, handshake } = provider
    const allowed = allowedMethods(provider)
    if (method === 'OPTIONS') return { status: 204, headers: { allow: allowed.join(', ') }, body: '' }
    if (!allowed.includes(method)) throw methodNotAllowed(allowed)
    const encoding = headers.get('content-encoding')?.toLowerCase() || 'identity'
    if (encoding !== 'identity' && !provider.contentEncodings?.includes(encoding)) throw unsupportedEncoding()
    const current = await secrets.secretsOf(name)

    // 3. Read the bytes.
    const limit = provider.bodyLimit ?? limits.bodyBytes
    if (Number(headers.get('content-length')) > limit) throw payloadTooLarge(limit)
    const sink = openSink(limit, address && networkOf(address))
    // What the provider's own code does with the body.
    let work: unknown
    try {
      try {
        await request.readBody(sink)
      } catch (error) {
        // An unfinished body holds memory for as long as the sender likes.
        if (isSallyportError(error) && unfinished.has(error.code)) await countFailure(address)
        throw error
      }
      const delivery: Delivery = { method, headers, body: sink.bytes(), ...(url !== undefined && { url }) }
      const receivedAt = now()
      // Parallel senders may have failed often enough while this body came in.
      const blockedMeanwhile = refuseBlocked(address)
      if (blockedMeanwhile) await blockedMeanwhile

      // 4. Handshake.
      if (handshake) {
        const answering = answerHandshake(handshake, provider, delivery, current, receivedAt, request.query)
        const challenge = await inTime((work = answering)).catch(async (error: unknown) => {
          // What it says may quote what a stranger sent, or a secret.
          const told: Error & { status?: number } = isSallyportError(error) ? error : withoutMessage(error)
          // What a stranger can make it throw, he could otherwise make it throw without end; 503 is the server's own fault.
          if (told.status !== 503) await countFailure(address)
          throw told
        })
        if (challenge ? challenge.signed : method !== 'POST') await countFailure(address)
        if (challenge) return handshaken(seen, challenge)
        if (method !== 'POST') throw methodNotAllowed(allowed)
      }

      // 5. Verify.
      const verifying = inTime((work = verify(provider, delivery, current, receivedAt)))
      const verification = verifying instanceof Promise ? await verifying : verifying
      // eslint-disable-next-line @typescript-eslint/no-unnecessary-boolean-literal-compare -- nor is a promise, in JavaScript, a proof
      if (verification.verified !== true) {
        seen.reason = verification.reason
        if (verification.error) seen.error = withoutMessage(verification.error)
        await countFailure(address)
        throw invalidSignature()
      }

      // 6. Parse and normalize.
      const { body } = verification
      const id = (seen.deliveryId = newId())
      const payload = parse(provider, body)
      let events: readonly InternalEvent[] = []
      let detail: string | undefined
      try {
        const verified: VerifiedDelivery = { payload, headers, body, receivedAt }
        const reading = normalize(provider, verified, id, (read) => {
          // Overdue: nobody waits for the rest.
          if (seen.reason) throw seen.error
          return read()
        })
        events = await within(providerMs, (work = reading))
        if (events.length === 0) {
          const kind = readIgnoredKind(provider, verified)
          if (kind !== undefined) seen.kind = kind
          // An ignored delivery is not recorded: its id leads nowhere.
          delete seen.deliveryId
          return answer(seen, 'ignored')
        }
      } catch (error) {
        // Verified, and not to be lost: the recorder puts it into quarantine, or leaves it with the sender.
        seen.reason = 'NORMALIZER_FAILED'
        seen.error = withoutMessage(error)
        detail = describeIssues(error)
      }

      // 7. Record; the recorder hands what is new to the dispatcher: 8.
      const traced = trace ? events.map((event) => ({ ...event, trace })) : events
      const recorded = await record({
        id,
        provider,
        receivedAt,
        headers,
        body,
        events: traced,
        unreadable: seen.reason,
        detail,
      })
      if (recorded.quarantined) {
        Object.assign(seen, recorded.quarantined)
        return answer(seen, 'quarantined')
      }
      const told = events.map(({ id, name }, index) => ({
        id,
        name,
        duplicate: recorded.events[index]?.duplicate,
      }))
      return answer(seen, told.every(({ duplicate }) => duplicate) ? 'duplicate' : 'accepted', told)
    } finally {
      // What is overdue has the body still: without end, it takes its part of the budget for good.
      void Promise.resolve(work).then(sink.release, sink.release)
    }
  }

  /** A limiter that is away blocks nobody: what it protects is still behind a signature. */
  function refuseFor(address: string | undefined, ask: 'check' | 'fail'): Promise<void> | undefined {
    if (address === undefined) return undefined
    const goOn = (error: unknown) => {
      tell(options.onLimiterError, error)
      return 0
    }
    let blockedMs: MaybePromise<number>
    try {
      blockedMs = within(limiterTimeoutMs, limiter[ask](address))
    } catch (error) {
      blockedMs = goOn(error)
    }
    // A promise only where the limiter answers with one: most count in this process.
    if (blockedMs instanceof Promise) return blockedMs.catch(goOn).then(refuseWhenPositive)
    refuseWhenPositive(blockedMs)
    return undefined
  }

  const refuseBlocked = (address: string | undefined) =>
    allowVerified ? undefined : refuseFor(address, 'check')

  /** Refuses by itself a failure that was one too many: it slipped through beside others. */
  const countFailure = (address: string | undefined) => refuseFor(address, 'fail')

  /** Answers, and lets observer and span know of it. */
  async function handle(request: GatewayRequest, span?: DeliverySpan): Promise<GatewayResponse> {
    const startedAt = now()
    const { requestId, address } = request
    const seen: Seen = { outcome: 'refused' }
    let response: GatewayResponse
    try {
      response = await deliver(request, seen, span?.trace)
    } catch (error) {
      response = refuse(seen, error)
    }
    const observation: Observation = {
      ...seen,
      // Whatever a stranger writes into the path does not reach logs and metrics.
      provider: registry.get(request.provider)?.name ?? 'unknown',
      status: response.status,
      requestId,
      address,
      durationMs: now() - startedAt,
    }
    tell(options.observe, observation)
    tell((told: Observation) => span?.end(told), observation)
    return response
  }

  return {
    providers: registry.names,
    handle(request) {
      let span: DeliverySpan | undefined
      try {
        span = options.tracer?.start(request)
      } catch {
        // A tracer that fails traces nothing.
      }
      if (span === undefined) return handle(request)
      return new Promise((resolve) => {
        resolve(span.run(() => handle(request, span)))
      })
    },
  }
}

function refuseWhenPositive(blockedMs: number): void {
  if (blockedMs > 0) throw rateLimited(blockedMs)
}

/** What is learned of a request on its way. */
type Seen = Mutable<Pick<Observation, 'outcome' | 'code' | 'reason' | 'error' | 'deliveryId' | 'kind'>>
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

/** The codes of a body that took too long, or whose sender disconnected. */
const unfinished: ReadonlySet<string> = new Set(['REQUEST_TIMEOUT', 'BAD_REQUEST'])

/** A shared limiter is asked for each delivery: it answers soon, or not at all. */
const limiterTimeoutMs = 1000

const jsonType = 'application/json; charset=utf-8'

function answer(seen: Seen, outcome: Outcome, events: readonly unknown[] = []): GatewayResponse {
  seen.outcome = outcome
  const body = JSON.stringify({ data: { status: outcome, events } })
  return { status: 200, headers: { 'content-type': jsonType }, body }
}

function handshaken(seen: Seen, { contentType, body }: HandshakeAnswer): GatewayResponse {
  seen.outcome = 'handshake'
  const headers = {
    'content-type': `${contentType}; charset=utf-8`,
    'x-content-type-options': 'nosniff',
  }
  return { status: 200, headers, body }
}

function refuse(seen: Seen, error: unknown): GatewayResponse {
  const { status, headers, body } = codedResponse(error)
  seen.code = body.error.code
  if (status >= 500) seen.error = isSallyportError(error) ? (error.cause ?? error) : error
  return { status, headers: { ...headers, 'content-type': jsonType }, body: JSON.stringify(body) }
}
