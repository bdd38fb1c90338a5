import type { WebhookEvent } from './event.ts'

/** How an event reaches the bus: directly, or through the shared queue. */
export type Route = 'direct' | 'queue'

/** A verified delivery to record. */
export interface DeliveryRecord {
  readonly id: string
  readonly provider: string
  /** The id of the endpoint that received the delivery. */
  readonly endpoint?: string | undefined
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  /** Request headers by lower-case name, secrets and signatures redacted. */
  readonly headers: Readonly<Record<string, string>>
  /** The query of the request without `?`, credentials redacted. @default no query */
  readonly query?: string | undefined
  /** The signed form of the body. */
  readonly body: Uint8Array
  /** Texts that find the delivery exactly, such as the id of the service: different, not empty, and of at most 200 characters. @default [] */
  readonly values?: readonly string[]
  /** Empty for a quarantined delivery. */
  readonly events: readonly EventRecord[]
  /**
   * Set for a quarantined delivery. `reason` is a code; `detail` has the paths and codes of the schema's issues, without
   * values. The `key` makes a redelivery of the same bytes a duplicate.
   */
  readonly quarantine?: { readonly key: string; readonly reason: string; readonly detail?: string }
}

/** The request of a delivery, as the inbox stores it. */
export interface StoredRequest {
  /** By lower-case name, secrets and signatures redacted. */
  readonly headers: Readonly<Record<string, string>>
  readonly query?: string
  readonly body: Uint8Array
}

/** The lane of an event: events of one lane are handled in order, or one at a time in any order. */
export interface Lane {
  /** Such as the id of an endpoint or the subject of an event. */
  readonly name: string
  /** Whether a failed event delays the later ones of its lane. */
  readonly isOrdered: boolean
}

export interface EventRecord {
  readonly event: WebhookEvent
  readonly route: Route
  /** Events with a lane are claimed with `claimLanes`; `claim` returns the others. @default none */
  readonly lane?: Lane | undefined
  /** Whether a notification is due once the event is published. */
  readonly notify: boolean
  /**
   * Whether the data is the JSON of the delivery's body, so that a store can keep the bytes of the body instead of a second
   * serialization. @default false
   */
  readonly dataIsBody?: boolean
}

/** One result per event of a recorded delivery, in the same order; one result for a quarantined delivery. */
export interface RecordResult {
  readonly events: readonly {
    readonly id: string
    /** The key was recorded before, by an earlier delivery or by an earlier event of the same delivery. */
    readonly duplicate: boolean
    /**
     * The token of the lease; set for a new event that was recorded with `leaseMs`. The lease of an event with a lane is that
     * of the lane: it is set only for the events of a delivery whose lane had no open event and no lease before.
     */
    readonly lease?: string
  }[]
}

/** The kinds of work in an inbox: publishing events, and notifying operators of published events. */
export type Work = 'publish' | 'notify'

/** A work item under a lease; only the owner of the token may settle the item before the lease ends. */
export interface ClaimedWork {
  readonly event: WebhookEvent
  readonly route: Route
  /** The number of earlier attempts. */
  readonly attempts: number
  /** When the item was first due, in milliseconds since the epoch; `giveUpAfterMs` counts from here. */
  readonly since: number
  readonly lease: string
  /** The approximate size of the data; set for a claim with `maxBytes`, and counted against the memory of the caller. */
  readonly bytes?: number
}

/** The answer of a destination to a failed attempt. */
export interface AttemptResponse {
  /** The HTTP status; absent without an answer. */
  readonly status?: number
  readonly durationMs: number
  /** The start of the body, at most 4,096 characters. */
  readonly body?: string
}

/** The outcome of one attempt; without effect when the lease has expired and another process has a new one. */
export interface Settlement {
  /** The id of the event. */
  readonly id: string
  readonly lease: string
  readonly outcome:
    /** `duplicate`: the bus had stored the id before, and stored nothing. */
    | { readonly status: 'done'; readonly duplicate?: boolean }
    /**
     * The event is in the shared queue until the drainer calls `forwarded` or `abandoned`. Without this call the event is
     * due again after `redeliverAfterMs`, without attempts and with the same `since`. Notifications are never queued.
     */
    | { readonly status: 'queued'; readonly redeliverAfterMs: number }
    /** Retry after `afterMs` milliseconds. `targets` names the destinations that the event waits for, or its handler; `makeDue` selects by them. */
    | {
        readonly status: 'retry'
        readonly afterMs: number
        readonly error: string
        readonly targets?: readonly string[]
        readonly response?: AttemptResponse
      }
    | { readonly status: 'dead'; readonly error: string; readonly response?: AttemptResponse }
    /** No attempt was made: the item can be claimed after `afterMs` milliseconds. @default 0 */
    | { readonly status: 'released'; readonly afterMs?: number }
}

/** A lane under a lease, with its next events. */
export interface ClaimedLane {
  readonly name: string
  /** Only the owner of the token may settle the lane and its events before the lease ends. */
  readonly lease: string
  /** The next events in their order: those of an ordered lane follow each other; the others are due. */
  readonly works: readonly ClaimedWork[]
}

/** The outcomes of events of a claimed lane; without effect when another process has the lease. */
export interface LaneSettlement {
  readonly name: string
  readonly lease: string
  /** In the order of the attempts. The `lease` of each settlement is that of the lane. */
  readonly settlements: readonly Settlement[]
  /** Whether the lease ends. Otherwise the owner continues with further events of the lane. */
  readonly releases: boolean
  /** After how many milliseconds a released lane is due at the earliest. A new event does not end the delay. @default 0 */
  readonly afterMs?: number
  /** Whether the lane is paused, so that an operator resumes it. @default false */
  readonly pauses?: boolean
}

export interface LaneResult {
  /** Whether the lease was valid. */
  readonly isSettled: boolean
  /** Whether the lane has work that is due now. */
  readonly isDue: boolean
}

/** The result of a settled attempt to publish. */
export interface PublishedSettlement {
  /** Whether the lease of the attempt was still valid. */
  readonly settled: boolean
  /** The token of the lease on the notification of the event; set when the notification became due. */
  readonly notificationLease?: string
}

/** A failed attempt to publish an event of the shared queue. */
export interface ForwardFailure {
  /** The id of the event. */
  readonly id: string
  /** The reason, without secrets or data. */
  readonly error: string
}

/** A published event with its position in the order of commits. */
export interface PublishedEvent {
  /** Grows with every published event: a reader that continues after a sequence misses no event. */
  readonly sequence: number
  /** `data` is undefined when the data was erased. */
  readonly event: WebhookEvent
  readonly route: Route
  /** Milliseconds since the epoch. */
  readonly publishedAt: number
}

export interface PublishedQuery {
  /** Only events of the endpoint with this id. */
  readonly endpoint?: string
  /** The ids of endpoints: only what one of them received, and nothing without an endpoint. */
  readonly endpoints?: readonly string[]
  /** Only events after this sequence. @default 0 */
  readonly after?: number
  /** Only events before this sequence, in descending order. */
  readonly before?: number
  /** The number of matching events to skip. @default 0 */
  readonly offset?: number
  readonly limit: number
  readonly provider?: string
  readonly name?: string
}
