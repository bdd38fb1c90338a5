import { withDeadline } from '@sallyport/internal/deadline'
import { checkFunctions } from '@sallyport/internal/options'
import { callHook } from '@sallyport/internal/promises'
import { withoutMessage } from '@sallyport/internal/describe-failure'
import { readRow } from '@sallyport/internal/destination-row'
import { ofAllRows, oneRowEach, type FannedOut, type FanOut } from '../destinations/fan-out.ts'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import { isSerializable, normalize, parse, selectEvents } from '../gateway/normalize.ts'
import type {
  DeliveryDetail,
  DeliveryPosition,
  Lane,
  ReplayerInbox,
  ReplayOptions,
  ReplayResult,
  ReplaySelection,
  Route,
} from '../ports/ports.ts'
import type { WebhookEvent } from '../ports/event.ts'
import type { AnyProvider } from '../provider/provider.ts'
import { providerTimeoutMs } from '../gateway/provider-deadline.ts'
import { storedHeaders } from '../schemes/redact.ts'
import { createRegistry } from '../provider/registry.ts'

export interface ReplayerOptions {
  readonly inbox: ReplayerInbox
  /** The providers that normalize quarantined deliveries. */
  readonly providers: Iterable<AnyProvider>
  /** Woken when events are due; without it, a dispatcher finds the events at its next poll. */
  readonly dispatcher?: Pick<Dispatcher, 'notifies' | 'wake'>
  /**
   * Whether events of a quarantined delivery get a notification if their provider has a notify function.
   *
   * @default whether the dispatcher notifies
   */
  readonly notifications?: boolean
  /** How an event of a quarantined delivery reaches the bus. @default 'direct' */
  readonly routeOf?: (event: WebhookEvent) => Route
  /** The lane of an event of a quarantined delivery: the `laneOf` of the gateway. @default none */
  readonly laneOf?: ((event: WebhookEvent) => Lane | undefined) | undefined
  /** Creates the rows of the events of a quarantined delivery: the `fanOut` of the gateway. @default one row for each event */
  readonly fanOut?: FanOut | undefined
  /** Called with the reason why a delivery stays quarantined, without the message of the provider's error. */
  readonly onQuarantined?: (deliveryId: string, error: Error) => unknown
  /** Creates the unique tokens of fresh ids. @default crypto.randomUUID */
  readonly newToken?: () => string
}

/** The result of a replay for one delivery. */
export interface ReplayedDelivery {
  readonly id: string
  /**
   * `replayed`: events are due, again or for the first time. `unchanged`: the delivery has no events to replay, or its events
   * are pending already. `quarantined`: the provider still cannot normalize the delivery. `erased`: the data was erased.
   */
  readonly outcome: ReplayResult['deliveries'][number]['outcome']
  /**
   * Why the delivery is still quarantined: `NORMALIZER_FAILED`, `NO_EVENTS` where the normalizer ignores it, or `UNKNOWN_PROVIDER`
   * where its provider is not registered.
   */
  readonly reason?: string
  /** The ids of the events that are due. */
  readonly events: readonly string[]
  /**
   * The number of these events that were published before under the same id. A bus that deduplicates stores nothing; `asNew`
   * creates fresh ids.
   *
   * @default 0
   */
  readonly republished?: number
  /** The number of these events that a consumer with `once` has handled; see `ReplayResult`. @default 0 */
  readonly handled?: number
}

interface ReplayedPortion {
  /** The selected deliveries in their order, without unknown ids. */
  readonly deliveries: readonly ReplayedDelivery[]
  /** The start of the next batch; absent after the last batch. */
  readonly next?: DeliveryPosition
}

/** A quarantined delivery that still has its body. */
type Readable = Pick<DeliveryDetail, 'id' | 'endpoint' | 'headers' | 'receivedAt'> & {
  readonly body: Uint8Array
}

/** Replays deliveries, including those in quarantine. */
export interface Replayer {
  replay(selection: ReplaySelection, options?: ReplayOptions): Promise<ReplayedPortion>
  /** Normalizes deliveries of the quarantine again. A delivery that has left the quarantine is `unchanged`. */
  normalizeAgain(
    ids: readonly string[],
    options?: Pick<ReplayOptions, 'asNew'>,
  ): Promise<readonly ReplayedDelivery[]>
}

/**
 * Creates a replayer of an inbox. A replay makes events of any age due again, and normalizes quarantined deliveries from
 * their stored bodies with the current provider.
 *
 * The normalizer receives the stored headers, without credentials and signatures. A quarantined delivery without events stays
 * in quarantine until it is erased.
 *
 * @throws TypeError for an incomplete inbox, and when two providers share a name
 *
 * @example
 * ```ts
 * import { createReplayer, createMemoryInbox } from '@sallyport/webhooks'
 * import type { AnyProvider } from '@sallyport/webhooks'
 *
 * declare const codehost: AnyProvider
 * const replayer = createReplayer({ inbox: createMemoryInbox(), providers: [codehost] })
 * const { deliveries } = await replayer.replay({ filter: { status: 'quarantined' }, limit: 100 })
 * ```
 */
