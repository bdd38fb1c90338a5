/** Work that is done now and then. */
export interface Upkeep {
  /** Waits for what is under way; nothing is begun after it. */
  stop(): Promise<void>
}

/** Some work; it ends early, and leaves the rest for the next time, once the signal is aborted. */
type UpkeepTask = (signal: AbortSignal) => Promise<unknown>

const hourly = 60 * 60 * 1000

/** Runs every task once an hour, one after the other; one that fails is told, and tried again an hour later. */
export function startUpkeep(tasks: readonly UpkeepTask[], onError: (error: unknown) => void): Upkeep {
  const ending = new AbortController()
  let running = Promise.resolve()
  const run = async () => {
    for (const task of tasks) {
      if (!ending.signal.aborted) await task(ending.signal).catch(onError)
    }
  }
  const timer = setInterval(() => {
    running = running.then(run)
  }, hourly)
  timer.unref()
  return {
    stop() {
      clearInterval(timer)
      ending.abort()
      return running
    },
  }
}

/** A task that does its work in portions, one after the other, until there is no more. */
export function inPortions(portion: () => Promise<{ readonly more: boolean }>): UpkeepTask {
  return async (signal) => {
    while (!signal.aborted && (await portion()).more);
  }
}
