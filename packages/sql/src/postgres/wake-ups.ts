import { untilAborted } from '../until-aborted.ts'
import { pause } from './pause.ts'
import { PendingTopics } from './pending-topics.ts'
import { quietly } from './quietly.ts'
import { throttle } from './throttle.ts'
import { topics, type Topic } from './topics.ts'

/** Tells the processes of a database that there is work, so that they need not wait for their next poll. */
export interface WakeUps {
  /** Tells the listeners here at once and other processes soon, without waiting; of many at once, only one is sent. */
  tell(topic: Topic): void
  /**
   * Calls the listener for what others tell, and for everything once a connection stands: what was told before was
   * missed. Until the returned function is called.
   */
  listen(listener: (topic: Topic) => void): () => void
  close(): Promise<void>
}

/** One connection that listens. */
export interface Session {
  /** Resolves when it is broken. */
  readonly ended: Promise<unknown>
  /** Tells others; without topics, asks whether it still stands. Rejects when it does not. */
  send(topics: readonly Topic[]): Promise<unknown>
  close(): void
}

export interface WakeUpsOptions {
  /** Opens a session, and gives it what it hears. */
  readonly open: (hear: (topic: Topic) => void) => Promise<Session>
  /** Told once until it stands again. */
  readonly onLost: (error: Error) => void
  /** The least time between two messages of a process, in milliseconds. @default 50 */
  readonly intervalMs?: number
  /** How long a silent session is trusted, in milliseconds. @default 30,000 */
  readonly heartbeatMs?: number
  /** The longest time between two attempts to connect, in milliseconds. @default 30,000 */
  readonly maximumBackoffMs?: number
  /** From 0 up to 1. @default Math.random */
  readonly random?: () => number
}

/** Wake-ups over a session that is opened when it is first needed, and again with back-off when it is lost. */
export function createWakeUps(options: WakeUpsOptions): WakeUps {
  const { open, onLost, intervalMs = 50, heartbeatMs = 30_000, maximumBackoffMs = 30_000 } = options
  // eslint-disable-next-line no-restricted-properties -- the default of what is passed in
  const { random = Math.random } = options
  const listeners = new Set<{ readonly listener: (topic: Topic) => void }>()
  const pending = new PendingTopics()
  const closing = new AbortController()
  let running: Promise<void> | undefined

  const hear = throttle(intervalMs, (topic: Topic) => {
    for (const { listener } of listeners) quietly(listener, topic)
  })
  const isClosing = () => closing.signal.aborted

  async function connect(): Promise<Session> {
    const opening = open(hear.call)
    try {
      return await untilAborted(opening, closing.signal)
    } catch (error) {
      // What is still on its way is of no use any more.
      if (isClosing()) opening.then(discard, () => undefined)
      throw error
    }
  }

  /** Rejects when the session is broken, or of no use any more. */
  async function serve(session: Session): Promise<never> {
    const over = new AbortController()
    const end = () => {
      over.abort(new Error('The connection that listens was lost'))
    }
    closing.signal.addEventListener('abort', end)
    void session.ended.then(end)
    // It may have come while the session was opened.
    if (isClosing()) end()
    try {
      for (const topic of topics) hear.call(topic)
      for (;;) {
        await pending.some(heartbeatMs, over.signal)
        over.signal.throwIfAborted()
        await pending.send((told) => untilAborted(session.send(told), over.signal))
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
        if (!isClosing() && !isReported) quietly(onLost, error as Error)
        isReported = true
      }
      await pause(random() * Math.min(maximumBackoffMs, 200 * 2 ** failures), closing.signal)
    }
  }

  const start = () => (running ??= run())

  return {
    tell(topic) {
      // A queue knows of what its own process enqueues.
      if (topic !== 'queue') hear.call(topic)
      pending.add(topic)
      void start()
    },
    listen(listener) {
      // An object of its own for every call: the same function may listen twice.
      const entry = { listener }
      listeners.add(entry)
      void start()
      return () => {
        listeners.delete(entry)
      }
    },
    async close() {
      closing.abort()
      hear.stop()
      await running
    },
  }
}

const discard = (session: Session) => {
  session.close()
}

/** Wake-ups of those who do without: everything is found by polling. */
export const noWakeUps: WakeUps = {
  tell: () => undefined,
  listen: () => () => undefined,
  close: () => Promise.resolve(),
}
