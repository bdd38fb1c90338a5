import { SpanKind, SpanStatusCode, type Histogram, type Tracer } from '@opentelemetry/api'
import type { Publisher } from '@sallyport/webhooks'
import { withinLinkedSpan } from './linked-span.ts'

export interface TracedPublisherOptions {
  /** The engine, as `messaging.system` names it: `nats`, `kafka`, … @default 'sallyport' */
  readonly system?: string
}

/** A publisher whose batches are traced and timed. */
export function tracedPublisher(
  publisher: Publisher,
  { system = 'sallyport' }: TracedPublisherOptions,
  tracer: Tracer,
  duration: Histogram,
  now: () => number,
): Publisher {
  return {
    publish(events, signal) {
      const attributes = {
        'messaging.system': system,
        'messaging.operation.name': 'publish',
        'messaging.operation.type': 'send',
        'messaging.batch.message_count': events.length,
      }
      const options = { name: 'publish events', kind: SpanKind.PRODUCER, attributes, events }
      return withinLinkedSpan(tracer, options, async (span) => {
        const startedAt = now()
        let failed = events.length
        try {
          const results = await publisher.publish(events, signal)
          failed = events.filter((_, index) => results[index]?.ok !== true).length
          return results
        } finally {
          duration.record((now() - startedAt) / 1000, { outcome: failed > 0 ? 'failed' : 'published' })
          if (failed > 0) {
            span.setAttribute('sallyport.failed_events', failed).setStatus({ code: SpanStatusCode.ERROR })
          }
        }
      })
    },
  }
}
