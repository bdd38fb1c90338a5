import { requireCounts } from './require.ts'

/** How much may wait to be written. */
export interface CommitLimits {
  /** What waits for its turn. @default 10,000 */
  readonly waiting?: number
  /** Bytes of bodies and data that wait for their turn. @default 67,108,864 (64 MiB) */
  readonly waitingBytes?: number
}

/**
 * The limits with their defaults; `Infinity` is none.
 *
 * @throws TypeError for a limit that is neither
 */
export function commitLimits({
  waiting = 10_000,
  waitingBytes = 64 * 1024 * 1024,
}: CommitLimits): Required<CommitLimits> {
  const limits = { waiting, waitingBytes }
  for (const [name, limit] of Object.entries(limits))
    if (limit !== Infinity) requireCounts({ [`limits.${name}`]: limit })
  return limits
}

// One transaction holds its locks for as long as its rows take: others have to get their turn.
export const maxBatchBytes = 32 * 1024 * 1024
