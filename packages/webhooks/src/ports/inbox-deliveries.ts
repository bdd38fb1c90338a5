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
