import { SallyportError } from '@sallyport/errors'
import { setTimeout } from 'node:timers/promises'
import { isLockTimeout, isRolledBackForOthers, isTemporary } from './violations.ts'

/** Something that was to be changed is no longer as it was when that was decided: thrown for `untilUncontended`. */
export class LostRace extends Error {
  override readonly name = 'LostRace'
}

export interface ContentionOptions {
  /** From 0 up to 1, for the length of pauses. @default Math.random */
  readonly random?: () => number
  /** Waits, for so many milliseconds. */
  readonly pause?: (forMs: number) => Promise<unknown>
}

const patience = 20
// The database finds a deadlock after a second.
const patienceOfDeadlock = 4
const longestPauseMs = 200

/**
 * Runs something again, after a pause, when others were in its way: a race was lost, or the database has chosen it to
 * end a deadlock. It must be all that there is of a transaction or a statement, and do nothing outside of the database.
 *
 * @throws SallyportError 503 `SERVICE_UNAVAILABLE` when that does not help, or a lock is not to be had in time
 */
export async function untilUncontended<T>(
  act: () => Promise<T>,
  options: ContentionOptions = {},
): Promise<T> {
  // eslint-disable-next-line no-restricted-properties -- the default of what is passed in
  const { random = Math.random, pause = setTimeout } = options
  let left = patience
  for (let attempt = 1; ; attempt++) {
    try {
      return await act()
    } catch (error) {
      if (isLockTimeout(error)) throw contended(error)
      if (isRolledBackForOthers(error)) left -= patienceOfDeadlock
      else if (error instanceof LostRace) left -= 1
      else throw error
      if (left <= 0) throw contended(error)
    }
    await pause(random() * Math.min(longestPauseMs, 2 ** attempt))
  }
}

/** The error for whoever has waited for long enough. */
export function contended(cause?: unknown): SallyportError {
  return new SallyportError('SERVICE_UNAVAILABLE', 'Too many change the same at once; try again', {
    headers: { 'Retry-After': '1' },
    cause,
  })
}

/** The 503 `SERVICE_UNAVAILABLE` for a statement that the database refused for a reason that passes; else the error itself. */
export function toRetryable(error: unknown): unknown {
  if (!isTemporary(error)) return error
  return new SallyportError('SERVICE_UNAVAILABLE', 'The database is busy; try again', {
    headers: { 'Retry-After': '1' },
    cause: error,
  })
}
