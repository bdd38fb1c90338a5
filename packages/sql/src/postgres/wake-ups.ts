import type { Work } from '@sallyport/webhooks'
import { throttle } from './throttle.ts'

/** What there is work of. */
export type Topic = Work | 'queue'

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

export const topics: readonly Topic[] = ['publish', 'notify', 'queue']

/** Wake-ups over a session that is opened when it is first needed, and again with back-off when it is lost. */
export function createWakeUps(options: WakeUpsOptions): WakeUps {
  const { open, onLost, intervalMs = 50, heartbeatMs = 30_000, maximumBackoffMs = 30_000 } = options
  // eslint-disable-next-line no-restricted-properties -- the default of what is passed in
  const { random = Math.random } = options
  const listeners = new Set<{ readonly listener: (topic: Topic) => void }>()
  const pending = new Set<Topic>()
  const state = { closing: false, ended: false, stands: false, idle: false }
  const is = (flag: keyof typeof state) => state[flag]
  let running: Promise<void> | undefined
  let wake = () => {}

  const hear = throttle(intervalMs, (topic: Topic) => {
    for (const { listener } of listeners) listener(topic)
  })

  /** Ends early when it is woken, without holding on to anything. */
  const pause = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds).unref()
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const unlessWoken = <T>(work: Promise<T>) =>
    new Promise<T | undefined>((resolve, reject) => {
      wake = () => {
        resolve(undefined)
      }
      work.then(resolve, reject)
    })

  async function serve(session: Session): Promise<void> {
    void session.ended.then(() => {
      state.ended = true
      wake()
    })
    while (!is('ended') && !is('closing')) {
      state.idle = true
      if (pending.size === 0) await pause(heartbeatMs)
      state.idle = false
      if (is('closing')) return
      const told = [...pending]
      pending.clear()
      await unlessWoken(session.send(told))
      await pause(intervalMs)
    }
    if (!is('closing')) throw new Error('The connection that listens was lost')
  }

  async function connectAndServe(): Promise<void> {
    const opening = open(hear.call)
    const session = await unlessWoken(opening)
    if (session === undefined) {
      // What is still on its way is of no use any more.
      void opening.then(
        (late) => {
          late.close()
        },
        () => undefined,
      )
      return
    }
    Object.assign(state, { stands: true, ended: false })
    try {
      for (const topic of topics) hear.call(topic)
      await serve(session)
    } finally {
      session.close()
    }
  }

  async function run(): Promise<void> {
    for (let failures = 0; !is('closing'); failures = is('stands') ? 0 : failures + 1) {
      state.stands = false
      try {
        await connectAndServe()
      } catch (error) {
        if (is('stands') || failures === 0) onLost(error as Error)
      }
      if (!is('closing')) await pause(random() * Math.min(maximumBackoffMs, 200 * 2 ** failures))
    }
  }

  const start = () => (running ??= state.closing ? Promise.resolve() : run())

  return {
    tell(topic) {
      // A queue knows of what its own process enqueues.
      if (topic !== 'queue') hear.call(topic)
      pending.add(topic)
      if (state.idle) wake()
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
      state.closing = true
      wake()
      hear.stop()
      await running
    },
  }
}

/** Wake-ups of those who do without: everything is found by polling. */
export const noWakeUps: WakeUps = {
  tell: () => undefined,
  listen: () => () => undefined,
  close: () => Promise.resolve(),
}
