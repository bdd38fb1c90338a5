import type {
  CancelOptions,
  CancelResult,
  EraseResult,
  EraseSelection,
  PruneOptions,
  PruneResult,
  ReplayOptions,
  ReplayResult,
  ReplaySelection,
} from './inbox-changes.ts'
import type {
  FailureGroups,
  FailureQuery,
  InboxStats,
  NewestCount,
  NewestCountsQuery,
} from './inbox-counts.ts'
import type {
  DeliveryDetail,
  DeliveryFilter,
  DeliveryQuery,
  DeliverySummary,
  EventState,
  RecordedDeliveries,
  RecordedQuery,
} from './inbox-deliveries.ts'
import type {
  DestinationBacklog,
  DestinationEventsQuery,
  LaneChange,
  LaneQuery,
  LaneSummary,
} from './inbox-lanes.ts'
import type {
  ClaimedLane,
  ClaimedWork,
  DeliveryRecord,
  EventRecord,
  ForwardFailure,
  LaneResult,
  LaneSettlement,
  PublishedEvent,
  PublishedQuery,
  PublishedSettlement,
  RecordResult,
  Route,
  Settlement,
  StoredRequest,
  Work,
} from './inbox-work.ts'

/** The part of an inbox that the gateway needs. */
export interface GatewayInbox {
  /**
   * Records a delivery with its events and their pending notifications in one transaction, and resolves once the
   * transaction is durable. A key that is recorded already stays unchanged and is reported as a duplicate; a dead event
   * becomes due again. With `leaseMs`, new events are recorded under a lease of the caller.
   *
   * Rejects with `INBOX_UNAVAILABLE` when the inbox cannot record, or cannot determine whether the transaction was
   * committed, and with `BODY_UNAVAILABLE` when the body cannot be stored outside. The caller may record the delivery again:
   * committed events are duplicates then.
   */
  record(record: DeliveryRecord, options?: { readonly leaseMs?: number | undefined }): Promise<RecordResult>
  /** Reports for each event id whether the id is recorded, so that another event with the id is a duplicate. */
  known(ids: readonly string[]): Promise<readonly boolean[]>
}

/** A lease of a lane, or of an event without a lane. */
export type HeldLease =
  { readonly lane: string; readonly lease: string } | { readonly id: string; readonly lease: string }

/** The part of an inbox that the dispatcher needs. */
export interface DispatcherInbox {
  /**
   * Leases up to `limit` work items that are due and have no lease. The inbox takes items of the providers in turn, so
   * that no provider starves the others, and the oldest items of a provider first.
   *
   * With `maxBytes`, the items have about this much data together, but the result has at least one item; each item has
   * its `bytes`. An inbox that ignores `maxBytes` may return more data than fits into memory.
   *
   * After the clock was set back, work is due now that began in the future or waits for longer than `longestDelayMs`, the
   * longest delay of a settlement. A lease on such work lasts `leaseMs` at most.
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
   * Leases up to `limit` lanes that have due work and no lease, those that wait longest first, each with up to `events` of its
   * next events. After its lease ends or is released, a lane waits behind the others that are due.
   *
   * An ordered lane is due when its first open event is. A paused lane is never due. `maxBytes` and `longestDelayMs` are as
   * those of `claim`.
   */
  claimLanes?(options: {
    readonly limit: number
    readonly events: number
    readonly leaseMs: number
    readonly maxBytes?: number
    readonly longestDelayMs?: number
  }): Promise<readonly ClaimedLane[]>
  /**
   * Makes up to `limit` lanes due whose names begin with a prefix, that are not under a lease and that wait for a delay. A lane
   * whose events are due later waits for them. Returns the number of lanes.
   */
  makeLanesDue?(options: { readonly prefix: string; readonly limit: number }): Promise<number>
  /** Returns the request of a delivery; undefined when the delivery or its body is no longer stored. */
  getRequest?(delivery: string): Promise<StoredRequest | undefined>
  /** Records the outcomes of the events of lanes, as `settle` does, and ends or keeps the leases of the lanes. */
  settleLanes?(settlements: readonly LaneSettlement[]): Promise<readonly LaneResult[]>
  /**
   * Extends leases by `leaseMs` from now, and reports for each whether it was valid.
   */
  renew?(leases: readonly HeldLease[], options: { readonly leaseMs: number }): Promise<readonly boolean[]>
  /**
   * Records the outcomes of attempts and reports for each whether its lease was still valid. A published event makes its
   * notification due. An event that is published again keeps its first position in `published`.
   */
  settle(work: Work, settlements: readonly Settlement[]): Promise<readonly boolean[]>
  /**
   * Settles attempts to publish as `settle` does, and leases the notifications that become due to the caller for `leaseMs`.
   *
   * The dispatcher runs these notifications from memory. With an inbox that does not implement the method, notifications are
   * claimed. A wrapper that replaces `settle` has to replace this method too.
   */
  settlePublished?(
    settlements: readonly Settlement[],
    options: { readonly leaseMs: number },
  ): Promise<readonly PublishedSettlement[]>
  /**
   * Makes work due at once that waits for a retry, and returns the number of items. `attempts` and `since` stay, so that an
   * item that fails again keeps its back-off. The next claims return these items in the order of `since`. Events become due
   * oldest first, notifications in the order of their back-off.
   *
   * The dispatcher calls `makeDue` in batches when a destination accepts work again after an outage. The runner of handlers does
   * so when a handler succeeds again; its destinations are the names of events. With an inbox that does not implement the
   * method, each item waits for its own back-off.
   *
   * @param options `work` is `publish` by default; for `notify`, only the limit counts. `route` limits the events to one route,
   *   `target` to those whose last settlement names this destination. `filter` limits them to those that match, of deliveries
   *   that match; a filter with another status than `pending` matches no event
   */
  makeDue?(options: {
    readonly limit: number
    readonly work?: Work
    readonly route?: Route
    readonly target?: string
    readonly filter?: DeliveryFilter
  }): Promise<number>
}

