import { SallyportError } from '@sallyport/errors'
import { setTimeout } from 'node:timers/promises'
import { isLockTimeout, isRolledBackForOthers, isTemporary } from './violations.ts'

/** Another transaction has changed the row: thrown for `retryOnContention`. */
export class VersionConflict extends Error {
  override readonly name = 'VersionConflict'
}

export interface ContentionOptions {
  /** A number from 0 up to 1, for the jitter of pauses. @default Math.random */
  readonly random?: () => number
  /** Waits for a number of milliseconds. */
  readonly pause?: (forMs: number) => Promise<unknown>
}

const retryBudget = 20
// PostgreSQL detects a deadlock after a second.
const deadlockCost = 4
const longestPauseMs = 200

/**
 * Runs a transaction or a statement, and retries it after a version conflict, a deadlock or a serialization failure. It must
 * have no effect outside of the database.
 * @throws SallyportError 503 `SERVICE_UNAVAILABLE` after too many retries or a lock timeout
 */
export async function retryOnContention<T>(
  act: () => Promise<T>,
  options: ContentionOptions = {},
): Promise<T> {
  // eslint-disable-next-line no-restricted-properties -- the default of what is passed in
  const { random = Math.random, pause = setTimeout } = options
  let left = retryBudget
  for (let attempt = 1; ; attempt++) {
    try {
      return await act()
    } catch (error) {
      if (isLockTimeout(error)) throw createContentionError(error)
      if (isRolledBackForOthers(error)) left -= deadlockCost
      else if (error instanceof VersionConflict) left -= 1
      else throw error
      if (left <= 0) throw createContentionError(error)
    }
    await pause(random() * Math.min(longestPauseMs, 2 ** attempt))
  }
}

/** Creates the error for a change that lost to concurrent changes. */
export function createContentionError(cause?: unknown): SallyportError {
  return new SallyportError('SERVICE_UNAVAILABLE', 'Too many concurrent changes; try again', {
    headers: { 'Retry-After': '1' },
    cause,
  })
}

/** Converts a temporary error of the database to 503 `SERVICE_UNAVAILABLE`; returns other errors unchanged. */
export function toRetryable(error: unknown): unknown {
  if (!isTemporary(error)) return error
  return new SallyportError('SERVICE_UNAVAILABLE', 'The database is busy; try again', {
    headers: { 'Retry-After': '1' },
    cause: error,
  })
}
