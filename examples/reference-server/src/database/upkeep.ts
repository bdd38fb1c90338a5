import { createSteadyClock } from '@sallyport/webhooks'

/** Work that is done now and then. */
export interface Upkeep {
  /** Waits for what is under way; nothing is begun after it. */
  stop(): Promise<void>
}

/** Some work; it ends early, and leaves the rest for the next time, once the signal is aborted. */
type UpkeepTask = (signal: AbortSignal) => Promise<unknown>

const hourly = 60 * 60 * 1000

/**
 * Runs every task once an hour, one after the other. A task that fails is reported and runs again an hour later. Nothing
 * runs in an hour in which the clock was set: the tasks delete by age.
 *
 * @param now milliseconds since the epoch
 */
export function startUpkeep(
  tasks: readonly UpkeepTask[],
  onError: (error: unknown) => void,
  now: () => number = Date.now,
): Upkeep {
  const ending = new AbortController()
  const steadyForMs = createSteadyClock()
  let running = Promise.resolve()
  const run = async () => {
    for (const task of tasks) {
      if (!ending.signal.aborted) await task(ending.signal).catch(onError)
    }
  }
  steadyForMs(now())
  const timer = setInterval(() => {
    if (steadyForMs(now()) > 0) running = running.then(run)
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
