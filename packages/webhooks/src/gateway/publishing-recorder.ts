import type { Publisher } from '../ports/ports.ts'
import type { Recorder } from './recorder.ts'
import { inboxUnavailable } from './refusals.ts'
import { withTimeout } from '../internal/timeout.ts'

/** Without an inbox: published before it is answered, and 503 when that fails, so that the sender tries again. */
export interface WithoutInbox {
  readonly publisher: Publisher
  /** @default 5,000 */
  readonly publishTimeoutMs?: number
  readonly maxEventAgeMs?: never
  readonly queuePilots?: never
  readonly inbox?: never
}

export function publishingRecorder({
  publisher,
  publishTimeoutMs = 5000,
}: Pick<WithoutInbox, 'publisher' | 'publishTimeoutMs'>): Recorder {
  return async ({ events, unreadable }) => {
    try {
      // There is no place to keep it: the sender keeps it, until the normalizer is mended.
      if (unreadable !== undefined) throw new Error('Quarantine needs an inbox')
      const results = await withTimeout(publishTimeoutMs, (signal) => publisher.publish(events, signal))
      return {
        events: events.map(({ id }, index) => {
          const result = results[index]
          if (!result?.ok) throw new Error(result?.error ?? 'No answer')
          return { id, duplicate: result.duplicate === true }
        }),
      }
    } catch (error) {
      throw inboxUnavailable(error)
    }
  }
}
