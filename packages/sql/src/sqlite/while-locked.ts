import { isBusy, type SqliteError } from './errors.ts'
import { overloaded } from './overloaded.ts'

// As SQLite itself waits, which would keep its thread, and everybody behind it, waiting as well.
const pausesMs = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50]
const longestPauseMs = 100

/**
 * Tries a statement again while somebody else has the lock that it needs.
 *
 * @param inTurn runs an attempt, as soon as it may
 * @param pause waits between two attempts, for so many milliseconds
 * @throws SallyportError `OVERLOADED` when that takes longer than `forMs`, without what `inTurn` waited for and what `pause`
 *   took beyond that
 */
export async function whileLocked<Result>(
  run: () => Promise<Result>,
  forMs: number,
  inTurn: (run: () => Promise<Result>) => Promise<Result>,
  pause: (forMs: number) => Promise<unknown>,
): Promise<Result> {
  let leftMs = forMs
  const timed = async (): Promise<Result> => {
    const began = performance.now()
    try {
      return await run()
    } finally {
      leftMs -= performance.now() - began
    }
  }
  for (let attempt = 0; ; attempt++) {
    try {
      return await inTurn(timed)
    } catch (error) {
      if (!isBusy(error)) throw error
      if (leftMs <= 0) throw overloaded(error as SqliteError)
    }
    const pauseMs = Math.min(pausesMs[attempt] ?? longestPauseMs, leftMs)
    leftMs -= pauseMs
    await pause(pauseMs)
  }
}
