import { createTicker } from '@sallyport/internal/background'
import { createSteadyClock } from '@sallyport/internal/steady-clock'
import { createRetention, type RetentionOptions } from '../operations/retention.ts'
import type { RetentionInbox } from '../ports/ports.ts'
import type { Core } from './core.ts'
import type { WebhookDatabase, WebhookInbox } from './database.ts'
import { hasMethod } from './has-method.ts'
import type { Unprocessed } from './unprocessed.ts'

type Task = (now: number) => Promise<unknown>

/** How long rows are kept. */
export interface WebhookRetention extends Omit<RetentionOptions, 'inbox' | 'onError'> {
  /** How long the audit is kept, in milliseconds, or `Infinity`. @default 90 days */
  readonly auditForMs?: number
  /** Delete expired rows of your own stores, such as sessions, at the present time in milliseconds since the epoch. @default none */
  readonly tasks?: readonly Task[]
}

/** Deletes expired rows. */
export interface Upkeep {
  readonly start: () => void
  /** Waits for the running deletion. */
  readonly stop: () => Promise<void>
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Alerts about silence compare with the same time of two weeks. */
const trafficForMs = 16 * dayMs

/**
 * Deletes expired rows of the inbox every minute, and those of the other stores every hour.
 *
 * @param retention `false` keeps the rows of the inbox, the audit and the ids of deleted endpoints
 * @throws TypeError as `createRetention`
 */
export function createUpkeep(
  retention: WebhookRetention | false,
  { database, inbox, onError }: Core,
  unprocessed: Unprocessed | undefined,
): Upkeep {
  const report = (error: unknown) => onError(error, 'retention')
  const hourly = createHourly(listTasks(retention, database, unprocessed), report)
  const deletions =
    retention !== false && canPrune(inbox)
      ? [hourly, createRetention({ ...retention, inbox, onError: report })]
      : [hourly]
  return {
    start() {
      for (const one of deletions) one.start()
    },
    async stop() {
      await Promise.all(deletions.map((one) => one.stop()))
    },
  }
}

const canPrune = (inbox: WebhookInbox): inbox is WebhookInbox & RetentionInbox => hasMethod(inbox, 'prune')

function listTasks(
  retention: WebhookRetention | false,
  database: WebhookDatabase,
  unprocessed: Unprocessed | undefined,
): readonly Task[] {
  const [traffic, responses] = [database.traffic?.(), database.idempotency?.()]
  const tasks: Task[] = []
  if (traffic) tasks.push((now) => traffic.prune(now - trafficForMs))
  if (responses) tasks.push(() => responses.prune())
  // A keeper deletes by its own limits.
  if (unprocessed && !unprocessed.keeper)
    tasks.push((before) => unprocessed.store.prune({ before, deliveries: 1, bytes: 1 }))
  if (retention === false) return tasks
  const { auditForMs = 90 * dayMs, keysForMs = 90 * dayMs, tasks: own = [] } = retention
  const [audit, endpoints] = [database.audit?.(), database.endpoints?.()]
  if (audit && auditForMs !== Infinity) tasks.push((now) => audit.prune(now - auditForMs))
  // The keys of events of a deleted endpoint are kept as long.
  if (endpoints && keysForMs !== Infinity) tasks.push((now) => endpoints.prune(now - keysForMs))
  return [...tasks, ...own]
}

/** Runs tasks once an hour, except in an hour in which the clock was set: the tasks delete by age. */
function createHourly(tasks: readonly Task[], onError: (error: unknown) => void): Upkeep {
  const steadyForMs = createSteadyClock()
  let running = Promise.resolve()
  const ticker = createTicker(hourMs, () => {
    if (steadyForMs(Date.now()) > 0) running = running.then(run)
  })
  async function run(): Promise<void> {
    for (const task of tasks) if (ticker.isRunning) await task(Date.now()).catch(onError)
  }
  return {
    start() {
      if (!ticker.isRunning) steadyForMs(Date.now())
      ticker.start()
    },
    stop() {
      ticker.stop()
      return running
    },
  }
}
