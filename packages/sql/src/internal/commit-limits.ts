import { integerOption } from '@sallyport/internal/options'

/** Bounds of the writes that wait. */
export interface CommitLimits {
  /** The maximum number of writes that wait. @default 10,000 */
  readonly waiting?: number
  /** The maximum bytes of bodies and data in waiting writes. @default 67,108,864 (64 MiB) */
  readonly waitingBytes?: number
}

/**
 * Returns the limits with their defaults; `Infinity` removes a limit.
 *
 * @throws TypeError for a limit that is neither a count nor `Infinity`
 */
export function commitLimits({
  waiting = 10_000,
  waitingBytes = 64 * 1024 * 1024,
}: CommitLimits): Required<CommitLimits> {
  const limits = { waiting, waitingBytes }
  for (const [name, limit] of Object.entries(limits))
    if (limit !== Infinity) integerOption(`limits.${name}`, limit, 0)
  return limits
}

// A transaction holds its locks while its rows are written: smaller batches let other writers in.
export const maxBatchBytes = 32 * 1024 * 1024
