/** Work that runs in the background. */
interface Loop {
  /** Aborted by `stop`. */
  readonly signal: AbortSignal
  readonly start: () => void
  /** Resolves when the work has ended. */
  readonly stop: () => Promise<void>
}

/**
 * Creates work that runs from `start` until its signal aborts.
 *
 * @param createReason creates the reason of the signal. @default an `AbortError`
 */
export function createLoop(run: (signal: AbortSignal) => Promise<void>, createReason?: () => Error): Loop {
  let stopping = new AbortController()
  let running: Promise<void> | undefined
  return {
    get signal() {
      return stopping.signal
    },
    start() {
      if (running !== undefined) return
      stopping = new AbortController()
      running = run(stopping.signal)
    },
    async stop() {
      stopping.abort(createReason?.())
      await running
      running = undefined
    },
  }
}

/** A timer that does not keep the process running. */
interface Ticker {
  readonly isRunning: boolean
  readonly start: () => void
  readonly stop: () => void
}

/** Creates a timer that calls a function at each interval. */
export function createTicker(milliseconds: number, call: () => unknown): Ticker {
  let timer: ReturnType<typeof setInterval> | undefined
  return {
    get isRunning() {
      return timer !== undefined
    },
    start() {
      if (timer !== undefined) return
      timer = setInterval(call, milliseconds)
      if (typeof timer === 'object') timer.unref()
    },
    stop() {
      clearInterval(timer)
      timer = undefined
    },
  }
}
