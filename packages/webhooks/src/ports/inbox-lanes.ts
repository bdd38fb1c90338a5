import type { EventStatus } from './inbox-deliveries.ts'

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
