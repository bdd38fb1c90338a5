import { createLoop } from '@sallyport/internal/background'
import { integerOption, timerOption } from '@sallyport/internal/options'
import { callHook } from '@sallyport/internal/promises'
import { createWakeUps } from '@sallyport/internal/wake-ups'
import { describeFailure } from '@sallyport/internal/describe-failure'
import type { Replayer, ReplayedDelivery } from '../operations/replayer.ts'
import type { DeliveryFilter, ReplayerInbox } from '../ports/ports.ts'
import type {
  ClaimedReplayJob,
  NewReplayJob,
  ReplayJob,
  ReplayJobLease,
  ReplayJobProgress,
  ReplayJobStore,
} from './job.ts'
import { processSome, type ReplayableUnprocessed } from './unprocessed-step.ts'

export interface ReplayJobsOptions {
  readonly store: ReplayJobStore
  readonly inbox: Pick<ReplayerInbox, 'replay'>
  readonly replayer: Pick<Replayer, 'normalizeAgain'>
  /** The ignored and refused deliveries of jobs with `unprocessed`. @default such a job fails */
  readonly unprocessed?: ReplayableUnprocessed | undefined
  /** How long another process waits for this one after a crash, in milliseconds. @default 15,000 */
  readonly leaseMs?: number
  /** The interval in which a process looks for jobs, in milliseconds. @default 1,000 */
  readonly pollMs?: number
  /** The deliveries in one transaction. @default 200 */
  readonly batchSize?: number
  /** Called with errors of the inbox and the store; a job is tried ten times before it fails. */
  readonly onError?: (error: unknown) => unknown
  /** Creates the unique ids of jobs and tokens of leases. @default crypto.randomUUID */
  readonly newId?: () => string
}

/** Replay jobs, and the loop that runs them. */
export interface ReplayJobs extends Pick<ReplayJobStore, 'get' | 'list' | 'count' | 'cancel'> {
  create(job: Omit<NewReplayJob, 'id'>): Promise<ReplayJob>
  /** Runs jobs, one at a time among all processes. */
  start(): void
  /** Ends the loop after the running batch. Another process continues the job. */
  stop(): Promise<void>
}

/** Attempts of a batch before the job fails, and the longest pause between two. */
const retries = { attempts: 10, mostMs: 30_000 }

/**
 * Creates replay jobs: replays of many deliveries that the server runs in batches, with progress. A transaction stores the
 * replay of a batch together with the progress, so that a job that another process continues after a crash replays each delivery
 * once.
 *
 * @throws TypeError for a number that is out of range
 */
export function createReplayJobs(options: ReplayJobsOptions): ReplayJobs {
  const { store, inbox, replayer, leaseMs = 15_000, pollMs = 1000, batchSize = 200, onError } = options
  const { unprocessed, newId = () => crypto.randomUUID() } = options
  timerOption('leaseMs', leaseMs)
  timerOption('pollMs', pollMs)
  integerOption('batchSize', batchSize, 1)
  const wakeUps = createWakeUps()
  /** The attempts of this process that failed in a row, by job. */
  const failures = new Map<string, number>()
  const { start, stop } = createLoop(run)

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const lease = { token: newId(), leaseMs }
      try {
        const claimed = await store.claim(lease)
        if (claimed !== undefined) {
          await runJob(claimed, lease, signal).catch((error: unknown) =>
            retryLater(claimed.job.id, error, lease, signal),
          )
          continue
        }
      } catch (error) {
        callHook(onError, error)
      }
      await wakeUps.pause(pollMs, signal)
    }
  }

  /** Runs a job until its end, until the lease is lost, or until the process stops. */
  async function runJob(
    { job, progress: begun }: ClaimedReplayJob,
    lease: ReplayJobLease,
    signal: AbortSignal,
  ): Promise<void> {
    let progress = begun
    while (!signal.aborted) {
      if (progress.isLast && progress.open.length === 0) {
        await store.finish(job.id, lease.token)
        return
      }
      const next = await runStep(job, progress, lease)
      // Another process has the job, or an operator canceled it.
      if (next === undefined) return
      progress = next
      failures.delete(job.id)
    }
    await store.release(job.id, lease.token)
  }

  /** After a failure, the job continues from its stored progress: the transaction may have been committed. */
  async function retryLater(id: string, error: unknown, lease: ReplayJobLease, signal: AbortSignal) {
    callHook(onError, error)
    const count = (failures.get(id) ?? 0) + 1
    if (count === retries.attempts) {
      failures.delete(id)
      await store.finish(id, lease.token, describeFailure(error))
      return
    }
    failures.set(id, count)
    await wakeUps.pause(Math.min(retries.mostMs, 100 * 2 ** count), signal)
    await store.release(id, lease.token)
  }

  /** Runs one step and stores its progress; undefined if the lease is lost. */
  async function runStep(
    job: ReplayJob,
    progress: ReplayJobProgress,
    lease: ReplayJobLease,
  ): Promise<ReplayJobProgress | undefined> {
    const { asNew, reprocess } = job
    if (job.unprocessed) {
      if (unprocessed === undefined) throw new TypeError('No ignored and refused deliveries are kept')
      const next = await processSome(unprocessed, job.unprocessed, job, progress)
      return (await store.save(job.id, lease, next)) ? next : undefined
    }
    if (progress.open.length > 0) {
      const normalized = await replayer.normalizeAgain(progress.open, { asNew })
      const next = addCounts({ ...progress, open: [] }, normalized)
      return (await store.save(job.id, lease, next)) ? next : undefined
    }
    const step: { saved?: ReplayJobProgress; isLost: boolean } = { isLost: false }
    const { after } = progress
    const selection = { filter: limitFilter(job), ...(after && { after }), limit: batchSize }
    try {
      await inbox.replay(selection, {
        ...{ asNew, reprocess },
        async save({ deliveries, next }, transaction) {
          const open = deliveries.filter(({ outcome }) => outcome === 'quarantined').map(({ id }) => id)
          const ended = deliveries.filter(({ outcome }) => outcome !== 'quarantined')
          const moved = { ...progress, open, isLast: next === undefined, ...(next && { after: next }) }
          step.saved = addCounts(moved, ended)
          step.isLost = !(await store.save(job.id, lease, step.saved, transaction))
          if (step.isLost) throw new Error('Another process continues the job')
        },
      })
    } catch (error) {
      if (!step.isLost) throw error
    }
    return step.isLost ? undefined : step.saved
  }

  return {
    async create(job) {
      const created = await store.create({ ...job, id: newId() })
      wakeUps.wake()
      return created
    },
    get: (id) => store.get(id),
    list: (query) => store.list(query),
    count: () => store.count(),
    cancel: (id) => store.cancel(id),
    start,
    stop,
  }
}

/** Excludes deliveries that arrive after the creation: the job would not end otherwise. */
function limitFilter({ filter, createdAt }: ReplayJob): DeliveryFilter {
  return { ...filter, receivedBefore: Math.min(filter.receivedBefore ?? Infinity, createdAt + 1) }
}

function addCounts(
  progress: ReplayJobProgress,
  deliveries: readonly Pick<ReplayedDelivery, 'outcome' | 'events' | 'handled'>[],
): ReplayJobProgress {
  const counts = { ...progress }
  for (const { outcome, events, handled = 0 } of deliveries) {
    counts.processed += 1
    counts[outcome] += 1
    counts.events += events.length
    counts.handled += handled
  }
  return counts
}
