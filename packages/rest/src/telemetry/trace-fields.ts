import { isSpanContextValid, trace } from '@opentelemetry/api'

/**
 * Returns the fields that connect a line of a log with the active span; none without a span.
 *
 * @see https://opentelemetry.io/docs/specs/otel/compatibility/logging_trace_context/
 */
export function getTraceFields(): Readonly<Record<string, string>> {
  const span = trace.getActiveSpan()?.spanContext()
  if (span === undefined || !isSpanContextValid(span)) return {}
  const flags = (span.traceFlags & 0xff).toString(16).padStart(2, '0')
  return { trace_id: span.traceId, span_id: span.spanId, trace_flags: flags }
}
