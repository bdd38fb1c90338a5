/** The part of the past that a run reads. Times are in milliseconds since the epoch. */
export interface ReconcileWindow {
  readonly since: number
  readonly until: number
  /** Aborted when the run ends early. */
  readonly signal: AbortSignal
  /** Stores that everything before a time is done, so that a run that ends early continues there. */
  readonly checked: (until: number) => Promise<void>
}

/** A delivery or event that the service believes it could not deliver. */
export interface Missed {
  /**
   * A value that finds the delivery in the inbox, by the filter `value`, such as the id in a header. Of an event: its id.
   */
  readonly id: string
  /** The time of the attempt or event, in milliseconds since the epoch. */
  readonly at: number
}

/** A failed delivery that the service can send again. */
export interface MissedDelivery extends Missed {
  /** Identifies the delivery in requests to the service. */
  readonly ref: string
  /**
   * Whether the attempt succeeded. It ends an earlier request for the delivery, also if the gateway ignored it and the inbox does
   * not have it. @default false
   */
  readonly isDelivered?: boolean
}

/** An event as the service would have sent it. */
export interface MissedEvent extends Missed {
  readonly body: Uint8Array
  /** By lower-case name. @default `content-type: application/json` */
  readonly headers?: Readonly<Record<string, string>>
}

interface Named {
  /** Names the source to operators: lower-case letters, digits, `_` and `-`. */
  readonly name: string
  /** The name of the provider that reads the deliveries. */
  readonly provider: string
  /** The endpoint that receives the deliveries. @default the address without an endpoint */
  readonly endpoint?: string | undefined
}

/** A service that sends its failed deliveries again. Each arrives at the gateway and is verified there. */
export interface RedeliverySource extends Named {
  /** Lists the failed attempts in the window, and any that succeeded, oldest first. */
  readonly list: (window: ReconcileWindow) => AsyncIterable<MissedDelivery>
  /**
   * Asks the service to send a delivery again. Resolves to true if the answer says that the delivery has arrived. Errors with the
   * codes `HTTP_409`, `HTTP_410` and `HTTP_422`, and `HTTP_404` after the first request, are those of one delivery. Others end the
   * run.
   */
  readonly redeliver: (ref: string, signal: AbortSignal) => Promise<boolean>
}

/** A service with a list of its events, which are recorded as if they had arrived. */
export interface FeedSource extends Named {
  /** Lists the events in the window that were not delivered, in any order between two calls of `checked`. */
  readonly list: (window: ReconcileWindow) => AsyncIterable<MissedEvent>
  readonly redeliver?: never
}

/**
 * The deliveries of a service, as its API lists them. An error with `retryAfterMs` pauses the source for this
 * time and does not count as a failure.
 */
export type ReconcileSource = RedeliverySource | FeedSource
