/**
 * Replay jobs: replays of many deliveries that the server runs, and that survive a restart.
 *
 * @module
 */
export type { ReplayJob, ReplayJobCounts, ReplayJobProgress, ReplayJobStore } from './job.ts'
export type { ReplayJobs } from './replay-jobs.ts'
