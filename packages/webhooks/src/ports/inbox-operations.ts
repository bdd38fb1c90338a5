import type { WebhookEvent } from './event.ts'
import type { AttemptResponse, Route } from './inbox-work.ts'

export type EventStatus = 'pending' | 'queued' | 'published' | 'dead'

/**
 * The status of a delivery: `quarantined` when the provider could not normalize it; otherwise the first of `dead`,
 * `pending` and `queued` that any of its events has; otherwise `published`.
 */
export type DeliveryStatus = EventStatus | 'quarantined'

/** Whether the raw body is stored, was deleted by retention, or was erased by an operator. */
export type BodyState = 'stored' | 'pruned' | 'erased'

/** A delivery in a list. */
export interface DeliverySummary {
  readonly id: string
  readonly provider: string
  /** The id of the endpoint that received the delivery. */
  readonly endpoint?: string
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  /** Orders deliveries with equal `receivedAt`; unique. */
  readonly sequence: number
  readonly status: DeliveryStatus
  /** The code of the reason for the quarantine. */
  readonly reason?: string
  /** Paths and codes of the issues that a schema found in a quarantined delivery, without values. */
  readonly reasonDetail?: string
  readonly bodyState: BodyState
  /** The length of the body on receipt. */
  readonly bodyBytes: number
  /** The kind of the first event: its name without the provider. Absent without events. */
  readonly kind?: string
  /** The subject of the first event. */
  readonly subject?: string
  /** The most attempts of an event since it was recorded or replayed, including a successful attempt. 0 without events. */
  readonly attempts: number
  /** The last error of the newest event that is not published and has a failed attempt. */
  readonly lastError?: string
  /** The number of events per status; a duplicate counts for the delivery that recorded it first. */
  readonly events: Readonly<Record<EventStatus, number>>
}

/** One failed attempt. */
export interface Failure {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly error: string
  /** Set for an attempt at a destination. */
  readonly response?: AttemptResponse
}

/** The notification of an event: `waiting` until the event is published. */
export interface NotificationState {
  readonly status: 'waiting' | 'pending' | 'sent' | 'dead'
  readonly attempts: number
  /** When the notification is due, in milliseconds since the epoch; set while it is pending. */
  readonly dueAt?: number
  /** The newest 20 failed attempts, oldest first. */
  readonly failures: readonly Failure[]
}

/** An event of a delivery with its status. */
export interface EventState {
  /** `data` is undefined when the data was erased. */
  readonly event: WebhookEvent
  readonly route: Route
  readonly status: EventStatus
  /** Attempts since the event was recorded or replayed. */
  readonly attempts: number
  /** When the event is due, in milliseconds since the epoch; set while the event is pending or queued. */
  readonly dueAt?: number
  /** When the lease of the event ends, in milliseconds since the epoch. */
  readonly leaseEndsAt?: number
  /** When the event was first published, in milliseconds since the epoch. */
  readonly publishedAt?: number
  /**
   * True when the bus reported the id as a duplicate at the last publication and stored nothing.
   *
   * @default false
   */
  readonly duplicate?: boolean
  /** The newest 20 failed attempts, oldest first; a later success or replay keeps them. */
  readonly failures: readonly Failure[]
  readonly notification?: NotificationState
}

/** A delivery with its headers, query, body and events. */
export interface DeliveryDetail extends Omit<DeliverySummary, 'events'> {
  /** Empty when the body was erased. */
  readonly headers: Readonly<Record<string, string>>
  /** The query of the request without `?`, credentials redacted. Absent without a query, and when the body was erased. */
  readonly query?: string
  /** Set while `bodyState` is `stored`. */
  readonly body?: Uint8Array
  readonly events: readonly EventState[]
}

/**
 * Selects deliveries that match all given conditions.
 *
 * `kind`, `subject`, `minAttempts`, `error` and `destination` select deliveries with an event that matches all five. With `status`, this
 * event has the status.
 */
