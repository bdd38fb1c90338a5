import { runWithTimeout } from '@sallyport/internal/deadline'
import type { Publisher } from '../ports/ports.ts'
import { inboxUnavailable, providerUnavailable } from '../ports/refusals.ts'
import { reportEvents, type Recorder } from './accept.ts'

/** Options of a gateway without an inbox: it publishes before it answers, and answers 503 when publishing fails. */
export interface WithoutInbox {
  readonly publisher: Publisher
  /** @default 5,000 */
  readonly publishTimeoutMs?: number
  readonly maxEventAgeMs?: never
  readonly queuePilots?: never
  readonly inbox?: never
}

export function createPublishingRecorder({
  publisher,
  publishTimeoutMs = 5000,
}: Pick<WithoutInbox, 'publisher' | 'publishTimeoutMs'>): Recorder {
  return async (_verified, { events, fault }) => {
    // The service sends the delivery again until the provider can normalize it.
    if (fault) throw providerUnavailable('The delivery cannot be read: try again', fault.error)
    try {
      const results = await runWithTimeout(publishTimeoutMs, (signal) => publisher.publish(events, signal))
      const duplicates = events.map((_, index) => {
        const result = results[index]
        if (!result?.ok) throw new Error(result?.error ?? 'The publisher returned no result')
        return result.duplicate === true
      })
      return reportEvents(events, duplicates)
    } catch (error) {
      throw inboxUnavailable(error)
    }
  }
}
