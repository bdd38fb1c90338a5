import { createSteadyClock } from '@sallyport/webhooks'

/** Periodic maintenance. */
export interface Maintenance {
  /** Starts no more tasks and waits for the running one. */
  stop(): Promise<void>
}

/** A task; it ends early when the signal is aborted. */
type MaintenanceTask = (signal: AbortSignal) => Promise<unknown>

const hourly = 60 * 60 * 1000

/**
 * Runs all tasks once an hour, in sequence. Errors are reported, and the task runs again an hour later. No task runs in an
 * hour in which the clock was set, because the tasks delete by age.
 *
 * @param now milliseconds since the epoch
 */
export function startMaintenance(
  tasks: readonly MaintenanceTask[],
  onError: (error: unknown) => void,
  now: () => number = Date.now,
): Maintenance {
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

/** Creates a task that runs batches until no work is left. */
export function inBatches(portion: () => Promise<{ readonly more: boolean }>): MaintenanceTask {
  return async (signal) => {
    while (!signal.aborted && (await portion()).more);
  }
}
