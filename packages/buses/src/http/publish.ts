import {
  redactPublisher,
  type DestinationResult,
  type Publisher,
  type PublishResult,
  type WebhookEvent,
} from '@sallyport/webhooks'
import type { Attempt } from './attempt.ts'

export interface PublishOptions {
  readonly attempt: Attempt
  readonly concurrency: number
  readonly filter: ((event: WebhookEvent) => boolean) | undefined
  /** Paths of values that are not sent. */
  readonly redact: readonly string[]
}

/**
 * Creates a publisher of events. An event that the filter refuses is published without a request.
 *
 * @throws TypeError as `redactPublisher`
 */
export function createPublish({ filter, redact, ...options }: PublishOptions): Publisher['publish'] {
  const sender = createSender(options)
  const publisher = redact.length > 0 ? redactPublisher(sender, redact) : sender
  return async (events, signal) => {
    const isAccepted = events.map((event) => filter?.(event) !== false)
    const accepted = events.filter((_, index) => isAccepted[index])
    const results = (await publisher.publish(accepted, signal)).values()
    return isAccepted.map((is) => (is ? (results.next().value as PublishResult) : { ok: true }))
  }
}

/** When the destination is unavailable, the rest of a batch is not sent. */
function createSender({ attempt, concurrency }: Pick<PublishOptions, 'attempt' | 'concurrency'>): Publisher {
  return {
    async publish(events, signal) {
      const results: PublishResult[] = events.map(() => notSent)
      const waiting = [...events.entries()]
      let unavailable: PublishResult | undefined

      async function sendWaiting(): Promise<void> {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const [index, event] = next
          if (unavailable !== undefined) results[index] = unavailable
          else if (!signal.aborted) {
            const { deliveryId } = event.source
            const result = await attempt({ deliveryId, events: [event] }, signal)
            results[index] = toPublishResult(result)
            if (result.unavailable === true) unavailable = results[index]
          }
        }
      }

      await Promise.all(Array.from({ length: Math.min(concurrency, events.length) }, sendWaiting))
      return results
    },
  }
}

const notSent: PublishResult = { ok: false, retryable: true, error: 'The destination did not answer in time' }

function toPublishResult(result: Omit<DestinationResult, 'durationMs'>): PublishResult {
  const { outcome, error = 'The destination refused the event', retryAfterMs } = result
  if (outcome === 'done') return { ok: true }
  return {
    ok: false,
    retryable: outcome !== 'dead',
    error,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
}
