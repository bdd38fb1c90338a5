import { isSallyportError } from '@sallyport/errors'
import type { Dispatcher } from './dispatcher.ts'
import type { DeliveryRecord, Inbox, Publisher, RecordResult } from './ports.ts'
import type { AnyProvider } from './provider.ts'
import { inboxUnavailable } from './refusals.ts'
import { within, withTimeout } from './timeout.ts'

/** Where a verified delivery goes before it is answered. */
export interface Recorder {
  /** Whether a notification is owed for the events of a provider. */
  notifies(provider: AnyProvider): boolean
  /** @throws SallyportError `INBOX_UNAVAILABLE` (503) */
  record(record: DeliveryRecord): Promise<RecordResult>
}

export type RecorderOptions = WithInbox | WithoutInbox

/** The inbox records, the dispatcher publishes: an answer of 200 means that the delivery is durable. */
export interface WithInbox {
  readonly inbox: Inbox
  /** Publishes what was just recorded without reading it back; without one, another process claims it. */
  readonly dispatcher?: Dispatcher
  /**
   * Whether a notification is owed for events whose provider has a notify function.
   *
   * @default whether the dispatcher notifies
   */
  readonly notifications?: boolean
  /**
   * Deliveries with an event that happened longer ago, as the service signed it, are quarantined instead of accepted:
   * in milliseconds. Set it to at most what keys are kept for, so that nothing captured is new once its key has gone.
   *
   * @default unlimited
   */
  readonly maxEventAgeMs?: number
  /**
   * Names of providers whose queueable kinds go through the shared queue: the dispatcher's.
   *
   * @default none
   */
  readonly queuePilots?: Iterable<string>
  readonly publisher?: never
}

/** Without an inbox: published before it is answered, and 503 when that fails, so that the sender tries again. */
export interface WithoutInbox {
  readonly publisher: Publisher
  /** @default 5,000 */
  readonly publishTimeoutMs?: number
  readonly maxEventAgeMs?: never
  readonly queuePilots?: never
  readonly inbox?: never
}

export function createRecorder(options: RecorderOptions): Recorder {
  return options.inbox ? inboxRecorder(options) : publishingRecorder(options)
}

/** Longer than a store waits for its own locks. */
const recordTimeoutMs = 10_000

function inboxRecorder({ inbox, dispatcher, notifications }: WithInbox): Recorder {
  if (notifications === true && dispatcher?.notifies === false) {
    throw new TypeError(
      'Notifications would be owed that this dispatcher never makes: give it `notifications`',
    )
  }
  const owed = notifications ?? dispatcher?.notifies ?? false
  return {
    notifies: (provider) => owed && provider.notify !== undefined,
    async record(record) {
      const place = dispatcher?.reserve(record)
      try {
        const recording = inbox.record(record, place && { leaseMs: place.leaseMs })
        const result = await within(recordTimeoutMs, recording)
        place?.fill(result)
        return result
      } catch (error) {
        place?.giveUp()
        throw isSallyportError(error) ? error : inboxUnavailable(error)
      }
    },
  }
}

function publishingRecorder({ publisher, publishTimeoutMs = 5000 }: WithoutInbox): Recorder {
  return {
    notifies: () => false,
    async record({ events, quarantine }) {
      // There is no place to keep it: the sender keeps it, until the normalizer is mended.
      if (quarantine) throw inboxUnavailable(new Error('Quarantine needs an inbox'))
      const batch = events.map(({ event }) => event)
      try {
        const results = await withTimeout(publishTimeoutMs, (signal) => publisher.publish(batch, signal))
        return {
          events: batch.map(({ id }, index) => {
            const result = results[index]
            if (!result?.ok) throw new Error(result?.error ?? 'No answer for this event')
            return { id, duplicate: result.duplicate === true }
          }),
        }
      } catch (error) {
        throw inboxUnavailable(error)
      }
    },
  }
}
