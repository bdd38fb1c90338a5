import type { FailureLimiter, Publisher, Queue } from '@sallyport/webhooks'

/** A bus or a shared queue outside of the database. */
export interface Engine<Opened> {
  /** An example of an address, for error messages. */
  readonly form: string
  /** Reports whether an address is valid for the engine. */
  readonly accepts: (url: URL) => boolean
  /**
   * Loads the driver and opens the engine, which connects in the background. While the engine is unavailable, events wait
   * in the inbox.
   */
  readonly open: (url: string, context: EngineContext) => Promise<Opened>
}

export interface OpenedEngine {
  /** Counts failures for all replicas, if the engine supports it. */
  readonly limiter?: FailureLimiter
  /** Rejects with the reason when it does not answer. */
  readonly ping: () => Promise<unknown>
  /** Waits for running operations, then closes. */
  readonly close: () => Promise<void>
}

/** The options and callbacks for an engine. */
export interface EngineContext {
  /** The timeout of one batch, in whole milliseconds: shorter than the timeout of the dispatcher. */
  readonly timeoutMs: number
  /** The timeout of `close`, in whole milliseconds. */
  readonly closeTimeoutMs: number
  /** Called once when the engine becomes unavailable; the message of the error contains no secret. */
  readonly onUnavailable: (error: unknown) => void
  readonly onAvailable: () => void
  /** Called for a queue item that is not an event and was removed. */
  readonly onUnreadable: (error: unknown) => void
}

export type BusEngine = Engine<OpenedEngine & { readonly publisher: Publisher }>
export type QueueEngine = Engine<OpenedEngine & { readonly queue: Queue }>
