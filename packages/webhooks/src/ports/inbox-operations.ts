import type { InternalEvent } from './event.ts'
import type { EventRecord, RecordResult, Route } from './inbox-port.ts'

export type EventStatus = 'pending' | 'queued' | 'published' | 'dead'

/**
 * How a delivery stands: `quarantined` while nothing could be made of it; else `dead`, `pending` or `queued` when any
 * of its events is, in this order; else `published`: nothing is left to do.
 */
export type DeliveryStatus = EventStatus | 'quarantined'

/** What became of a raw body. */
export type BodyState = 'stored' | 'pruned' | 'erased'

/** A delivery in a list. */
export interface DeliverySummary {
  readonly id: string
  readonly provider: string
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  /** With `receivedAt`, its place in the order of a list; unique. */
  readonly sequence: number
  readonly status: DeliveryStatus
  /** Why it is quarantined: a code. */
  readonly reason?: string
  /** Paths and codes of the issues that a schema found in a quarantined delivery, without values. */
  readonly reasonDetail?: string
  readonly bodyState: BodyState
  /** The length of the body when it came. */
  readonly bodyBytes: number
  /** How many of its own events are how far; an event that an earlier delivery held is that delivery's. */
  readonly events: Readonly<Record<EventStatus, number>>
}

/** One failed attempt. */
export interface Failure {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly error: string
}

/** How the notification of an event stands: `waiting` until the event is published. */
export interface NotificationState {
  readonly status: 'waiting' | 'pending' | 'sent' | 'dead'
  readonly attempts: number
  /** When it is due, in milliseconds since the epoch; while it is pending. */
  readonly dueAt?: number
  /** The failed attempts, oldest first: the newest 20. */
  readonly failures: readonly Failure[]
}

/** How an event of a delivery stands. */
export interface EventState {
  /** Its `data` is undefined once it was erased. */
  readonly event: InternalEvent
  readonly route: Route
  readonly status: EventStatus
  /** Attempts since it was first due, or was made due again. */
  readonly attempts: number
  /** When it is due, in milliseconds since the epoch; while it is pending or queued. */
  readonly dueAt?: number
  /** When the lease of whoever holds it ends, in milliseconds since the epoch. */
  readonly leaseEndsAt?: number
  /** When it was published first, in milliseconds since the epoch. */
  readonly publishedAt?: number
  /**
   * True for a published event whose id the bus knew already at the last publication: the bus stored nothing then.
   *
   * @default false
   */
  readonly duplicate?: boolean
  /** The failed attempts, oldest first: the newest 20. An attempt that succeeds leaves none. */
  readonly failures: readonly Failure[]
  readonly notification?: NotificationState
}

/** A delivery with everything that is kept of it. */
export interface DeliveryDetail extends Omit<DeliverySummary, 'events'> {
  /** None once the body was erased. */
  readonly headers: Readonly<Record<string, string>>
  /** There while `bodyState` is `stored`. */
  readonly body?: Uint8Array
  readonly events: readonly EventState[]
}

/** Which deliveries are meant; all that are given hold. */
export interface DeliveryFilter {
  readonly status?: DeliveryStatus
  readonly provider?: string
  /** Later than this, in milliseconds since the epoch. */
  readonly receivedAfter?: number
  /** Earlier than this, in milliseconds since the epoch. */
  readonly receivedBefore?: number
}

/** A place in the order of a list: by time of receipt, then by sequence. */
export type DeliveryPosition = Pick<DeliverySummary, 'receivedAt' | 'sequence'>

export interface DeliveryQuery extends DeliveryFilter {
  /** Newest or oldest first; a page backwards is one in the other order. @default 'newest' */
  readonly order?: 'newest' | 'oldest'
  /** Only deliveries behind this place, whether or not the delivery that stood there is still kept. */
  readonly after?: DeliveryPosition
  /** So many of the matching deliveries are skipped. @default 0 */
  readonly offset?: number
  readonly limit: number
}

/** What is to be replayed: deliveries by their ids, or a portion of those that match a filter, oldest first. */
export type ReplaySelection =
  | { readonly ids: readonly string[] }
  | {
      /** With a status, only the events of that status are replayed. */
      readonly filter: DeliveryFilter
      /** Where the portion before ended. */
      readonly after?: DeliveryPosition
      /** So many deliveries are looked at, at most. */
      readonly limit: number
    }

export interface ReplayResult {
  /** The deliveries that were looked at, in their order; an id that nobody knows is left out. */
  readonly deliveries: readonly {
    readonly id: string
    /**
     * `replayed`: events are due again. `unchanged`: all of them are under way already. `quarantined`: it has to be
     * normalized again, and `resolve`d. `erased`: what there was to replay is gone.
     */
    readonly outcome: 'replayed' | 'unchanged' | 'quarantined' | 'erased'
    /** The ids of the events that are due again. */
    readonly events: readonly string[]
    /**
     * How many of these events were published before under the same id. A bus that still knows the id stores nothing.
     *
     * @default 0
     */
    readonly republished?: number
  }[]
  /** Where the next portion begins; absent when there is none. */
  readonly next?: DeliveryPosition
}

