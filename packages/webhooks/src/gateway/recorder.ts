import { isSallyportError } from '@sallyport/errors'
import { runWithTimeout, withDeadline } from '@sallyport/internal/deadline'
import { checkFunctions, integerOption } from '@sallyport/internal/options'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import { withoutMessage } from '@sallyport/internal/describe-failure'
import type { VerifiedDelivery } from '../ports/delivery.ts'
import type { InternalEvent } from '../ports/event.ts'
import type { DeliveryRecord, Publisher, RecordResult, GatewayInbox } from '../ports/ports.ts'
import { parsesAsJson } from '../parsers/forms.ts'
import type { AnyProvider } from '../provider/provider.ts'
import { passesPayload } from '../provider/service.ts'
import { createBodyKey, getKeyScope, readSignedContent } from '../provider/idempotency-key.ts'
import { isSerializable } from './normalize.ts'
import { differsFromJson } from '../parsers/parse-json.ts'
import { redactHeaders, redactQuery } from '../schemes/redact.ts'
import { inboxUnavailable } from '../ports/refusals.ts'
import { createRouting, type Registry } from '../provider/registry.ts'

/** A verified delivery with its events. The headers and the query include secrets. */
interface NormalizedDelivery extends VerifiedDelivery {
  readonly id: string
  readonly provider: AnyProvider
  readonly query?: URLSearchParams | undefined
  readonly events: readonly InternalEvent[]
  /** The reason why normalization failed. */
  readonly unreadable?: string | undefined
  /** The paths and codes of the schema issues. */
  readonly detail?: string | undefined
}

interface RecordedDelivery extends RecordResult {
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

/** Options of a gateway with an inbox. The answer 200 means that the delivery is durable. */
export interface WithInbox {
  readonly inbox: GatewayInbox
  /** Publishes recorded events without reading them from the inbox. @default another process claims the events */
  readonly dispatcher?: Dispatcher
  /**
   * Records a notification for each event whose provider has a `notify` function.
   *
   * @default `notifies` of the dispatcher
   */
  readonly notifications?: boolean
  /**
   * The maximum age of an event by its signed time: a whole number of milliseconds from 1, or `Infinity`. A delivery with
   * an older event is quarantined, or a duplicate when the inbox has the event. Set the age to at most the retention of
   * keys, so that a replayed delivery is never new after its key is deleted.
   *
   * @default Infinity
   */
  readonly maxEventAgeMs?: number
  /**
   * Names of providers whose queueable kinds go through the shared queue of the dispatcher.
   *
   * @default []
   */
  readonly queuePilots?: Iterable<string>
  readonly publisher?: never
}

/** Longer than the lock timeout of a store. */
const recordTimeoutMs = 10_000

export function createInboxRecorder(options: WithInbox, registry: Registry): Recorder {
  const { inbox, dispatcher, notifications, maxEventAgeMs = Infinity } = options
  checkFunctions('inbox', inbox, 'record', 'known')
  if (maxEventAgeMs !== Infinity) integerOption('maxEventAgeMs', maxEventAgeMs, 1)
  if (notifications === true && dispatcher?.notifies === false) {
    throw new TypeError('`notifications` needs a dispatcher with notifications')
  }
  const notifies = notifications ?? dispatcher?.notifies ?? false
  const selectRoute = createRouting(registry, options.queuePilots)

  async function areKnown(events: readonly InternalEvent[]): Promise<boolean> {
    try {
      const known = await withDeadline(recordTimeoutMs, inbox.known(events.map(({ id }) => id)))
      return known.every(Boolean)
    } catch (error) {
      throw isSallyportError(error) ? error : inboxUnavailable(error)
    }
  }

  async function record(delivery: DeliveryRecord): Promise<RecordResult> {
    const reservation = dispatcher?.reserve(delivery)
    try {
      const recording = inbox.record(delivery, reservation && { leaseMs: reservation.leaseMs })
      const result = await withDeadline(recordTimeoutMs, recording)
      reservation?.fill(result)
      return result
    } catch (error) {
      reservation?.giveUp()
      throw isSallyportError(error) ? error : inboxUnavailable(error)
    }
  }

  return async (delivery) => {
    const { id, provider, endpoint, receivedAt, headers, query, payload, body, events, unreadable, detail } =
      delivery
    const { name, signature } = provider
    const stored = {
      id,
      provider: name,
      endpoint,
      receivedAt,
      body,
      headers: redactHeaders(headers, provider),
      query: query && redactQuery(query, provider),
    }
    const quarantine = async (reason: string, error?: Error): Promise<RecordedDelivery> => {
      // Signed ids distinguish deliveries with equal bodies.
      const signed = signature.signedIds ?? signature.signedHeaders
      const ids = signed?.map((header) => String(headers.get(header)))
      const content = readSignedContent(signature, headers) ?? body
      const key = await createBodyKey(getKeyScope(name, endpoint), content, ids)
      const result = await record({
        ...stored,
        events: [],
        quarantine: { key, reason, ...(detail !== undefined && { detail }) },
      })
      return { ...result, quarantined: { reason, ...(error && { error }) } }
    }
    if (unreadable !== undefined) return quarantine(unreadable)
    // The time of an event defaults to `receivedAt`.
    const old = events.filter(({ ts }) => ts < receivedAt - maxEventAgeMs)
    if (old.length > 0 && !(await areKnown(old))) return quarantine('EVENT_TOO_OLD')
    const notify = notifies && provider.notify !== undefined
    const isJson = passesPayload(provider) && parsesAsJson(provider.parse, body) && !differsFromJson(payload)
    const rows = events.map((event) => ({
      event,
      route: selectRoute(event),
      notify,
      ...(isJson && event.data === payload && { dataIsBody: true }),
    }))
    try {
      return await record({ ...stored, events: rows })
    } catch (error) {
      if (isSerializable(events)) throw error
      // A retry of the service would fail again.
      return quarantine('NORMALIZER_FAILED', withoutMessage(isSallyportError(error) ? error.cause : error))
    }
  }
}
