import {
  context,
  isSpanContextValid,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Span,
  type Tracer,
} from '@opentelemetry/api'
import type { DeliveryTracer, GatewayRequest, Observation } from '@sallyport/webhooks'
import { failureType } from './failure-type.ts'
import { toSpanContext, toTraceContext } from './span-context.ts'

/** Beyond these, a method is what a stranger made up. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * A span for each request of the gateway.
 *
 * Nobody signs the trace context of a request. So a delivery begins a trace of its own, which the sender can neither
 * choose nor have sampled, and is linked to the sender's once the signature holds. Where the host traces its requests,
 * the span is a part of that trace instead: what to trust is decided there.
 */
export function deliveryTracer(tracer: Tracer, route: string): DeliveryTracer {
  return {
    start(request) {
      const method = methods.has(request.method) ? request.method : '_OTHER'
      const hosted = isHosted()
      const span = tracer.startSpan(`${method} ${route}`, {
        kind: hosted ? SpanKind.INTERNAL : SpanKind.SERVER,
        root: !hosted,
        attributes: {
          'http.request.method': method,
          'http.route': route,
          ...(request.address !== undefined && { 'client.address': request.address }),
        },
      })
      const passed = toTraceContext(span.spanContext())
      if (passed === undefined && !span.isRecording()) {
        // Without an SDK there is nothing to run within, and nobody to tell.
        span.end()
        return undefined
      }
      return {
        ...(passed && { trace: passed }),
        run: (work) => context.with(trace.setSpan(context.active(), span), work),
        end(observation) {
          if (span.isRecording()) describe(span, request, observation, route)
          span.end()
        },
      }
    },
  }
}

/** Whether the host has begun a span for this request. */
function isHosted(): boolean {
  const active = trace.getSpanContext(context.active())
  return active !== undefined && isSpanContextValid(active) && active.isRemote !== true
}

function describe(span: Span, request: GatewayRequest, observation: Observation, route: string): void {
  const { provider, outcome, status, code, reason, deliveryId, error } = observation
  const attributes: Attributes = {
    'http.response.status_code': status,
    'sallyport.provider': provider,
    'sallyport.outcome': outcome,
  }
  // Whatever else a stranger writes into the path is not kept.
  if (provider !== 'unknown') attributes['url.path'] = route.replace(':provider', provider)
  if (deliveryId !== undefined) attributes['sallyport.delivery.id'] = deliveryId
  if (code !== undefined) attributes['sallyport.code'] = code
  if (reason !== undefined) attributes['sallyport.reason'] = reason
  span.setAttributes(attributes)
  if (status >= 500) {
    // A driver's message may hold an address with a password in it.
    span.setAttribute('error.type', error === undefined ? (code ?? '500') : failureType(error))
    span.setStatus({ code: SpanStatusCode.ERROR })
  }
  const sender = outcome === 'refused' ? undefined : toSpanContext(request.headers.get('traceparent'))
  if (sender) span.addLink({ context: sender })
}