/** The part of an inbox that the drainer of the shared queue needs. */
export interface DrainerInbox {
  /**
   * Settles events that the drainer published, by their ids and without a lease and from any status. Reports for each whether the status changed.
   *
   * @param options `duplicates` are the ids that the bus had stored before
   */
  forwarded(
    ids: readonly string[],
    options?: { readonly duplicates?: readonly string[] },
  ): Promise<readonly boolean[]>
  /**
   * Settles events that the drainer could not publish, by their ids and without a lease: pending and queued events
   * become dead and can be replayed. Reports for each whether the status changed.
   */
  abandoned(failures: readonly ForwardFailure[]): Promise<readonly boolean[]>
  /**
   * Stores failed attempts of events that the shared queue retries, by their ids and without a lease. Only pending and
   * queued events get the failure. Reports for each whether the failure was stored.
   */
  postponed(failures: readonly ForwardFailure[]): Promise<readonly boolean[]>
}

/** The part of an inbox that the replayer needs. */
export interface ReplayerInbox extends Pick<GatewayInbox, 'known'> {
  /** Returns one delivery, or undefined. */
  get(id: string): Promise<DeliveryDetail | undefined>
  /**
   * Makes published, queued and dead events due again. Pending events stay as they are; with `asNew`, queued events do
   * too. An event under a lease stays with the owner of the lease.
   */
  replay(selection: ReplaySelection, options?: ReplayOptions): Promise<ReplayResult>
  /**
   * Releases a delivery from quarantine with these events, in one transaction, as `record` would store them. Without an
   * event, or with duplicates only, the delivery has no pending work. The key of the delivery stays, so that the same
   * bytes are duplicates from then on. Resolves to undefined when the delivery is not in quarantine or has no body.
   */
  resolve(
    id: string,
    events: readonly EventRecord[],
    options?: { readonly leaseMs?: number },
  ): Promise<RecordResult | undefined>
}

/** The part of an inbox that retention needs. */
export interface RetentionInbox {
  /**
   * Deletes a batch of expired rows with short locks. Pending, queued, dead and quarantined rows stay whole, however old
   * they are, and keys stay longer than their records.
   */
  prune(options: PruneOptions): Promise<PruneResult>
}

