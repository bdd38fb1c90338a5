import { metrics, type MeterProvider } from '@opentelemetry/api'
import { withDeadline } from '@sallyport/internal/deadline'
import type { EmbeddedBus } from '@sallyport/sql/sqlite'

/** An unavailable database must not delay the collection of other metrics. */
const readTimeoutMs = 5000

/** Observes how far the consumers of the embedded bus are, at each collection. */
export function observeBusConsumers(
  bus: Pick<EmbeddedBus, 'consumers'>,
  provider: MeterProvider = metrics.getMeterProvider(),
  now: () => number = Date.now,
): void {
  const meter = provider.getMeter('sallyport')
  const unread = meter.createObservableGauge('sallyport.bus.consumer.unread', {
    unit: '{event}',
    description: 'Events of the embedded bus after the position of a consumer; counted up to a limit',
  })
  const age = meter.createObservableGauge('sallyport.bus.consumer.oldest_unread.age', {
    unit: 's',
    description: 'Age of the oldest event after the position of a consumer',
  })
  meter.addBatchObservableCallback(
    async (result) => {
      const consumers = await withDeadline(readTimeoutMs, bus.consumers()).catch(() => [])
      for (const { name: consumer, unread: count, unreadSince = now() } of consumers) {
        result.observe(unread, count, { consumer })
        result.observe(age, Math.max(0, now() - unreadSince) / 1000, { consumer })
      }
    },
    [unread, age],
  )
}
