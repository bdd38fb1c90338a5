import { runWithTimeout } from '@sallyport/internal/deadline'
import type { DeliveryHeaders } from '../ports/delivery.ts'
import type { InternalEvent } from '../ports/event.ts'
import type { DeliveryRecord, Publisher, RecordResult } from '../ports/ports.ts'
import type { AnyProvider } from '../provider/provider.ts'
import { inboxUnavailable } from './refusals.ts'

/** A verified delivery with its normalized events. */
interface NormalizedDelivery extends Pick<DeliveryRecord, 'id' | 'receivedAt' | 'body'> {
  readonly provider: AnyProvider
  /** The received headers, including secrets. */
  readonly headers: DeliveryHeaders
  readonly events: readonly InternalEvent[]
  /** The reason why normalization failed. */
  readonly unreadable?: string | undefined
  /** The paths and codes of the schema issues. */
  readonly detail?: string | undefined
}

export interface RecordedDelivery extends RecordResult {
  /** The reason for the quarantine, and the error. */
  readonly quarantined?: { readonly reason: string; readonly error?: Error }
}

/**
 * Records or publishes a delivery before the gateway answers.
 *
 * @throws SallyportError `INBOX_UNAVAILABLE` (503)
 */
export type Recorder = (delivery: NormalizedDelivery) => Promise<RecordedDelivery>

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
  return async ({ events, unreadable }) => {
    try {
      // The service sends the delivery again until the provider can normalize it.
      if (unreadable !== undefined) throw new Error('Quarantine needs an inbox')
      const results = await runWithTimeout(publishTimeoutMs, (signal) => publisher.publish(events, signal))
      return {
        events: events.map(({ id }, index) => {
          const result = results[index]
          if (!result?.ok) throw new Error(result?.error ?? 'The publisher returned no result')
          return { id, duplicate: result.duplicate === true }
        }),
      }
    } catch (error) {
      throw inboxUnavailable(error)
    }
  }
}
