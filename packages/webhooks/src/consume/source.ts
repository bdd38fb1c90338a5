import type { WebhookEvent } from '../ports/event.ts'

/** A message that a consumer has received and not settled. One of the functions settles it. */
export interface ReceivedMessage {
  /** Decodes the event; throws for a message that is not an event. */
  decode(): WebhookEvent
  /** How often the bus delivered the message before; 0 for a bus that does not count. */
  readonly deliveries: number
  /**
   * Acknowledges the message: no process of the consumer receives it again. `isHandled` is false for an event without a
   * handler.
   */
  ack(isHandled: boolean): Promise<unknown>
  /** Stores the message with the reason as a dead letter, and then acknowledges it. Called again after a rejection. */
  deadLetter(reason: string): Promise<unknown>
  /** Returns the message for the next process of the consumer. */
  release(): Promise<unknown>
  /** Failed attempts that `defer` has stored. @default 0 */
  readonly failures?: number
  /** Whether an earlier message of the lane is deferred: the consumer defers the message without an attempt. */
  isBehind?(): boolean
  /**
   * Stores that the message waits, so that it leaves the memory of the process. It is received again, with its failures:
   * after `afterMs` if its attempt failed, otherwise when the messages of its lane before it are settled. From the call on,
   * `isBehind` is true for the later messages of the lane. Without this function, a message waits in the process.
   */
  defer?(failure?: DeferredFailure): Promise<unknown>
  /** Stores that the handler of the message runs for long: from the call on, `isBehind` is true for the later messages. */
  hold?(): Promise<unknown>
  /**
   * Whether another process has the message for good: its partition, lease or channel is gone. The consumer drops a lost
   * message without an attempt, and calls none of the functions above.
   */
  isLost?(): boolean
}

/** A failed attempt of a message. */
export interface DeferredFailure {
  /** The failed attempts, with this one. */
  readonly failures: number
  /** The text for operators. */
  readonly error: string
  readonly afterMs: number
}

/** The port between a consumer and its bus. */
export interface ConsumerSource {
  /**
   * Creates what is missing on the bus, such as the stream. Called at the start and after each failed `receive`. The signal
   * aborts when the consumer stops, which waits for the promise.
   */
  open(signal: AbortSignal): Promise<unknown>
  /** Waits for messages, at most about a second, and returns up to `limit` messages in their order on the bus. */
  receive(limit: number, signal: AbortSignal): Promise<readonly ReceivedMessage[]>
  /** Extends the leases of messages. Called every `renewMs` for all messages that are not settled. */
  renew?(messages: readonly ReceivedMessage[]): Promise<unknown>
  /** The interval of `renew`, in milliseconds. */
  readonly renewMs?: number
  /** Ends the receipt. Messages that are not settled are delivered again. */
  close(): Promise<unknown>
}
