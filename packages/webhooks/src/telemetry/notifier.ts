import { SpanKind, type Histogram, type Tracer } from '@opentelemetry/api'
import type { Notifier } from '@sallyport/webhooks'
import { withinLinkedSpan } from './linked-span.ts'
import type { NameProvider } from './provider-names.ts'

/** A notifier whose messages are traced and timed. */
export function tracedNotifier(
  notifier: Notifier,
  nameOf: NameProvider,
  tracer: Tracer,
  duration: Histogram,
  now: () => number,
): Notifier {
  return {
    notify(message, event, signal) {
      const provider = nameOf(event.source.provider)
      const attributes = { 'sallyport.provider': provider, 'sallyport.delivery.id': event.source.deliveryId }
      const options = { name: 'notify operators', kind: SpanKind.CLIENT, attributes, events: [event] }
      return withinLinkedSpan(tracer, options, async () => {
        const startedAt = now()
        let outcome = 'failed'
        try {
          await notifier.notify(message, event, signal)
          outcome = 'sent'
        } finally {
          duration.record((now() - startedAt) / 1000, { provider, outcome })
        }
      })
    },
  }
}
