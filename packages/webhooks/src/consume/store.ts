import type { WebhookEvent } from '../ports/event.ts'

/** The consumers of a bus in a database, for operators. */
export interface ConsumerStore {
  /** Reads the state of all consumers, by name. */
  readonly list: () => Promise<readonly ConsumerState[]>
  /** Reads dead letters in the order of the bus. */
  readonly deadLetters: (query: ConsumerQuery) => Promise<readonly ConsumerDeadLetter[]>
  /** Counts the dead letters of a consumer, up to 10,000. */
  readonly countDeadLetters: (consumer: string) => Promise<number>
  /** Reads events whose last attempt failed and that wait for the next one, in the order of the bus. */
  readonly retries: (query: ConsumerQuery) => Promise<readonly ConsumerRetry[]>
  /** Counts them, up to 10,000. */
  readonly countRetries: (consumer: string) => Promise<number>
  /**
   * Makes the consumer handle dead letters again, within about a second, with all their attempts. Those of one subject run in
   * the order of the bus, when the running event of the subject has ended: later events may have been handled before. A dead
   * letter is deleted when its event is handled.
   *
   * @param sequences dead letters; without them, up to 1,000 that are not retried yet, oldest first
   * @returns the number of dead letters that were found
   */
  readonly retry: (consumer: string, sequences?: readonly number[]) => Promise<number>
  /** Deletes a dead letter, also while it is retried. Returns false for an unknown one. */
  readonly discard: (consumer: string, sequence: number) => Promise<boolean>
  /**
   * Deletes a consumer that is no longer started, with its dead letters. Returns false for an unknown consumer, and for one
   * that a process runs.
   */
  readonly remove: (consumer: string) => Promise<boolean>
}

/** A page of the events of a consumer. */
export interface ConsumerQuery {
  readonly consumer: string
  /** Reads events after this sequence. */
  readonly after?: number
  /** Reads events before this sequence: the last ones, still in the order of the bus. */
  readonly before?: number
  /** Passes over this number of events. @default 0 */
  readonly offset?: number
  readonly limit: number
}

/** The state of a consumer. Counts stop at 10,000. */
export interface ConsumerState {
  readonly name: string
  /** The events up to this sequence are settled or wait. */
  readonly position: number
  /** The events that are neither handled nor dead letters, with those that wait. */
  readonly pending: number
  /** When the oldest of them was published, in milliseconds since the epoch. */
  readonly oldestPendingAt: number | undefined
  /** The events that wait for a retry, or for such an event of their subject. */
  readonly waiting: number
  /** The events whose last attempt failed and that wait for the next one: at most one per subject. */
  readonly failing: number
  /** The last error of the oldest of them. */
  readonly lastError: string | undefined
  readonly deadLetters: number
  /** The host and the process that run the consumer, such as `worker-1:4711`. */
  readonly process: string | undefined
}

/** An event of a consumer. The event is undefined if its text is not one. */
interface ConsumerItem {
  readonly sequence: number
  readonly eventId: string
  /** The event without its data. */
  readonly event: WebhookEvent | undefined
}

/** An event that a consumer could not handle. */
export interface ConsumerDeadLetter extends ConsumerItem {
  readonly error: string
  /** In milliseconds since the epoch. */
  readonly deadAt: number
  /** Whether the consumer handles the event again. */
  readonly isRetried: boolean
}

/** An event that waits for its next attempt. */
export interface ConsumerRetry extends ConsumerItem {
  readonly error: string
  readonly failures: number
  /** When the next attempt is due, in milliseconds since the epoch. */
  readonly dueAt: number
}