export function createReplayer(options: ReplayerOptions): Replayer {
  const { inbox, dispatcher, routeOf = () => 'direct', laneOf, onQuarantined } = options
  const { fanOut = oneRowEach } = options
  const { newToken = () => crypto.randomUUID() } = options
  checkFunctions('inbox', inbox, 'get', 'known', 'replay', 'resolve')
  const registry = createRegistry(options.providers)
  const notifies = options.notifications ?? dispatcher?.notifies ?? false

  function toRows(events: readonly WebhookEvent[], notify: boolean): readonly FannedOut[] {
    const records = events.map((event) => {
      const route = routeOf(event)
      const lane = route === 'direct' ? laneOf?.(event) : undefined
      return { event, route, notify, ...(lane && { lane }) }
    })
    return fanOut(records)
  }

  /** Replaces the ids that were recorded before; a consumer may have processed them. */
  async function asNew(events: readonly WebhookEvent[]): Promise<readonly WebhookEvent[]> {
    const rows = toRows(events, false)
    const known = await inbox.known(rows.map(({ record }) => record.event.id))
    const isNew = ofAllRows(rows, events.length, (row) => known[row] !== true)
    const token = newToken()
    return events.map((event, index) =>
      isNew[index] !== true
        ? {
            ...event,
            id: `${event.source.provider}:replay:${token}:${index + 1}`,
            source: { ...event.source, replayOf: event.id },
          }
        : event,
    )
  }

  /** @throws the error of the provider, and TypeError for data that an inbox cannot store */
  async function read(provider: AnyProvider, delivery: Readable): Promise<readonly WebhookEvent[]> {
    const { id, endpoint, body, receivedAt } = delivery
    const headers = storedHeaders(delivery.headers)
    const verified = { payload: parse(provider, body), headers, body, receivedAt, endpoint }
    const found = await withDeadline(providerTimeoutMs, normalize(provider, verified, id))
    const events = selectEvents(provider, found)
    // The rejection of the inbox would end the replay of the remaining deliveries.
    if (!isSerializable(events)) throw new TypeError(`The data of ${provider.name} cannot be written as JSON`)
    return events
  }

  async function normalizeAgain(id: string, isNew: boolean): Promise<ReplayedDelivery> {
    const delivery = await inbox.get(id)
    if (delivery?.body === undefined) return { id, outcome: 'erased', events: [] }
    const still = (reason: string, error?: Error): ReplayedDelivery => {
      if (error) callHook((told: Error) => onQuarantined?.(id, told), error)
      return { id, outcome: 'quarantined', reason, events: [] }
    }
    const provider = registry.get(delivery.provider)
    if (provider === undefined) return still('UNKNOWN_PROVIDER')
    let events: readonly WebhookEvent[]
    try {
      events = await read(provider, { ...delivery, body: delivery.body })
    } catch (error) {
      return still('NORMALIZER_FAILED', withoutMessage(error))
    }
    // The normalizer may need a header that is not stored, and the body is deleted after the quarantine.
    if (events.length === 0) return still('NO_EVENTS', new Error('The normalizer returned no events'))
    const notify = notifies && provider.notify !== undefined
    const named = isNew ? await asNew(events) : events
    const rows = toRows(named, notify)
    const resolved = await inbox.resolve(
      id,
      rows.map(({ record }) => record),
    )
    const due = (resolved?.events ?? []).filter(({ duplicate }) => !duplicate).map((event) => event.id)
    return { id, outcome: due.length > 0 ? 'replayed' : 'unchanged', events: listIds(due) }
  }

  return {
    async normalizeAgain(ids, how) {
      const normalized: ReplayedDelivery[] = []
      for (const id of ids) normalized.push(await normalizeAgain(id, how?.asNew ?? false))
      if (normalized.some(({ outcome }) => outcome === 'replayed')) dispatcher?.wake()
      return normalized
    },
    async replay(selection, how) {
      const { deliveries, next } = await inbox.replay(selection, how)
      const isNew = how?.asNew ?? false
      const replayed: ReplayedDelivery[] = []
      for (const delivery of deliveries) {
        const { id, outcome } = delivery
        replayed.push(
          outcome === 'quarantined'
            ? await normalizeAgain(id, isNew)
            : { ...delivery, events: listIds(delivery.events) },
        )
      }
      if (replayed.some(({ outcome }) => outcome === 'replayed')) dispatcher?.wake()
      return { deliveries: replayed, ...(next && { next }) }
    },
  }
}

/** Returns the ids of the events of rows. */
const listIds = (rows: readonly string[]): readonly string[] => [...new Set(rows.map((id) => readRow(id).id))]
