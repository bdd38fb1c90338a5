import type { EventStatus } from './inbox-deliveries.ts'

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
