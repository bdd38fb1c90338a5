import {
  context,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Span,
  type SpanContext,
  type Tracer,
} from '@opentelemetry/api'
import type { GatewayRequest, WebhookEvent, Observation, TraceContext } from '@sallyport/webhooks'
import type { DeliveryTracer } from '../gateway/gateway-contract.ts'

/** Other methods become `_OTHER`: a sender chooses the method, and span names must stay few. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Creates a span for each request of the gateway.
 *
 * The trace context of a request is not signed. A delivery therefore starts a new trace, so that a sender controls
 * neither the trace id nor the sampling, and is linked to the sender's trace after verification. If the host traces its
 * requests, the span joins that trace.
 */
export function createDeliveryTracer(tracer: Tracer, route: string): DeliveryTracer {
  return {
    start(request) {
      const method = methods.has(request.method) ? request.method : '_OTHER'
      const hosted = hasLocalSpan()
      const span = tracer.startSpan(`${method} ${route}`, {
        kind: hosted ? SpanKind.INTERNAL : SpanKind.SERVER,
        root: !hosted,
        attributes: {
          'http.request.method': method,
          'http.route': route,
          ...(request.address !== undefined && { 'client.address': request.address }),
        },
      })
      const traceContext = formatTraceContext(span.spanContext())
      if (traceContext === undefined && !span.isRecording()) {
        // No SDK is registered.
        span.end()
        return undefined
      }
      return {
        ...(traceContext && { trace: traceContext }),
        run: (work) => context.with(trace.setSpan(context.active(), span), work),
        end(observation) {
          if (span.isRecording()) describeDelivery(span, request, observation, route)
          span.end()
        },
      }
    },
  }
}

/** Reports whether the host has started a span for the current request. */
function hasLocalSpan(): boolean {
  const active = trace.getSpanContext(context.active())
  return active !== undefined && isSpanContextValid(active) && active.isRemote !== true
}

function describeDelivery(
  span: Span,
  request: GatewayRequest,
  observation: Observation,
  route: string,
): void {
  const { provider, endpoint, outcome, status, code, reason, deliveryId, error } = observation
  const attributes: Attributes = {
    'http.response.status_code': status,
    'sallyport.provider': provider,
    'sallyport.outcome': outcome,
  }
  // The path of an unknown provider is arbitrary text from the sender.
  if (provider !== 'unknown') {
    const path = route.replace(':provider', provider)
    attributes['url.path'] = endpoint === undefined ? path : `${path}/${endpoint}`
  }
  if (endpoint !== undefined) attributes['sallyport.endpoint'] = endpoint
  if (deliveryId !== undefined) attributes['sallyport.delivery.id'] = deliveryId
  if (code !== undefined) attributes['sallyport.code'] = code
  if (reason !== undefined) attributes['sallyport.reason'] = reason
  span.setAttributes(attributes)
  if (status >= 500) {
    span.setAttribute('error.type', error === undefined ? (code ?? '500') : errorType(error))
    span.setStatus({ code: SpanStatusCode.ERROR })
  }
  const sender = outcome === 'refused' ? undefined : parseTraceparent(request.headers.get('traceparent'))
  if (sender) span.addLink({ context: sender })
}

interface EventsSpanOptions {
  readonly name: string
  readonly kind: SpanKind
  readonly attributes: Attributes
  readonly events: readonly WebhookEvent[]
}

/** The default limit of the SDKs. */
const maxLinks = 128

/**
 * Runs work on events in a span that is linked to the spans of their deliveries. If all events belong to one delivery,
 * the span joins its trace; otherwise the span starts a new trace. The active span is not the parent, because the work
 * of one request can be started by another request.
 */
export async function runInEventsSpan<T>(
  tracer: Tracer,
  { name, kind, attributes, events }: EventsSpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const traceparents = new Set(events.flatMap((event) => event.trace?.traceparent ?? []))
  const deliveries = [...traceparents].slice(0, maxLinks).flatMap((value) => parseTraceparent(value) ?? [])
  const [first] = deliveries
  const parent = first && deliveries.length === 1 ? trace.setSpanContext(ROOT_CONTEXT, first) : ROOT_CONTEXT
  const links = deliveries.map((delivery) => ({ context: delivery }))
  const span = tracer.startSpan(name, { kind, attributes, links }, parent)
  try {
    return await context.with(trace.setSpan(parent, span), () => work(span))
  } catch (error) {
    span.setAttribute('error.type', errorType(error)).setStatus({ code: SpanStatusCode.ERROR })
    throw error
  } finally {
    span.end()
  }
}

function formatTraceContext(span: SpanContext): TraceContext | undefined {
  if (!isSpanContextValid(span)) return undefined
  const flags = (span.traceFlags & 0xff).toString(16).padStart(2, '0')
  const tracestate = span.traceState?.serialize()
  return {
    traceparent: `00-${span.traceId}-${span.spanId}-${flags}`,
    ...(tracestate && { tracestate }),
  }
}

function parseTraceparent(traceparent: string | null): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent ?? '') ?? []
  const span = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
  return isSpanContextValid(span) ? span : undefined
}

/** Returns the code or the name of an error. The message of a driver can hold data or a password. */
function errorType(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER'
  const { code } = error as { readonly code?: unknown }
  const type = typeof code === 'string' ? code : error.name
  return /^\w{1,64}$/.test(type) ? type : '_OTHER'
}
