import { withoutMessage } from '@sallyport/internal/describe-failure'
import { callHook } from '@sallyport/internal/promises'
import type { TraceContext } from '../ports/trace-context.ts'
import { isValid, verify } from '../provider/verify.ts'
import { normalizeDelivery, recordDelivery, redactDelivery } from './accept.ts'
import { admit, asksForMethods, checkHead, findProvider, passBlock } from './admit.ts'
import {
  describeRequest,
  respond,
  respondToChallenge,
  respondWithError,
  respondWithMethods,
  type Steps,
} from './answer.ts'
import { findEndpoint } from './find-endpoint.ts'
import type {
  DeliverySpan,
  Gateway,
  GatewayRequest,
  GatewayResponse,
  Observation,
} from './gateway-contract.ts'
import { answerChallenge } from './handshake.ts'
import {
  preparePipeline,
  type Pipeline,
  type PipelineOptions,
  type PipelineParts,
} from './pipeline-options.ts'
import { createWorkTracker, withProviderDeadline, type TrackWork } from './provider-deadline.ts'
import { openBody, receive, type Received } from './receive.ts'
import { keepIgnored, refuse } from './unprocessed-request.ts'

/**
 * Creates the pipeline of a gateway. Each step takes the results of earlier steps, and returns its own or throws the error that
 * the gateway answers.
 */
export function createPipeline(options: PipelineOptions, parts: PipelineParts): Gateway {
  const pipeline = preparePipeline(options, parts)
  const { registry, endpoints, now } = pipeline

  /** Answers a request and reports it to the observers and the span. */
  async function handle(request: GatewayRequest, span?: DeliverySpan): Promise<GatewayResponse> {
    const startedAt = now()
    const { requestId, address } = request
    const steps: Steps = {}
    let response: GatewayResponse
    try {
      response = await deliver(pipeline, request, steps, span?.trace)
    } catch (error) {
      steps.failure = { error }
      response = respondWithError(error)
    }
    const observation = describeRequest(steps, {
      // The path of an unknown provider must not reach logs and metrics.
      provider: registry.get(request.provider)?.name ?? 'unknown',
      status: response.status,
      requestId,
      address,
      durationMs: now() - startedAt,
    })
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

/** Admits a request, reads its body and answers. */
async function deliver(
  pipeline: Pipeline,
  request: GatewayRequest,
  steps: Steps,
  trace: TraceContext | undefined,
): Promise<GatewayResponse> {
  const { registry, clientLimits, endpoints } = pipeline
  const isNamed = request.endpoint !== undefined
  const block = isNamed ? undefined : await clientLimits.findBlock(request.address)
  if (block && registry.get(request.provider) === undefined) throw block
  const provider = findProvider(registry, request.provider)
  if (block) await passBlock(pipeline, request, provider, block)
  if (asksForMethods(provider, request.method)) return respondWithMethods(provider)
  checkHead(provider, request)
  const endpoint = isNamed ? await findEndpoint(endpoints, provider.name, request.endpoint) : undefined
  if (endpoint) steps.endpoint = endpoint
  const admission = await admit(pipeline, request, provider, endpoint)
  const sink = openBody(pipeline, admission)
  const { track, whenSettled } = createWorkTracker()
  try {
    const received = await receive(pipeline, admission, sink)
    return await answerReceived(pipeline, received, steps, track, trace)
  } finally {
    whenSettled(sink.release)
  }
}

/** Answers a challenge, or verifies, normalizes and records a delivery. */
async function answerReceived(
  pipeline: Pipeline,
  received: Received,
  steps: Steps,
  track: TrackWork,
  trace: TraceContext | undefined,
): Promise<GatewayResponse> {
  const { clientLimits, newId, record } = pipeline
  const { request, provider, endpoint, delivery, secrets, receivedAt } = received
  if (provider.handshake) {
    const challenge = await answerChallenge(pipeline, provider.handshake, received, track)
    if (challenge) {
      steps.challenge = challenge
      return respondToChallenge(challenge)
    }
    if (delivery.method === 'OPTIONS') return respondWithMethods(provider)
  }

  const check = await withProviderDeadline(track(verify(provider, delivery, secrets, receivedAt)))
  if (!isValid(check)) {
    steps.refusal = { reason: check.reason, error: check.error ? withoutMessage(check.error) : undefined }
    return refuse(pipeline, received, steps.refusal)
  }
  if (endpoint) await clientLimits.countEndpoint(endpoint)
  const { body, headers = delivery.headers } = check
  const { query, requestId } = request
  const verified = { id: newId(), provider, endpoint, requestId, headers, query, body, receivedAt }
  steps.verified = verified

  const normalized = (steps.normalized = await normalizeDelivery(verified, track, trace))
  const stored = await redactDelivery(pipeline.redactor, verified, normalized)
  const recorded = (steps.recorded = await recordDelivery(record, stored.verified, stored.normalized))
  if (recorded.outcome === 'ignored') keepIgnored(pipeline, received, stored.verified, normalized)
  return respond(provider, recorded)
}
