import type { DeliveryFilter, DeliveryPosition } from '../ports/ports.ts'
import type { UnprocessedFilter, UnprocessedPosition } from '../unprocessed/store.ts'

type ReplayJobStatus = 'running' | 'done' | 'canceled' | 'failed'

/** The results of a job so far. */
export interface ReplayJobCounts {
  /** The number of processed deliveries: the sum of the next four. */
  readonly processed: number
  readonly replayed: number
  readonly unchanged: number
  readonly quarantined: number
  readonly erased: number
  /** How many events became due. */
  readonly events: number
  /**
   * How many of these events a consumer with `once` had handled: it skips them, or handles them again in a job with
   * `reprocess`.
   */
  readonly handled: number
}

/** A replay of the deliveries that match a filter, which the server runs. */
export interface ReplayJob extends ReplayJobCounts {
  readonly id: string
  readonly status: ReplayJobStatus
  /** Deliveries that are received after `createdAt` are not part of the job. */
  readonly filter: DeliveryFilter
  /**
   * Selects ignored and refused deliveries, which the job processes again in place of those of `filter`: `replayed` counts those
   * that are recorded now, and `unchanged` those that stay.
   */
  readonly unprocessed?: UnprocessedFilter
  readonly asNew: boolean
  /** Whether consumers with `once` handle events again that they have handled. */
  readonly reprocess: boolean
  /** The number of matching deliveries when the job was created. */
  readonly total: number
  /** Why the job failed. */
  readonly error?: string
  /** The id of the operator. */
  readonly createdBy?: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly updatedAt: number
  readonly finishedAt?: number
}

export type NewReplayJob = Pick<
  ReplayJob,
  'id' | 'filter' | 'unprocessed' | 'asNew' | 'reprocess' | 'total' | 'createdBy'
>

/** The counts of a job, and where it continues. */
export interface ReplayJobProgress extends ReplayJobCounts {
  /** The end of the last batch. */
  readonly after?: DeliveryPosition
  /** The end of the last batch of ignored and refused deliveries. */
  readonly afterUnprocessed?: UnprocessedPosition
  /** The ids of quarantined deliveries of the last batch that are not normalized again yet. */
  readonly open: readonly string[]
  /** Whether no batch remains. */
  readonly isLast: boolean
}

/** A job under a lease of this process. */
export interface ClaimedReplayJob {
  readonly job: ReplayJob
  readonly progress: ReplayJobProgress
}

/** The lease of a running job: a token, and how long it lasts from now on, in milliseconds. */
export interface ReplayJobLease {
  readonly token: string
  readonly leaseMs: number
}

interface ReplayJobQuery {
  /** @default 'newest' */
  readonly order?: 'newest' | 'oldest'
  /** Only jobs after this position. */
  readonly after?: Pick<ReplayJob, 'createdAt' | 'id'>
  /** @default 0 */
  readonly offset?: number
  readonly limit: number
}

/** The store of replay jobs. It is in the database of the inbox, so that one transaction stores a replay and its progress. */
export interface ReplayJobStore {
  /** Stores a running job. Finished jobs of more than 30 days ago are deleted. */
  create(job: NewReplayJob): Promise<ReplayJob>
  get(id: string): Promise<ReplayJob | undefined>
  list(query: ReplayJobQuery): Promise<readonly ReplayJob[]>
  count(): Promise<number>
  /**
   * Cancels a running job. A job that ends loses the criteria that quote content of deliveries, such as a subject. Resolves to the job, or to undefined if there is none with this id.
   */
  cancel(id: string): Promise<ReplayJob | undefined>
  /** Leases the oldest running job; undefined without one, and while another process has its lease. */
  claim(lease: ReplayJobLease): Promise<ClaimedReplayJob | undefined>
  /**
   * Stores the progress and extends the lease. False if the job is not running or has another lease.
   *
   * @param transaction the transaction that `replay` of the inbox passes
   */
  save(
    id: string,
    lease: ReplayJobLease,
    progress: ReplayJobProgress,
    transaction?: unknown,
  ): Promise<boolean>
  /** Ends the lease, so that another process continues. */
  release(id: string, token: string): Promise<void>
  /** Ends a job under its lease, with an error if the job failed. */
  finish(id: string, token: string, error?: string): Promise<void>
}
