import type { DeliveryFilter, DeliveryPosition } from './inbox-deliveries.ts'

// What operators and retention change.

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
