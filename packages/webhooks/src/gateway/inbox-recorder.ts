import { isSallyportError } from '@sallyport/errors'
import { withoutMessage } from '../internal/describe-failure.ts'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import type { InternalEvent } from '../ports/event.ts'
import { areJson, hashKey } from './normalize.ts'
import { integerOption } from '../internal/options.ts'
import type { DeliveryRecord, Inbox, RecordResult } from '../ports/ports.ts'
import type { Recorded, Recorder } from './recorder.ts'
import { redactHeaders } from './redact.ts'
import { inboxUnavailable } from './refusals.ts'
import type { Registry } from './registry.ts'
import { createRouting } from './route.ts'
import { within } from '../internal/timeout.ts'

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
   * Deliveries with an event that happened longer ago, as the service signed it, are quarantined instead of accepted as
   * new: in milliseconds, a whole number from 1 or `Infinity`. What is known already is a duplicate, however old. Set it to
   * at most what keys are kept for, so that nothing captured is new once its key has gone.
   *
   * @default Infinity
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

/** Longer than a store waits for its own locks. */
const recordTimeoutMs = 10_000

export function inboxRecorder(options: WithInbox, registry: Registry): Recorder {
  const { inbox, dispatcher, notifications, maxEventAgeMs = Infinity } = options
  if (maxEventAgeMs !== Infinity) integerOption('maxEventAgeMs', maxEventAgeMs, 1)
  if (notifications === true && dispatcher?.notifies === false) {
    throw new TypeError('This dispatcher makes no `notifications`')
  }
  const owed = notifications ?? dispatcher?.notifies ?? false
  const routeOf = createRouting(registry, options.queuePilots)

  async function areKnown(events: readonly InternalEvent[]): Promise<boolean> {
    try {
      const known = await within(recordTimeoutMs, inbox.known(events.map(({ id }) => id)))
      return known.every(Boolean)
    } catch (error) {
      throw isSallyportError(error) ? error : inboxUnavailable(error)
    }
  }

  async function record(delivery: DeliveryRecord): Promise<RecordResult> {
    const place = dispatcher?.reserve(delivery)
    try {
      const recording = inbox.record(delivery, place && { leaseMs: place.leaseMs })
      const result = await within(recordTimeoutMs, recording)
      place?.fill(result)
      return result
    } catch (error) {
      place?.giveUp()
      throw isSallyportError(error) ? error : inboxUnavailable(error)
    }
  }

  return async ({ id, provider, receivedAt, headers, body, events, unreadable, detail }) => {
    const { name, signature } = provider
    const kept = { id, provider: name, receivedAt, body, headers: redactHeaders(headers, provider) }
    const quarantine = async (reason: string, error?: Error): Promise<Recorded> => {
      // Bodies may be equal.
      const signed = signature.signedIds ?? signature.signedHeaders
      const ids = signed?.map((header) => String(headers.get(header)))
      const key = await hashKey(name, body, ids)
      const result = await record({
        ...kept,
        events: [],
        quarantine: { key, reason, ...(detail !== undefined && { detail }) },
      })
      return { ...result, quarantined: { reason, ...(error && { error }) } }
    }
    if (unreadable !== undefined) return quarantine(unreadable)
    // An event without a time of its own happened when it was received.
    const old = events.filter(({ ts }) => ts < receivedAt - maxEventAgeMs)
    if (old.length > 0 && !(await areKnown(old))) return quarantine('EVENT_TOO_OLD')
    const notify = owed && provider.notify !== undefined
    const rows = events.map((event) => ({ event, route: routeOf(event), notify }))
    try {
      return await record({ ...kept, events: rows })
    } catch (error) {
      if (areJson(events)) throw error
      // Sent again it would fail again, until the sender gives up.
      return quarantine('NORMALIZER_FAILED', withoutMessage(isSallyportError(error) ? error.cause : error))
    }
  }
}