/** The part of an inbox that operators need: lists, counts and erasure. */
export interface OperatorInbox extends Pick<ReplayerInbox, 'get'> {
  /** Lists deliveries by time of receipt, newest first. */
  list(query: DeliveryQuery): Promise<readonly DeliverySummary[]>
  /** Counts the deliveries that match; the count stops at `countUpTo`. @default no limit */
  countDeliveries(filter: DeliveryFilter, options?: { readonly countUpTo?: number }): Promise<number>
  /**
   * Returns a sequence up to which no further delivery can appear: every delivery with this sequence or a lower one is
   * committed, or never will be. The result stays behind while a transaction that records a delivery is open.
   */
  lastRecorded(): Promise<number>
  /** Reads deliveries by their sequence. A reader that continues after `next` misses no delivery and reads none twice. */
  recorded(query: RecordedQuery): Promise<RecordedDeliveries>
  /**
   * Lists published events in the order of their commits. An event that only destinations receive is listed once, at its first
   * publication.
   */
  published(query: PublishedQuery): Promise<readonly PublishedEvent[]>
  /** Counts the published events that match. */
  countPublished(query: Pick<PublishedQuery, 'provider' | 'endpoint' | 'endpoints' | 'name'>): Promise<number>
  /** Groups the newest failing events by status, provider, kind, last error and destination. */
  failures(query: FailureQuery): Promise<FailureGroups>
  /** Groups the newest events and counts their deliveries. The group with most deliveries is first; equal ones are sorted by name. */
  newestCounts(query: NewestCountsQuery): Promise<readonly NewestCount[]>
  /** Counts for metrics; each count stops at `countUpTo`. @default 10,000 */
  stats(options?: { readonly countUpTo?: number }): Promise<InboxStats>
  /** Counts the pending events of the destinations that have any. */
  destinationBacklogs?(): Promise<readonly DestinationBacklog[]>
  /** Lists events of a destination, whose ids begin with `>name/`. */
  destinationEvents?(query: DestinationEventsQuery): Promise<readonly EventState[]>
  /** Lists lanes that have open events or are paused. */
  listLanes?(query: LaneQuery): Promise<readonly LaneSummary[]>
  /**
   * Pauses a lane by its name: `claimLanes` passes it until it is resumed. A lane without open events can be paused too. The owner
   * of a lease finishes its events. Reports whether the lane was not paused before.
   */
  pauseLane?(name: string): Promise<boolean>
  /** Resumes a paused lane. Reports whether the lane was paused. */
  resumeLane?(name: string): Promise<boolean>
  /**
   * Makes the first open event of a lane a dead letter with the error `Skipped by an operator`. Changes nothing if another
   * event is the first one.
   */
  skipLaneHead?(name: string, event: string): Promise<LaneChange>
  /** Makes the first open event of a lane due now; its attempts and its back-off stay. A paused lane stays paused. */
  retryLaneHead?(name: string): Promise<LaneChange>
  /**
   * Makes up to `limit` open events of a lane dead letters with the error `Cancelled by an operator`, in their order. As many
   * changed events as the limit: more may be open.
   */
  cancelLane?(name: string, options: { readonly limit: number }): Promise<LaneChange>
  /**
   * Cancels pending events that match a filter, oldest first: they become dead letters with the error `Cancelled by an operator`,
   * and can be replayed. An event under a lease stays pending and is reported as busy; its lane stays free for 5 seconds once the
   * lease ends. Queued events stay.
   */
  cancel(options: CancelOptions): Promise<CancelResult>
  /**
   * Erases the content of a delivery: the raw body, the headers, the query, and the data, the subjects and the errors of its
   * published events, whose ids and names stay. Dead events are deleted. Keys stay, so that a redelivery is a duplicate.
   * Idempotent. Reports whether the delivery exists.
   *
   * Rejects with `CONFLICT`, and erases nothing, while an event is pending or queued or a notification is pending: both
   * still need the data. Copies that consumers received are not erased.
   */
  eraseBody(id: string): Promise<boolean>
  /**
   * Erases one batch of the deliveries that match a filter, oldest first, as `eraseBody` does, and cancels their pending events and
   * notifications before. A delivery with work under a lease, or with a queued event, stays whole and is reported as busy:
   * repeat the erasure in a second, because its lanes stay free for 5 seconds once their leases end.
   */
  erase(selection: EraseSelection): Promise<EraseResult>
}

/** The connection of an inbox to its store. */
interface InboxConnection {
  /** Resolves when the store responds, and rejects otherwise. */
  ping(): Promise<void>
  /** Completes running operations and releases the store. */
  close(): Promise<void>
}

/**
 * The durable store of deliveries: `createGateway` and `createDispatcher` need no more than this.
 *
 * The inbox publishes each recorded event at least once, also after a crash of a process.
 */
export interface Inbox extends GatewayInbox, DispatcherInbox {}

/** An inbox with all parts, as `createMemoryInbox` and `@sallyport/sql` implement it. */
export interface CompleteInbox
  extends Inbox, DrainerInbox, ReplayerInbox, RetentionInbox, OperatorInbox, InboxConnection {}
