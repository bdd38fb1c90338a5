import type { Publisher } from '@sallyport/webhooks'
import type { EngineContext } from './engine.ts'

/**
 * Wraps a publisher over HTTP, which has no connection to observe. Reports the bus as unavailable when it rejects a whole
 * batch, and as available when it accepts an event.
 */
export function monitorPublisher(
  publisher: Publisher,
  { onUnavailable, onAvailable }: Pick<EngineContext, 'onUnavailable' | 'onAvailable'>,
): Publisher {
  let state: 'unknown' | 'unavailable' | 'available' = 'unknown'
  return {
    async publish(events, signal) {
      const results = await publisher.publish(events, signal)
      const [first] = results
      if (results.some(({ ok }) => ok)) {
        if (state !== 'available') onAvailable()
        state = 'available'
      } else if (first?.ok === false && !signal.aborted && results.every((one) => !one.ok && one.retryable)) {
        if (state !== 'unavailable') onUnavailable(new Error(first.error))
        state = 'unavailable'
      }
      return results
    },
  }
}
