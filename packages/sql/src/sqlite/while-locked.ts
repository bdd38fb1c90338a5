import { isBusy, type SqliteError } from './errors.ts'
import { overloaded } from './overloaded.ts'

// The pauses of SQLite's own busy handler, which would block its thread and all other callers.
const pausesMs = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50]
const longestPauseMs = 100

/**
 * Retries a statement while another connection has the lock that it needs.
 *
 * @param inTurn runs an attempt when the connection is free
 * @param pause waits between two attempts
 * @throws SallyportError `OVERLOADED` after `forMs`, not counting the time in which `inTurn` waited or `pause` took longer
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
