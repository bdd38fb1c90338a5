import { maxTimerMs } from '@sallyport/internal/deadline'
import { checkIntegers } from '@sallyport/internal/options'
type Numbers = Readonly<Record<string, number>>

/** Limits of the server: 100 ms, and 63 bits of nanoseconds. */
const [shortestMs, longestMs] = [100, 9_223_372_036_854]

/** 2 hours and 14 days. */
const [defaultWindowMs, defaultAgeMs] = [7_200_000, 1_209_600_000]

/** Maximum number of replicas of a stream. */
const maxReplicas = 5

/** @throws TypeError with the name of the option, for a number that is not a valid timer delay */
export function requireTimers(times: Numbers): void {
  checkIntegers(times, 1, maxTimerMs)
}

/** @throws TypeError with the name of the option, for a number that the server does not accept */
export function requireReplicas(replicas: number): void {
  checkIntegers({ replicas }, 1, maxReplicas)
}

/** @throws TypeError if the prefix is not a valid subject; undefined is allowed */
export function requirePrefix(prefix: string | undefined): void {
  if (prefix === undefined || /^[^\s.*>]+(?:\.[^\s.*>]+)*$/.test(prefix)) return
  throw new TypeError(
    'prefix must be tokens with dots between them, without white space, * and >, such as acme.hooks',
  )
}

/** Duplicate window and retention of a stream in milliseconds; a retention of 0 is unlimited. */
interface Times {
  readonly duplicateWindowMs: number
  readonly maxAgeMs: number
}

/**
 * Returns the given times with defaults for missing ones. The duplicate window is never longer than the retention.
 *
 * @throws TypeError with the name of the option, for a time that the server does not accept
 */
export function resolveTimes(given: Partial<Times>): Times {
  const { duplicateWindowMs, maxAgeMs } = given
  if (duplicateWindowMs !== undefined) checkIntegers({ duplicateWindowMs }, shortestMs, longestMs)
  if (maxAgeMs !== undefined && maxAgeMs !== 0) checkIntegers({ maxAgeMs }, shortestMs, longestMs)
  const times = {
    duplicateWindowMs: duplicateWindowMs ?? Math.min(defaultWindowMs, maxAgeMs || longestMs),
    maxAgeMs: maxAgeMs ?? Math.max(defaultAgeMs, duplicateWindowMs ?? 0),
  }
  if (times.maxAgeMs !== 0 && times.duplicateWindowMs > times.maxAgeMs)
    throw new TypeError(
      'duplicateWindowMs must not be longer than maxAgeMs: a stream forgets ids with events',
    )
  return times
}
