import {
  createSteadyClock,
  createRetention,
  type CompleteInbox,
  type Retention,
  type WithInbox,
} from '@sallyport/webhooks'
import type { Settings } from '../config/settings.ts'
import type { Logger } from '../logging/log.ts'

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

const day = 24 * 60 * 60 * 1000

/** Starts the retention of deliveries. */
export function startRetention(inbox: CompleteInbox, settings: Settings, log: Logger): Retention {
  const retention = createRetention({
    inbox,
    publishedForMs: settings.RETENTION_DAYS * day,
    bodiesForMs: settings.BODY_RETENTION_DAYS * day,
    bodyBytes: settings.BODY_MAX_BYTES,
    keysForMs: settings.DEDUPE_DAYS * day,
    onPruned: (result) => {
      log.info(result, 'Pruned')
    },
    onError: (error) => {
      log.error({ err: error }, 'The inbox could not be pruned')
    },
  })
  retention.start()
  return retention
}

/**
 * The retention of the embedded bus, in milliseconds: longer than that of records, so that the bus recognizes replayed ids.
 */
export function busRetentionMs({ RETENTION_DAYS }: Pick<Settings, 'RETENTION_DAYS'>): number {
  return (RETENTION_DAYS + 2) * day
}

/** The gateway's option of the same name. */
export function maxEventAge({
  MAX_EVENT_AGE_DAYS: days,
}: Pick<Settings, 'MAX_EVENT_AGE_DAYS'>): Pick<WithInbox, 'maxEventAgeMs'> {
  return days === undefined ? {} : { maxEventAgeMs: days * day }
}
