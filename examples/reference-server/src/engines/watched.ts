import type { Publisher } from '@sallyport/webhooks'
import type { EngineSurroundings } from './engine.ts'

/**
 * A publisher that says when its bus takes nothing any more, and when it takes something again: for a bus without a
 * connection that would tell.
 */
export function watched(
  publisher: Publisher,
  { onUnavailable, onAvailable }: Pick<EngineSurroundings, 'onUnavailable' | 'onAvailable'>,
): Publisher {
  let state: 'unknown' | 'away' | 'there' = 'unknown'
  return {
    async publish(events, signal) {
      const results = await publisher.publish(events, signal)
      const [first] = results
      if (results.some(({ ok }) => ok)) {
        if (state !== 'there') onAvailable()
        state = 'there'
      } else if (first?.ok === false && !signal.aborted && results.every((one) => !one.ok && one.retryable)) {
        if (state !== 'away') onUnavailable(new Error(first.error))
        state = 'away'
      }
      return results
    },
  }
}
