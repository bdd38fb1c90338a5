/** How much may wait to be written. */
export interface CommitLimits {
  /** What waits for its turn. @default 10,000 */
  readonly waiting?: number
  /** Bytes of bodies and data that wait for their turn. @default 67,108,864 (64 MiB) */
  readonly waitingBytes?: number
}

// One transaction holds its locks for as long as its rows take: others have to get their turn.
export const maxBatchBytes = 32 * 1024 * 1024
