import { withDeadline } from '@sallyport/internal/deadline'
import { checkFunctions } from '@sallyport/internal/options'
import { callHook } from '@sallyport/internal/promises'
import { withoutMessage } from '../internal/describe-failure.ts'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import { isSerializable, normalize, parse } from '../gateway/normalize.ts'
import type {
  DeliveryDetail,
  DeliveryPosition,
  ReplayerInbox,
  ReplayOptions,
  ReplayResult,
  ReplaySelection,
  Route,
} from '../ports/ports.ts'
import type { InternalEvent } from '../ports/event.ts'
import type { AnyProvider } from '../provider/provider.ts'
import { providerTimeoutMs } from '../gateway/pipeline.ts'
import { storedHeaders } from '../gateway/redact.ts'
import { createRegistry } from '../gateway/registry.ts'

export interface ReplayerOptions {
  readonly inbox: ReplayerInbox
  /** Those that normalize what is quarantined. */
  readonly providers: Iterable<AnyProvider>
  /** Woken when there is something to publish; without one, a dispatcher finds it at its next poll. */
  readonly dispatcher?: Pick<Dispatcher, 'notifies' | 'wake'>
  /**
   * Whether a notification is owed for events of a quarantined delivery whose provider has a notify function.
   *
   * @default whether the dispatcher notifies
   */
  readonly notifications?: boolean
  /** How an event of a quarantined delivery reaches the bus. @default 'direct' */
  readonly routeOf?: (event: InternalEvent) => Route
  /** Told why a delivery stays quarantined, without the message of the provider's own error. */
  readonly onQuarantined?: (deliveryId: string, error: Error) => unknown
  /** The token in fresh ids; no two may be equal. @default a random UUID */
  readonly newToken?: () => string
}

/** What a replay did with one delivery. */
export interface ReplayedDelivery {
  readonly id: string
  /**
   * `replayed`: events are due again, or for the first time. `unchanged`: there is nothing to do, or it is under way
   * already. `quarantined`: still nothing can be made of it. `erased`: what there was to replay is gone.
   */
  readonly outcome: ReplayResult['deliveries'][number]['outcome']
  /**
   * Why it is still quarantined: `NORMALIZER_FAILED`, `NO_EVENTS` where the normalizer ignores it, or `UNKNOWN_PROVIDER`
   * where its provider is not registered.
   */
  readonly reason?: string
  /** The ids of the events that are due. */
  readonly events: readonly string[]
  /**
   * How many of these events were published before under the same id. A bus that still knows the id stores nothing; `asNew`
   * gives fresh ids.
   *
   * @default 0
   */
  readonly republished?: number
}

export interface ReplayedPortion {
  /** The deliveries that were looked at, in their order; an id that nobody knows is left out. */
  readonly deliveries: readonly ReplayedDelivery[]
  /** Where the next portion begins; absent when there is none. */
  readonly next?: DeliveryPosition
}

/** A quarantined delivery that still has its body. */
type Readable = Pick<DeliveryDetail, 'id' | 'headers' | 'receivedAt'> & { readonly body: Uint8Array }

/** Replays deliveries, those in quarantine too. */
export interface Replayer {
  replay(selection: ReplaySelection, options?: ReplayOptions): Promise<ReplayedPortion>
}

/**
 * Replays what an inbox holds: events are made due again, and what is quarantined is normalized anew from its stored
 * body, by the provider as it is now. The age of an event does not matter then: who replays it wants it.
 *
 * Of the headers, a normalizer sees those that were stored; credentials and signatures are absent. A quarantined delivery
 * of which it makes no event stays where it is: whoever does not want it erases it.
 *
 * @throws TypeError for an incomplete inbox, and when two providers share a name
 *
 * @example
 * ```ts
 * import { createReplayer, memoryInbox } from '@sallyport/webhooks'
 * import type { AnyProvider } from '@sallyport/webhooks'
 *
 * declare const codehost: AnyProvider
 * const replayer = createReplayer({ inbox: memoryInbox(), providers: [codehost] })
 * const { deliveries } = await replayer.replay({ filter: { status: 'quarantined' }, limit: 100 })
 * ```
 */
export function createReplayer(options: ReplayerOptions): Replayer {
  const { inbox, dispatcher, routeOf = () => 'direct', onQuarantined } = options
  const { newToken = () => crypto.randomUUID() } = options
  checkFunctions('inbox', inbox, 'get', 'known', 'replay', 'resolve')
  const registry = createRegistry(options.providers)
  const owed = options.notifications ?? dispatcher?.notifies ?? false

  /** Under fresh ids where somebody may have acted on their own: what was never recorded is new under its own. */
  async function asNew(events: readonly InternalEvent[]): Promise<readonly InternalEvent[]> {
    const known = await inbox.known(events.map(({ id }) => id))
    const token = newToken()
    return events.map((event, index) =>
      known[index] === true
        ? { ...event, id: `${event.source.provider}:replay:${token}:${index + 1}` }
        : event,
    )
  }

  /** @throws what the provider's own code throws, and TypeError for what no inbox could write down */
  async function read(provider: AnyProvider, delivery: Readable): Promise<readonly InternalEvent[]> {
    const { id, body, receivedAt } = delivery
    const headers = storedHeaders(delivery.headers)
    const events = await normalize(
      provider,
      { payload: parse(provider, body), headers, body, receivedAt },
      id,
      // Each for itself: no sender waits, and what takes long together could never be replayed.
      (read) => withDeadline(providerTimeoutMs, read()),
    )
    // An inbox that writes it down could not, and would end the replay of all that follow.
    if (!isSerializable(events)) throw new TypeError(`The data of ${provider.name} cannot be written as JSON`)
    return events
  }

  async function normalizeAnew(id: string, isNew: boolean): Promise<ReplayedDelivery> {
    const delivery = await inbox.get(id)
    if (delivery?.body === undefined) return { id, outcome: 'erased', events: [] }
    const still = (reason: string, error?: Error): ReplayedDelivery => {
      if (error) callHook((told: Error) => onQuarantined?.(id, told), error)
      return { id, outcome: 'quarantined', reason, events: [] }
    }
    const provider = registry.get(delivery.provider)
    if (provider === undefined) return still('UNKNOWN_PROVIDER')
    let events: readonly InternalEvent[]
    try {
      events = await read(provider, { ...delivery, body: delivery.body })
    } catch (error) {
      return still('NORMALIZER_FAILED', withoutMessage(error))
    }
    // What it was read by may be a header that is not stored; and once it has left, nothing keeps its body.
    if (events.length === 0) return still('NO_EVENTS', new Error('The normalizer makes no event of it'))
    const notify = owed && provider.notify !== undefined
    const named = isNew ? await asNew(events) : events
    const resolved = await inbox.resolve(
      id,
      named.map((event) => ({ event, route: routeOf(event), notify })),
    )
    const due = (resolved?.events ?? []).filter(({ duplicate }) => !duplicate)
    return { id, outcome: due.length > 0 ? 'replayed' : 'unchanged', events: due.map((event) => event.id) }
  }

  return {
    async replay(selection, how) {
      const { deliveries, next } = await inbox.replay(selection, how)
      const isNew = how?.asNew ?? false
      const replayed: ReplayedDelivery[] = []
      for (const delivery of deliveries) {
        const { id, outcome } = delivery
        replayed.push(outcome === 'quarantined' ? await normalizeAnew(id, isNew) : { ...delivery })
      }
      if (replayed.some(({ outcome }) => outcome === 'replayed')) dispatcher?.wake()
      return { deliveries: replayed, ...(next && { next }) }
    },
  }
}
