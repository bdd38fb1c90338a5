import { isSpanContextValid, type SpanContext } from '@opentelemetry/api'
import type { TraceContext } from '@sallyport/webhooks'

const version00 = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** What a span hands on; undefined for one that nobody records or names. */
export function toTraceContext(span: SpanContext): TraceContext | undefined {
  if (!isSpanContextValid(span)) return undefined
  const flags = (span.traceFlags & 0xff).toString(16).padStart(2, '0')
  const tracestate = span.traceState?.serialize()
  return {
    traceparent: `00-${span.traceId}-${span.spanId}-${flags}`,
    ...(tracestate && { tracestate }),
  }
}

/** The span that a `traceparent` names; undefined when it names none. */
export function toSpanContext(traceparent: string | null): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] = version00.exec(traceparent ?? '') ?? []
  const span = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
  return isSpanContextValid(span) ? span : undefined
}
