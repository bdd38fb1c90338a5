/**
 * Replay jobs: replays of many deliveries that the server runs, and that survive a restart.
 *
 * @module
 */
export type {
  ClaimedReplayJob,
  NewReplayJob,
  ReplayJob,
  ReplayJobCounts,
  ReplayJobLease,
  ReplayJobProgress,
  ReplayJobQuery,
  ReplayJobStatus,
  ReplayJobStore,
} from './job.ts'
export { createMemoryReplayJobStore } from './memory-store.ts'
export type { ReplayableUnprocessed } from './unprocessed-step.ts'
export { createReplayJobs, type ReplayJobs, type ReplayJobsOptions } from './replay-jobs.ts'