export interface ReplayOptions {
  /**
   * Events come under fresh ids, `<provider>:replay:<uuid>:<number>`, so that consumers take them for new ones: a
   * published event as a copy of itself, unless it is one, and a dead one under the fresh id from now on. They are
   * notified of again. By default ids stay, so that what arrived stays once, and nobody is notified twice; a
   * notification that is dead is due again once its event is published. Events of a delivery in quarantine come under
   * fresh ids where their own are known.
   *
   * @default false
   */
  readonly asNew?: boolean
}

/** What may go. Ages are in milliseconds, by the clock of the store, which wrote most of the times. */
export interface PruneOptions {
  /** Records go that were published so long ago, or longer. */
  readonly publishedForMs?: number
  /** Raw bodies go that were received so long ago, or longer. */
  readonly bodiesForMs?: number
  /** The oldest bodies go while all of them, as they are stored, take more bytes. */
  readonly bodyBytes?: number
  /** Keys go that were recorded so long ago, or longer, and whose records have gone. */
  readonly keysForMs?: number
  /**
   * Nothing is deleted by its age before the clock of the store has run steadily for this long, since the inbox was opened and
   * since its last jump; see {@link createSteadyClock}. A clock that is far ahead for a moment makes everything look old.
   *
   * @default 0
   */
  readonly steadyForMs?: number
  /** How many rows of each kind are looked at. @default 1,000 */
  readonly limit?: number
}

export interface PruneResult {
  /** Published events, with their notifications. */
  readonly events: number
  /** Deliveries that have no events any more. */
  readonly deliveries: number
  readonly bodies: number
  /** Idempotency keys: of an event that was replayed under a fresh id each of its ids. */
  readonly keys: number
  /** Whether there may be more: call again. */
  readonly more: boolean
}

/** How much there is, for metrics. Each count ends at the limit that was asked for. */
export interface InboxStats {
  readonly events: Readonly<Record<Exclude<EventStatus, 'published'>, number>>
  readonly notifications: Readonly<Record<'pending' | 'dead', number>>
  readonly quarantined: number
  /** When the oldest delivery with a pending event was received, in milliseconds since the epoch. */
  readonly oldestPendingAt?: number
  /**
   * When the oldest delivery was received that has a queued event without a failed attempt, in milliseconds since the epoch.
   * A value that does not change shows that no drainer receives the event.
   */
  readonly oldestQueuedAt?: number
  /** Events that were ever published; never limited, and not less when records are pruned. */
  readonly published: number
}

/** What an inbox lets its operators see and do. */
export interface InboxOperations {
  /** Deliveries by time of receipt, newest first. */
  list(query: DeliveryQuery): Promise<readonly DeliverySummary[]>
  /** How many deliveries match. */
  countDeliveries(filter: DeliveryFilter): Promise<number>
  /** One delivery, or undefined. */
  get(id: string): Promise<DeliveryDetail | undefined>
  /**
   * Makes events due again that are published, queued or dead; those that are pending stay as they are, and as new,
   * so do those that are queued. An event that is held is left to its holder.
   */
  replay(selection: ReplaySelection, options?: ReplayOptions): Promise<ReplayResult>
  /**
   * Turns a quarantined delivery into one with these events, in one transaction, as `record` would have; without any,
   * or with known ones only, nothing is left to do. Its key stays, so that the same bytes are duplicates from then on.
   * Undefined when no such delivery is quarantined, or its body was erased.
   */
  resolve(
    id: string,
    events: readonly EventRecord[],
    options?: { readonly leaseMs?: number },
  ): Promise<RecordResult | undefined>
  /**
   * Erases what a delivery said: its raw body, its headers, and the data of its published events, of which ids, names
   * and subjects stay; its dead events go altogether. Idempotent. Answers whether there is such a delivery.
   *
   * Rejects with `CONFLICT`, and erases nothing, while an event is pending or queued or a notification is pending:
   * they still need the data. What consumers have got is theirs to erase.
   */
  eraseBody(id: string): Promise<boolean>
  /**
   * Deletes a portion of what may go, with short locks. What is pending, queued, dead or quarantined stays whole,
   * however old it is, and keys stay longer than their records.
   */
  prune(options: PruneOptions): Promise<PruneResult>
  /** Counts for metrics, of at most `countUpTo` each. @default 10,000 */
  stats(options?: { readonly countUpTo?: number }): Promise<InboxStats>
}
