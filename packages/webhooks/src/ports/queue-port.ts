import type { InternalEvent } from './event.ts'
import type { PublishResult } from './ports.ts'

/**
 * A queue that processes share: each event goes to one receiver at a time, and to another one when that has not
 * acknowledged it before its lease has ended. At least once, and roughly in the order of arrival.
 *
 * Events are pulled, in batches, and ended one by one through what was received: so an engine keeps its own handle of a
 * message, and whoever pulls decides how much it holds.
 */
export interface Queue {
  /**
   * How long what was received is the receiver's, in milliseconds: at least longer than an attempt takes. It is the
   * queue's, and not asked for with every receive, because engines fix it when a queue is opened.
   */
  readonly leaseMs: number
  /**
   * Takes events in and answers for each in its order, once that is durable. A batch that is rejected is tried again like that
   * of a publisher. An id that is still in the queue is a duplicate: it is not taken in again.
   */
  enqueue(events: readonly InternalEvent[], signal: AbortSignal): Promise<readonly PublishResult[]>
  /** Leases events that are due and that nobody holds, oldest first; none when there are none. */
  receive(options: ReceiveOptions): Promise<readonly ReceivedEvent[]>
  /** Ends every wait with nothing, finishes what is under way, and refuses everything from then on. */
  close(): Promise<void>
}

export interface ReceiveOptions {
  /** So many at most. */
  readonly limit: number
  /**
   * As many of these as have about so much data together, but at least one; each tells its `bytes`. A queue that does not
   * know it (`knowsBytes: false` for its conformance suite) may give more than fits into memory.
   */
  readonly maxBytes?: number
  /** How long to wait for a first event, in milliseconds, when there is none. @default 0 */
  readonly waitMs?: number
  /** Ends the wait; what was leased by then is the answer, so that none is lost until its lease ends. */
  readonly signal: AbortSignal
}

/** An event, held by whoever received it until it is ended or its lease is. */
export interface ReceivedEvent {
  readonly event: InternalEvent
  /**
   * How often it was received before. Each counts as a failure, even where a process died with it: for the back-off, and for
   * whether a batch that a publisher rejects is halved at once.
   */
  readonly attempts: number
  /** When it was enqueued, in milliseconds since the epoch: giving up is counted from here. */
  readonly since: number
  /** About how much data it has, when it was asked for by bytes: what counts against the memory of the receiver. */
  readonly bytes?: number
  /** Takes it out of the queue. False, and without effect, when it has ended or passed to somebody else. */
  ack(): Promise<boolean>
  /**
   * Gives it back, due after so many milliseconds. False, and without effect, as with `ack`.
   *
   * Rejects with a `TypeError` when that is no finite number.
   */
  retry(afterMs: number): Promise<boolean>
}