export interface DeliveryFilter {
  readonly status?: DeliveryStatus
  /** `quarantined`: in quarantine. `accepted`: all other deliveries. */
  readonly outcome?: 'accepted' | 'quarantined'
  /** The code of the reason for the quarantine. */
  readonly reason?: string
  /** The id of a delivery. */
  readonly id?: string
  /** The current or a former id of an event. */
  readonly eventId?: string
  readonly provider?: string
  readonly endpoint?: string
  /** The ids of endpoints: only what one of them received, and nothing without an endpoint. */
  readonly endpoints?: readonly string[]
  /** In milliseconds since the epoch, exclusive. */
  readonly receivedAfter?: number
  /** In milliseconds since the epoch, exclusive. */
  readonly receivedBefore?: number
  /** The name of an event without the provider. A trailing `*` matches all kinds with this prefix. */
  readonly kind?: string
  readonly subject?: string
  /** A value of the delivery, exactly: an id of the service, a request id, or a value at a search path. */
  readonly value?: string
  /** The start of the subject of an event, the id of a delivery or of an event, or a value of a delivery. */
  readonly text?: string
  /** The least attempts of an event, including a successful attempt. */
  readonly minAttempts?: number
  /** The exact last error of an event that is not published. */
  readonly error?: string
  /** The destination of an event. A replay of the filter has the events of this destination only. */
  readonly destination?: string
}

/** A position in a list of deliveries, which is ordered by time of receipt, then by sequence. */
export type DeliveryPosition = Pick<DeliverySummary, 'receivedAt' | 'sequence'>

export interface DeliveryQuery extends DeliveryFilter {
  /** The order of the list. Query a previous page in the opposite order. @default 'newest' */
  readonly order?: 'newest' | 'oldest'
  /** Only deliveries after this position; the delivery at the position may have been deleted. */
  readonly after?: DeliveryPosition
  /** The number of matching deliveries to skip. @default 0 */
  readonly offset?: number
  readonly limit: number
}

/** Reads recorded deliveries in the order of their commits. */
export interface RecordedQuery extends DeliveryFilter {
  /** Only deliveries after this sequence. */
  readonly after: number
  /** Only deliveries up to this sequence, which `lastRecorded` returned. */
  readonly upTo: number
  /** The maximum number of deliveries that are read; a filter may remove all of them. */
  readonly limit: number
}

export interface RecordedDeliveries {
  /** The matching deliveries, ordered by their sequence. */
  readonly deliveries: readonly DeliverySummary[]
  /** The sequence to continue after; `upTo` once all deliveries are read. */
  readonly next: number
}

/** Selects the deliveries to replay: by their ids, or one batch of the deliveries that match a filter, oldest first. */
export type ReplaySelection =
  | { readonly ids: readonly string[] }
  | {
      /** With a status, only the events of that status are replayed. */
      readonly filter: DeliveryFilter
      /** The end of the previous batch. */
      readonly after?: DeliveryPosition
      /** The maximum number of deliveries in the batch. */
      readonly limit: number
    }

export interface ReplayResult {
  /** The selected deliveries in their order, without unknown ids. */
  readonly deliveries: readonly {
    readonly id: string
    /**
     * `replayed`: events are due again. `unchanged`: all events are pending already. `quarantined`: the delivery has to be
     * normalized again and passed to `resolve`. `erased`: the data was erased.
     */
    readonly outcome: 'replayed' | 'unchanged' | 'quarantined' | 'erased'
    /** The ids of the events that are due again. */
    readonly events: readonly string[]
    /**
     * The number of these events that were published before under the same id. A bus that deduplicates stores nothing.
     *
     * @default 0
     */
    readonly republished?: number
    /**
     * The number of these events that a consumer with `once` has handled. The consumer skips them, unless the replay has
     * `reprocess`.
     *
     * @default 0
     */
    readonly handled?: number
  }[]
  /** The start of the next batch; absent after the last batch. */
  readonly next?: DeliveryPosition
}

export interface ReplayOptions {
  /**
   * Publishes the events under fresh ids, `<provider>:replay:<uuid>:<number>`, so that consumers process them as new
   * events, and notifies of them again. A published event is copied, unless it is a copy already; a dead event gets the
   * fresh id itself. An event of a quarantined delivery gets a fresh id when its own id is known.
   *
   * By default the ids stay, so that a bus that deduplicates stores each event once. No notification is sent twice; a
   * dead notification is due again after its event is published.
   *
   * @default false
   */
  readonly asNew?: boolean
  /**
   * Lets consumers handle the events again under their ids: deletes the records of `once` in the same transaction, and the
   * events from the embedded bus, which stores them again. Another bus may still know the ids. No effect with
   * `asNew`.
   *
   * @default false
   */
  readonly reprocess?: boolean
  /** Replays only the rows of a destination. @default the destination of the filter, otherwise all rows */
  readonly destination?: string
  /**
   * Called in the transaction of the replay with its result, to store progress together with the replay. A rejection undoes
   * both. `transaction` is a value of the inbox, for stores of the same database; an inbox in memory has none and undoes
   * nothing.
   */
  readonly save?: (result: ReplayResult, transaction: unknown) => Promise<void>
}

