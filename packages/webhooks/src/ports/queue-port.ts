import type { InternalEvent } from './event.ts'
import type { PublishResult } from './ports.ts'

/**
 * A queue that processes share. One receiver at a time has an event under a lease; after the end of the lease, another
 * receiver gets an event that was not acknowledged. Delivery is at least once, roughly in the order of arrival.
 *
 * Receivers pull batches, so that they limit their memory, and settle each event through its {@link ReceivedEvent}, which
 * wraps the handle of the engine.
 */
export interface Queue {
  /**
   * How long a received event is leased, in milliseconds; longer than the timeout of an attempt. It belongs to the queue,
   * because engines fix it when a queue is opened.
   */
  readonly leaseMs: number
  /**
   * Stores events durably and returns a result for each, in the same order. A rejected batch is retried like a batch of a
   * publisher. An id that is still in the queue is a duplicate and is not stored again.
   */
  enqueue(events: readonly InternalEvent[], signal: AbortSignal): Promise<readonly PublishResult[]>
  /** Leases due events that are not leased, oldest first. */
  receive(options: ReceiveOptions): Promise<readonly ReceivedEvent[]>
  /** Ends each wait without an event, completes running operations, and rejects later calls. */
  close(): Promise<void>
}

export interface ReceiveOptions {
  /** The maximum number of events. */
  readonly limit: number
  /**
   * The approximate maximum size of the data, but at least one event is returned; each event has its `bytes`. A queue that
   * ignores the option (`knowsBytes: false` in its conformance suite) may return more than fits into memory.
   */
  readonly maxBytes?: number
  /** How long to wait for a first event, in milliseconds. @default 0 */
  readonly waitMs?: number
  /** Ends the wait; events that are leased by then are returned. */
  readonly signal: AbortSignal
}

/** An event under the lease of a receiver. */
export interface ReceivedEvent {
  readonly event: InternalEvent
  /**
   * How often the event was received before. Each time counts as a failed attempt, also after a crash: for the back-off, and
   * for the decision to bisect a rejected batch at once.
   */
  readonly attempts: number
  /** When the event was enqueued, in milliseconds since the epoch; `giveUpAfterMs` counts from here. */
  readonly since: number
  /** The approximate size of the data, with `maxBytes`; counted against the memory of the receiver. */
  readonly bytes?: number
  /** Removes the event from the queue. Resolves to false without effect when the event is settled or leased again. */
  ack(): Promise<boolean>
  /**
   * Returns the event to the queue, due after this many milliseconds. Resolves to false like `ack`.
   *
   * Rejects with a `TypeError` when the delay is not a finite number.
   */
  retry(afterMs: number): Promise<boolean>
}
