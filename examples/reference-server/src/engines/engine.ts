import type { FailureLimiter, Publisher, Queue } from '@sallyport/webhooks'

/** What is outside of the database: a bus, or a shared queue. */
export interface Engine<Opened> {
  /** How an address of it reads, for whoever has written another. */
  readonly form: string
  /** Whether it is such an address. */
  readonly accepts: (url: URL) => boolean
  /**
   * Opens it, and loads its driver only now. It does not have to answer: what it is for waits in the inbox, and it is
   * connected to in the background.
   */
  readonly open: (url: string, surroundings: EngineSurroundings) => Promise<Opened>
}

export interface OpenedEngine {
  /** Counts failures for all replicas, where the engine can. */
  readonly limiter?: FailureLimiter
  /** Rejects with the reason when it does not answer. */
  readonly ping: () => Promise<unknown>
  /** Finishes what is under way. */
  readonly close: () => Promise<void>
}

/** What an engine is opened with. */
export interface EngineSurroundings {
  /** How long one batch may take, in whole milliseconds: less than whoever gives it one waits. */
  readonly timeoutMs: number
  /** How long its end may take, in whole milliseconds. */
  readonly closeTimeoutMs: number
  /** Told once when it does not answer; the error's message holds no secret. */
  readonly onUnavailable: (error: unknown) => void
  readonly onAvailable: () => void
  /** Told of what a queue held that is no event, and was taken out. */
  readonly onUnreadable: (error: unknown) => void
}

export type BusEngine = Engine<OpenedEngine & { readonly publisher: Publisher }>
export type QueueEngine = Engine<OpenedEngine & { readonly queue: Queue }>
