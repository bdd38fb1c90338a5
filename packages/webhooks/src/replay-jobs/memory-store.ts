import { pageOf } from '@sallyport/internal/page-of'
import { withoutContent } from '@sallyport/internal/without-content'
import type {
  ClaimedReplayJob,
  ReplayJob,
  ReplayJobCounts,
  ReplayJobProgress,
  ReplayJobStore,
} from './job.ts'

interface Entry {
  job: ReplayJob
  progress: ReplayJobProgress
  lease: { readonly token: string; readonly endsAt: number } | undefined
}

const startOfJob: ReplayJobProgress = {
  ...{ processed: 0, replayed: 0, unchanged: 0, quarantined: 0, erased: 0, events: 0, handled: 0 },
  open: [],
  isLast: false,
}

function pickCounts(progress: ReplayJobProgress): ReplayJobCounts {
  const { processed, replayed, unchanged, quarantined, erased, events, handled } = progress
  return { processed, replayed, unchanged, quarantined, erased, events, handled }
}

/** In milliseconds. */
const keptMs = 30 * 86_400_000

/**
 * Creates a store of replay jobs in the memory of the process, for `createMemoryInbox`. A restart loses everything.
 */
export function createMemoryReplayJobStore({
  now = Date.now,
}: {
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
} = {}): ReplayJobStore {
  const entries = new Map<string, Entry>()
  const findHeld = (id: string, token: string): Entry | undefined => {
    const entry = entries.get(id)
    return entry?.job.status === 'running' && entry.lease?.token === token ? entry : undefined
  }
  const end = (entry: Entry, change: Pick<ReplayJob, 'status'> & { readonly error?: string }) => {
    const at = now()
    const { filter, unprocessed } = entry.job
    const kept = {
      filter: withoutContent(filter),
      ...(unprocessed && { unprocessed: withoutContent(unprocessed) }),
    }
    entry.job = { ...entry.job, ...change, ...kept, updatedAt: at, finishedAt: at }
    entry.lease = undefined
  }

  return {
    create(given) {
      const at = now()
      for (const [id, { job }] of entries)
        if (job.finishedAt !== undefined && job.finishedAt < at - keptMs) entries.delete(id)
      const job: ReplayJob = {
        ...given,
        ...pickCounts(startOfJob),
        status: 'running',
        createdAt: at,
        updatedAt: at,
      }
      entries.set(job.id, { job, progress: startOfJob, lease: undefined })
      return Promise.resolve(job)
    },
    get: (id) => Promise.resolve(entries.get(id)?.job),
    list(query) {
      const jobs = Array.from(entries.values(), ({ job }) => job)
      return Promise.resolve(pageOf(jobs, 'createdAt', query))
    },
    count: () => Promise.resolve(entries.size),
    cancel(id) {
      const entry = entries.get(id)
      if (entry?.job.status === 'running') end(entry, { status: 'canceled' })
      return Promise.resolve(entry?.job)
    },
    claim({ token, leaseMs }) {
      const at = now()
      const entry = [...entries.values()].find(({ job }) => job.status === 'running')
      if (entry === undefined || (entry.lease !== undefined && entry.lease.endsAt > at))
        return Promise.resolve(undefined)
      entry.lease = { token, endsAt: at + leaseMs }
      return Promise.resolve<ClaimedReplayJob>({ job: entry.job, progress: entry.progress })
    },
    save(id, { token, leaseMs }, progress) {
      const entry = findHeld(id, token)
      if (entry === undefined) return Promise.resolve(false)
      const at = now()
      entry.progress = progress
      entry.job = { ...entry.job, ...pickCounts(progress), updatedAt: at }
      entry.lease = { token, endsAt: at + leaseMs }
      return Promise.resolve(true)
    },
    release(id, token) {
      const entry = findHeld(id, token)
      if (entry) entry.lease = undefined
      return Promise.resolve()
    },
    finish(id, token, error) {
      const entry = findHeld(id, token)
      if (entry) end(entry, error === undefined ? { status: 'done' } : { status: 'failed', error })
      return Promise.resolve()
    },
  }
}
