import { callHook } from '@sallyport/internal/promises'
import { untilAborted } from '@sallyport/internal/deadline'
import type { Work } from '@sallyport/webhooks'
import { throttle } from './throttle.ts'

/** A kind of work that processes wake each other for. */
export type Topic = Work

export const topics: readonly Topic[] = ['publish', 'notify']

/** Notifies the processes of a database about new work, before their next poll. */
export interface WakeUps {
  /** Notifies local listeners at once and other processes soon, without waiting; frequent calls are combined. */
  notify(topic: Topic): void
  /**
   * Calls the listener for notifications of other processes, and for every topic after a connection is opened, because
   * earlier notifications were missed. Returns a function that ends this.
   */
  listen(listener: (topic: Topic) => void): () => void
  close(): Promise<void>
}

/** One listening connection. */
export interface Session {
  /** Resolves when the connection is lost. */
  readonly ended: Promise<unknown>
  /** Notifies other processes; without topics, checks the connection. Rejects when the connection is lost. */
  send(topics: readonly Topic[]): Promise<unknown>
  close(): void
}

export interface WakeUpsOptions {
  /** Opens a session that passes received topics on. */
  readonly open: (onTopic: (topic: Topic) => void) => Promise<Session>
  /** Called once per outage. */
  readonly onLost: (error: Error) => void
  /** The least time between two messages of a process, in milliseconds. @default 50 */
  readonly intervalMs?: number
  /** How long a session without messages is used before a check, in milliseconds. @default 30,000 */
  readonly heartbeatMs?: number
  /** The longest time between two attempts to connect, in milliseconds. @default 30,000 */
  readonly maximumBackoffMs?: number
  /** From 0 up to 1. @default Math.random */
  readonly random?: () => number
}

/** Creates wake-ups over a session that opens on demand, and again with back-off when it is lost. */
export function createWakeUps(options: WakeUpsOptions): WakeUps {
  const { open, onLost, intervalMs = 50, heartbeatMs = 30_000, maximumBackoffMs = 30_000 } = options
  // eslint-disable-next-line no-restricted-properties -- the default of an option
  const { random = Math.random } = options
  const listeners = new Set<{ readonly listener: (topic: Topic) => void }>()
  const pending = new PendingTopics()
  const closing = new AbortController()
  let running: Promise<void> | undefined

  const onTopic = throttle(intervalMs, (topic: Topic) => {
    for (const { listener } of listeners) callHook(listener, topic)
  })
  const isClosing = () => closing.signal.aborted

  async function connect(): Promise<Session> {
    const opening = open(onTopic.call)
    try {
      return await untilAborted(opening, closing.signal)
    } catch (error) {
      // A session that opens after the close is closed at once.
      if (isClosing()) opening.then(discard, () => undefined)
      throw error
    }
  }

  /** Rejects when the session is lost or the wake-ups are closed. */
  async function serve(session: Session): Promise<never> {
    const over = new AbortController()
    const end = () => {
      over.abort(new Error('The connection that listens was lost'))
    }
    closing.signal.addEventListener('abort', end)
    void session.ended.then(end)
    // The signal may have been aborted while the session was opened.
    if (isClosing()) end()
    try {
      for (const topic of topics) onTopic.call(topic)
      for (;;) {
        await pending.some(heartbeatMs, over.signal)
        over.signal.throwIfAborted()
        await pending.send((sent) => untilAborted(session.send(sent), over.signal))
        await pause(intervalMs, over.signal)
      }
    } finally {
      closing.signal.removeEventListener('abort', end)
      session.close()
    }
  }

  async function run(): Promise<void> {
    let isReported = false
    for (let failures = 0; !isClosing(); failures += 1) {
      try {
        const session = await connect()
        failures = 0
        isReported = false
        await serve(session)
      } catch (error) {
        if (!isClosing() && !isReported) callHook(onLost, error as Error)
        isReported = true
      }
      await pause(random() * Math.min(maximumBackoffMs, 200 * 2 ** failures), closing.signal)
    }
  }

  const start = () => (running ??= run())

  return {
    notify(topic) {
      onTopic.call(topic)
      pending.add(topic)
      void start()
    },
    listen(listener) {
      // One object per call, because the same function may listen twice.
      const entry = { listener }
      listeners.add(entry)
      void start()
      return () => {
        listeners.delete(entry)
      }
    },
    async close() {
      closing.abort()
      onTopic.stop()
      await running
    },
  }
}

const discard = (session: Session) => {
  session.close()
}

/** Disabled wake-ups: all work is found by polling. */
export const noWakeUps: WakeUps = {
  notify: () => undefined,
  listen: () => () => undefined,
  close: () => Promise.resolve(),
}

/**
 * Resolves after the time, when the signal is aborted, or when the function that `early` receives is called. The timer
 * does not keep the process alive.
 */
function pause(milliseconds: number, signal: AbortSignal, early?: (end: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds).unref()
    signal.addEventListener('abort', end)
    early?.(end)
    if (signal.aborted) end()
  })
}

/** The topics that other processes must still be notified of. */
class PendingTopics {
  readonly #topics = new Set<Topic>()
  #wake = () => {}

  add(topic: Topic): void {
    this.#topics.add(topic)
    this.#wake()
  }

  /** Resolves when a topic is pending, after the time, or when the signal is aborted. */
  async some(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (this.#topics.size > 0) return
    await pause(milliseconds, signal, (end) => {
      this.#wake = end
    })
  }

  /** Sends the pending topics; after a failure, they are pending again. */
  async send(to: (topics: readonly Topic[]) => Promise<unknown>): Promise<void> {
    const topics = [...this.#topics]
    this.#topics.clear()
    try {
      await to(topics)
    } catch (error) {
      for (const topic of topics) this.#topics.add(topic)
      throw error
    }
  }
}