/** Selects lanes that have open events or are paused. */
export interface LaneQuery {
  /**
   * `attempts`: the most failed attempts at the first event first. `oldest`: by the `since` of the first event. `busiest`: only
   * lanes with open events, the most events first.
   */
  readonly order: 'attempts' | 'oldest' | 'busiest'
  readonly state?: LaneSummary['state']
  readonly name?: string
  readonly limit: number
}

/** A lane in a list. Times are in milliseconds since the epoch. */
export interface LaneSummary {
  readonly name: string
  /**
   * `paused`; otherwise `stuck` if the last attempt at the first event failed; otherwise `running` under a lease, and `waiting`
   * without one.
   */
  readonly state: 'stuck' | 'paused' | 'running' | 'waiting'
  readonly isOrdered: boolean
  /** Set while the lane is paused. */
  readonly pausedAt?: number
  /** When the lease of the lane ends. */
  readonly leaseEndsAt?: number
  /** The number of open events; the count stops at 1,000. */
  readonly events: number
  /** The first open event. */
  readonly first?: {
    readonly id: string
    readonly name: string
    readonly deliveryId: string
    /** The id of the endpoint of the delivery. */
    readonly endpoint?: string
    readonly attempts: number
    /** When the event was first due. */
    readonly since: number
    readonly dueAt: number
    /** The error of the last attempt. */
    readonly lastError?: string
  }
}

/** The events that wait for a destination. */
export interface DestinationBacklog {
  readonly name: string
  /** The number of pending events; the count stops at 1,000 for each lane. */
  readonly events: number
  /** When the oldest of them was first due, in milliseconds since the epoch. */
  readonly oldestAt?: number
}

/** Selects events of a destination, by the receipt of their deliveries, newest first. */
export interface DestinationEventsQuery {
  readonly destination: string
  /** @default all */
  readonly status?: EventStatus
  readonly limit: number
}

/** The result of a change of the first events of a lane. */
export interface LaneChange {
  /** The number of changed events. */
  readonly events: number
  /**
   * Whether nothing was changed because the lane is under a lease. Once the lease ends, the lane stays free for 5 seconds after
   * this call: try again in a second.
   */
  readonly isBusy: boolean
}

/** Selects the events to cancel. */
export interface CancelOptions {
  /** A filter with another status than `pending` matches no event. */
  readonly filter: DeliveryFilter
  /** The maximum number of events. */
  readonly limit: number
}

export interface CancelResult {
  /** The number of cancelled events. As many as the limit: more may match. */
  readonly events: number
  /** The number of matching events that stay pending, because they are under a lease; the count stops at the limit. */
  readonly busy: number
}

/** Selects one batch of the deliveries to erase. */
export interface EraseSelection {
  readonly filter: DeliveryFilter
  /** The end of the previous batch. */
  readonly after?: DeliveryPosition
  /** The maximum number of deliveries in the batch. */
  readonly limit: number
}

export interface EraseResult {
  /** The number of erased deliveries, without those that were erased before. */
  readonly deliveries: number
  /** The number of their events that were pending. */
  readonly cancelled: number
  /** The number of deliveries that stay, because their work is under way. */
  readonly busy: number
  /** The start of the next batch; absent after the last batch. */
  readonly next?: DeliveryPosition
}

/** Selects failing events: dead ones, and others whose last attempts failed since they were recorded or replayed. */
export interface FailureQuery {
  /** @default all three */
  readonly status?: FailureGroup['status']
  readonly provider?: string
  readonly endpoint?: string
  /** The ids of endpoints: only what one of them received, and nothing without an endpoint. */
  readonly endpoints?: readonly string[]
  /**
   * Only the newest failing events are read, by the receipt of their deliveries: at least this number, of the given status. The
   * provider and the endpoints select among them.
   */
  readonly limit: number
}

