import { isSallyportError } from '@sallyport/errors'
import { withDeadline } from '@sallyport/internal/deadline'
import { withoutMessage } from '@sallyport/internal/describe-failure'
import { checkFunctions, integerOption } from '@sallyport/internal/options'
import { ofAllRows, oneRowEach, type FannedOut, type FanOut } from '../destinations/fan-out.ts'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import type { WebhookEvent } from '../ports/event.ts'
import type { DeliveryRecord, EventRecord, GatewayInbox, Lane, RecordResult } from '../ports/ports.ts'
import { inboxUnavailable } from '../ports/refusals.ts'
import { parsesAsJson } from '../parsers/forms.ts'
import { differsFromJson } from '../parsers/parse-json.ts'
import { createBodyKey, getKeyScope, readSignedContent } from '../provider/idempotency-key.ts'
import { createRouting, type Registry } from '../provider/registry.ts'
import { passesPayload } from '../provider/service.ts'
import { redactHeaders, redactQuery } from '../schemes/redact.ts'
import { isSerializable } from './normalize.ts'
import { createValueReader, maxLength, maxValues, type SearchPaths } from './search-values.ts'
import {
  reportEvents,
  type Fault,
  type Normalized,
  type Recorded,
  type Recorder,
  type Verified,
} from './accept.ts'

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
  /**
   * The lane of an event, from `createLanes`; it must not throw. Only a runner handles events with a lane, and only an
   * inbox with `claimLanes` has lanes. An event for the shared queue has none.
   *
   * @default no event has a lane
   */
  readonly laneOf?: ((event: WebhookEvent) => Lane | undefined) | undefined
  /** Creates the rows of the events for destinations. @default one row for each event */
  readonly fanOut?: FanOut | undefined
  /** Further values that find a delivery, by the name of its provider. @default {} */
  readonly searchPaths?: SearchPaths | undefined
  readonly publisher?: never
}

/** Longer than the lock timeout of a store. */
const recordTimeoutMs = 10_000

export function createInboxRecorder(options: WithInbox, registry: Registry): Recorder {
  const { inbox, dispatcher, notifications, laneOf, maxEventAgeMs = Infinity } = options
  const { fanOut = oneRowEach } = options
  checkFunctions('inbox', inbox, 'record', 'known')
  if (maxEventAgeMs !== Infinity) integerOption('maxEventAgeMs', maxEventAgeMs, 1)
  if (notifications === true && dispatcher?.notifies === false) {
    throw new TypeError('`notifications` needs a dispatcher with notifications')
  }
  const notifies = notifications ?? dispatcher?.notifies ?? false
  const selectRoute = createRouting(registry, options.queuePilots)
  const { readValues } = createValueReader(options.searchPaths)

  /** Whether the inbox knows all events that are older than a time. */
  async function areOldKnown(rows: readonly FannedOut[], events: readonly WebhookEvent[], before: number) {
    const old = events.map(({ ts }) => ts < before)
    // The time of an event defaults to `receivedAt`.
    if (!old.includes(true)) return true
    const ofOld = rows.filter((row) => row.events.some((index) => old[index] === true))
    try {
      const ids = ofOld.map(({ record }) => record.event.id)
      const known = await withDeadline(recordTimeoutMs, inbox.known(ids))
      return known.every(Boolean)
    } catch (error) {
      throw isSallyportError(error) ? error : inboxUnavailable(error)
    }
  }

  /** Stores a delivery, and passes its new events to the dispatcher. */
  async function store(delivery: DeliveryRecord): Promise<RecordResult> {
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

  function describe(verified: Verified, normalized: Normalized): Omit<DeliveryRecord, 'events'> {
    const { id, provider, endpoint, receivedAt, query, body } = verified
    const headers = redactHeaders(verified.headers, provider)
    return {
      ...{ id, provider: provider.name, endpoint: endpoint?.id, receivedAt, body, headers },
      query: query && redactQuery(query, provider),
      values: readValues(verified, headers, normalized),
    }
  }

  async function quarantine(verified: Verified, normalized: Normalized, fault: Fault): Promise<Recorded> {
    const { reason, detail } = fault
    const key = await createQuarantineKey(verified)
    await store({
      ...describe(verified, normalized),
      events: [],
      quarantine: { key, reason, ...(detail !== undefined && { detail }) },
    })
    return { outcome: 'quarantined', events: [], fault }
  }

  function createRows({ provider, body }: Verified, { payload, events }: Normalized): readonly FannedOut[] {
    const notify = notifies && provider.notify !== undefined
    const isJson = passesPayload(provider) && parsesAsJson(provider.parse, body) && !differsFromJson(payload)
    const records = events.map((event): EventRecord => {
      const route = selectRoute(event)
      const lane = route === 'direct' ? laneOf?.(event) : undefined
      const dataIsBody = isJson && event.data === payload
      return { event, route, notify, ...(lane && { lane }), ...(dataIsBody && { dataIsBody }) }
    })
    return fanOut(records)
  }

  async function enqueue(verified: Verified, normalized: Normalized, rows: readonly FannedOut[]) {
    const { events } = normalized
    const records = rows.map(({ record }) => record)
    const described = describe(verified, normalized)
    const values = [...new Set([...(described.values ?? []), ...listHiddenIds(events, records)])]
    const result = await store({ ...described, values, events: records })
    const duplicates = ofAllRows(rows, events.length, (row) => result.events[row]?.duplicate === true)
    return reportEvents(events, duplicates)
  }

  return async (verified, normalized) => {
    const { events, fault } = normalized
    if (fault) return quarantine(verified, normalized, fault)
    const rows = createRows(verified, normalized)
    if (!(await areOldKnown(rows, events, verified.receivedAt - maxEventAgeMs)))
      return quarantine(verified, normalized, { reason: 'EVENT_TOO_OLD' })
    try {
      return await enqueue(verified, normalized, rows)
    } catch (error) {
      if (isSerializable(events)) throw error
      // A retry of the service would fail again.
      const cause = withoutMessage(isSallyportError(error) ? error.cause : error)
      return quarantine(verified, normalized, { reason: 'NORMALIZER_FAILED', error: cause })
    }
  }
}

/** Lists the ids of the events that only have rows of destinations, for searches. */
function listHiddenIds(events: readonly WebhookEvent[], rows: readonly EventRecord[]): readonly string[] {
  const shown = new Set(rows.map(({ event }) => event.id))
  const hidden = events.map(({ id }) => id).filter((id) => !shown.has(id) && id.length <= maxLength)
  return hidden.slice(0, maxValues)
}

async function createQuarantineKey(verified: Verified): Promise<string> {
  const { provider, endpoint } = verified
  const { headers, body } = verified.original ?? verified
  const { name, signature } = provider
  // Signed ids distinguish deliveries with equal bodies.
  const signed = signature.signedIds ?? signature.signedHeaders
  const ids = signed?.map((header) => String(headers.get(header)))
  const content = readSignedContent(signature, headers) ?? body
  return createBodyKey(getKeyScope(name, endpoint?.id), content, ids)
}
