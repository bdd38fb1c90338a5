import type { InternalEvent } from './event.ts'
import type { InboxOperations } from './inbox-operations.ts'

/** How an event reaches the bus: at once, or through the shared queue. */
export type Route = 'direct' | 'queue'

/** A verified delivery, as it is recorded. */
export interface DeliveryRecord {
  readonly id: string
  readonly provider: string
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  /** Request headers by lower-case name, secrets and signatures redacted. */
  readonly headers: Readonly<Record<string, string>>
  /** The signed form of the body. */
  readonly body: Uint8Array
  /** The events in it; none when it is quarantined. */
  readonly events: readonly EventRecord[]
  /**
   * Why the delivery is quarantined: a code, and in `detail` the paths and codes of the issues that a schema found, without
   * values. The `key` makes a redelivery of the same bytes a duplicate.
   */
  readonly quarantine?: { readonly key: string; readonly reason: string; readonly detail?: string }
}

export interface EventRecord {
  readonly event: InternalEvent
  readonly route: Route
  /** Whether a notification is due once the event is published. */
  readonly notify: boolean
}

/** What became of each event of a recorded delivery, in its order; one entry for a quarantined delivery. */
export interface RecordResult {
  readonly events: readonly {
    readonly id: string
    /** The key was recorded before, by an earlier delivery or an earlier event of this one. */
    readonly duplicate: boolean
    /** The token of the lease under which it was recorded, when one was asked for and the event is new. */
    readonly lease?: string
  }[]
}

/** The two kinds of work that an inbox holds: events to be published, and notifications of published events. */
export type Work = 'publish' | 'notify'

/** One piece of work, held by whoever has the lease's token until the lease ends. */
export interface ClaimedWork {
  readonly event: InternalEvent
  readonly route: Route
  /** How often it was tried before. */
  readonly attempts: number
  /** When it was first due, in milliseconds since the epoch: giving up is counted from here. */
  readonly since: number
  readonly lease: string
  /** About how much data it has, when it was asked for by bytes: what counts against the memory of the claimer. */
  readonly bytes?: number
}

/** The end of one attempt; without effect when the lease has passed to somebody else. */
export interface Settlement {
  /** The event's id. */
  readonly id: string
  readonly lease: string
  readonly outcome:
    /** `duplicate`: the bus knew the id already, and stored nothing. */
    | { readonly status: 'done'; readonly duplicate?: boolean }
    /**
     * The shared queue has it, and `forwarded` tells of its end. Without that it is due again after so many
     * milliseconds, as if for the first time: the queue has lost it. Of events only.
     */
    | { readonly status: 'queued'; readonly redeliverAfterMs: number }
    /** Try again after so many milliseconds. */
    | { readonly status: 'retry'; readonly afterMs: number; readonly error: string }
    | { readonly status: 'dead'; readonly error: string }
    /** Never tried: anybody may claim it at once. */
    | { readonly status: 'released' }
}

/** A failed attempt to bring an event from the shared queue to the bus. */
export interface ForwardFailure {
  /** The event's. */
  readonly id: string
  /** Why, without secrets or data. */
  readonly error: string
}

/** A published event, by its place in the order of commits. */
export interface PublishedEvent {
  /** Grows with every published event; none appears later below one that was seen. */
  readonly sequence: number
  /** Its `data` is undefined once it was erased. */
  readonly event: InternalEvent
  readonly route: Route
  /** Milliseconds since the epoch. */
  readonly publishedAt: number
}

export interface PublishedQuery {
  /** Only events behind this sequence. @default 0 */
  readonly after?: number
  /** Only events ahead of this sequence; these come in reverse, the nearest first. */
  readonly before?: number
  /** So many of the matching events are skipped. @default 0 */
  readonly offset?: number
  readonly limit: number
  readonly provider?: string
  readonly name?: string
}

/** Durable memory of deliveries: what it has recorded is published at least once, whatever happens to a process. */
export interface Inbox extends InboxOperations {
  /**
   * Records a delivery with its events and the notifications that they will owe, in one transaction, and resolves
   * once that is durable. A key that was recorded before stays as it is and is told as a duplicate; a dead event
   * becomes due again. With `leaseMs`, new events are recorded as claimed by the caller for so long.
   *
   * Rejects with `INBOX_UNAVAILABLE` when it cannot record, or cannot tell whether it has. Nothing was then, or all of
   * it: a connection may break after the commit. Recorded again, it is a duplicate if it was.
   */
  record(record: DeliveryRecord, options?: { readonly leaseMs?: number }): Promise<RecordResult>
  /** Whether each of these ids of events was recorded, and is a duplicate when it comes again. */
  known(ids: readonly string[]): Promise<readonly boolean[]>
  /**
   * Leases up to `limit` pieces of work that are due and that nobody holds: of each provider in turn, so that none
   * starves the others, and of one provider oldest first.
   *
   * With `maxBytes`, as many of these, in their turns, as have about so much data together, but at least one; each tells
   * its `bytes`. An inbox that does not know it may be asked for more than fits into memory.
   *
   * Work that would be due only because the clock was set back is due now: work that began in the future, and work that
   * waits for longer than `longestDelayMs`, the longest delay of any settlement. A lease on it lasts `leaseMs` at most.
   */
  claim(
    work: Work,
    options: {
      readonly limit: number
      readonly leaseMs: number
      readonly maxBytes?: number
      readonly longestDelayMs?: number
    },
  ): Promise<readonly ClaimedWork[]>
  /**
   * Ends attempts; answers for each whether its lease still held. A published event makes its notification due, and
   * one that is published again keeps its first place in `published`.
   */
  settle(work: Work, settlements: readonly Settlement[]): Promise<readonly boolean[]>
  /**
   * Settles events that the shared queue has brought to the bus, by their ids and without a lease: they are published,
   * whatever they were before. Answers for each whether that was new.
   *
   * @param options `duplicates` are the ids that the bus knew already
   */
  forwarded(
    ids: readonly string[],
    options?: { readonly duplicates?: readonly string[] },
  ): Promise<readonly boolean[]>
  /**
   * Settles events that the shared queue could not bring to the bus, by their ids and without a lease: those that were
   * pending or queued are dead, and can be replayed. Answers for each whether that was new.
   */
  abandoned(failures: readonly ForwardFailure[]): Promise<readonly boolean[]>
  /**
   * Notes failed attempts of events that stay in the shared queue and are tried again, by their ids and without a lease:
   * of those that are pending or queued, and changes nothing else of them. Answers for each whether it was one.
   */
  postponed(failures: readonly ForwardFailure[]): Promise<readonly boolean[]>
  /**
   * Makes events due at once that wait for a retry, oldest first, and answers how many. `attempts` and `since` stay, so that
   * an event that fails again keeps its back-off. The next claims give these events in the order of `since`.
   *
   * The dispatcher asks for it in portions when the bus takes events again after an outage. Where an inbox has no such
   * method, each event waits for its own back-off.
   *
   * @param options `route` limits the events to one route
   */
  makeDue?(options: { readonly limit: number; readonly route?: Route }): Promise<number>
  /** Published events in the order of their commits. */
  published(query: PublishedQuery): Promise<readonly PublishedEvent[]>
  /** How many published events match. */
  countPublished(query: Pick<PublishedQuery, 'provider' | 'name'>): Promise<number>
  /** Resolves when the store answers, rejects when it does not. */
  ping(): Promise<void>
  /** Finishes what is under way and gives the store back. */
  close(): Promise<void>
}
