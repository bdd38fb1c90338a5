import {
  context,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  type Attributes,
  type Span,
  type SpanKind,
  type Tracer,
} from '@opentelemetry/api'
import type { InternalEvent } from '@sallyport/webhooks'
import { failureType } from './failure-type.ts'
import { toSpanContext } from './span-context.ts'

export interface LinkedSpanOptions {
  readonly name: string
  readonly kind: SpanKind
  readonly attributes: Attributes
  readonly events: readonly InternalEvent[]
}

/** What SDKs keep of a span's links. */
const maximumLinks = 128

/**
 * Runs work that belongs to deliveries within a span: in the trace of the delivery, when it is one; else in a trace of
 * its own. Either way it is linked to the spans of all.
 *
 * Whatever request happened to start the work is not its parent.
 */
export async function withinLinkedSpan<T>(
  tracer: Tracer,
  { name, kind, attributes, events }: LinkedSpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const named = new Set(events.flatMap((event) => event.trace?.traceparent ?? []))
  const deliveries = [...named].slice(0, maximumLinks).flatMap((one) => toSpanContext(one) ?? [])
  const [first] = deliveries
  const parent = first && deliveries.length === 1 ? trace.setSpanContext(ROOT_CONTEXT, first) : ROOT_CONTEXT
  const links = deliveries.map((delivery) => ({ context: delivery }))
  const span = tracer.startSpan(name, { kind, attributes, links }, parent)
  try {
    return await context.with(trace.setSpan(parent, span), () => work(span))
  } catch (error) {
    span.setAttribute('error.type', failureType(error)).setStatus({ code: SpanStatusCode.ERROR })
    throw error
  } finally {
    span.end()
  }
}
