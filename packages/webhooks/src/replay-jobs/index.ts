/**
 * Replay jobs: replays of many deliveries that the server runs, and that survive a restart.
 *
 * @module
 */
export type { ReplayJob, ReplayJobCounts, ReplayJobProgress, ReplayJobStore } from './job.ts'
export { createMemoryReplayJobStore } from './memory-store.ts'
export { createReplayJobs, type ReplayJobs, type ReplayJobsOptions } from './replay-jobs.ts'