/** Failing events with the same status, provider, kind, last error and destination. */
export interface FailureGroup {
  readonly status: 'pending' | 'queued' | 'dead'
  readonly provider: string
  /** The name of the events without the provider. */
  readonly kind: string
  /** The last error. Absent if the error was not stored. */
  readonly error?: string
  /** Absent for the bus and the handlers. */
  readonly destination?: string
  /** The number of events. */
  readonly events: number
  /** When the oldest delivery of the group was received, in milliseconds since the epoch. */
  readonly firstReceivedAt: number
  /** When the newest delivery of the group was received, in milliseconds since the epoch. */
  readonly lastReceivedAt: number
  /** The id of the newest delivery. */
  readonly newestDelivery: string
  /** The id of the endpoint that received the newest delivery. */
  readonly newestEndpoint?: string
  /** How many endpoints received the deliveries; at least, when more than 100 numbers of attempts occur. */
  readonly endpoints: number
}

export interface FailureGroups {
  /** The group with the newest delivery first. */
  readonly groups: readonly FailureGroup[]
  /** Whether older failing events were not read. */
  readonly truncated: boolean
}

/** Selects groups of the newest events. */
export interface NewestCountsQuery {
  readonly by: 'provider' | 'kind' | 'endpoint'
  /** The number of newest events that are read. */
  readonly newest: number
  /** The maximum number of groups. */
  readonly limit: number
}

/** The newest events of one provider, or of one of its kinds or endpoints. */
export interface NewestCount {
  readonly provider: string
  /** The name of the events without the provider; only by kind. */
  readonly kind?: string
  /** Only by endpoint. */
  readonly endpoint?: string
  /** The number of deliveries that have the events. */
  readonly deliveries: number
  /** When the oldest of the deliveries was received, in milliseconds since the epoch. */
  readonly firstReceivedAt: number
  readonly lastReceivedAt: number
  /** The median time from the receipt to the publication, in milliseconds. Absent without a published event. */
  readonly latencyMs?: number
}

/** Limits of retention. Ages are in milliseconds by the clock of the store. */
export interface PruneOptions {
  /** Deletes records of this age or older, since their publication. */
  readonly publishedForMs?: number
  /** Deletes raw bodies of this age or older, since their receipt. */
  readonly bodiesForMs?: number
  /** Deletes the oldest bodies until all stored bodies fit into this number of bytes. */
  readonly bodyBytes?: number
  /** Deletes keys of this age or older whose records are deleted. */
  readonly keysForMs?: number
  /**
   * Nothing is deleted by its age before the clock of the store has run steadily for this long, since the inbox was opened and
   * since its last jump. A clock that is far ahead for a moment makes everything look old.
   *
   * @default 0
   */
  readonly steadyForMs?: number
  /** The maximum number of rows per kind. @default 1,000 */
  readonly limit?: number
}

export interface PruneResult {
  /** Deleted events, each with its notification. */
  readonly events: number
  /** Deleted deliveries: all their events are deleted. */
  readonly deliveries: number
  readonly bodies: number
  /** Deleted idempotency keys; an event that was replayed under fresh ids has one key per id. */
  readonly keys: number
  /** Whether another call may delete more. */
  readonly more: boolean
}

/** Counts for metrics; each count stops at the requested limit. */
export interface InboxStats {
  readonly events: Readonly<Record<Exclude<EventStatus, 'published'>, number>>
  readonly notifications: Readonly<Record<'pending' | 'dead', number>>
  readonly quarantined: number
  /** When the oldest delivery with a pending event was received, in milliseconds since the epoch. */
  readonly oldestPendingAt?: number
  /**
   * When the oldest delivery with a queued event without a failed attempt was received, in milliseconds since the epoch.
   * A value that does not change shows that no drainer receives the event.
   */
  readonly oldestQueuedAt?: number
  /** Absent without lanes in the inbox. `open` and `stuck` lanes have open events. */
  readonly lanes?: {
    readonly open: number
    readonly stuck: number
    readonly paused: number
    /** When the first event of a lane that is not paused was first due, in milliseconds since the epoch: the oldest one. */
    readonly oldestPendingAt?: number
  }
  /** All events that were ever published, without a limit; retention does not reduce the count. */
  readonly published: number
}
