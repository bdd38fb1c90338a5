type Numbers = Readonly<Record<string, number>>

/** What a timer takes, some 24 days: it ends a longer wait after a millisecond. */
export const longestTimer = 2 ** 31 - 1

/** What the server takes: a tenth of a second, and 63 bits of nanoseconds. */
const [shortestMs, longestMs] = [100, 9_223_372_036_854]

/** Two hours, and 14 days. */
const [defaultWindowMs, defaultAgeMs] = [7_200_000, 1_209_600_000]

/** Servers that keep a copy of one stream. */
const maxReplicas = 5

/** @throws TypeError for a time that no timer can wait; it names the option */
export function requireTimers(times: Numbers): void {
  requireIntegers(times, 1, longestTimer)
}

/** @throws TypeError for what no stream can be made with */
export function requireStream({ replicas, ...limits }: { readonly replicas: number } & Numbers): void {
  requireIntegers({ replicas }, 1, maxReplicas)
  requireIntegers(limits)
}

/** @throws TypeError for what no subject begins with; undefined is for what the stream says */
export function requirePrefix(prefix: string | undefined): void {
  if (prefix === undefined || /^[^\s.*>]+(?:\.[^\s.*>]+)*$/.test(prefix)) return
  throw new TypeError(
    'prefix must be tokens with dots between them, without white space, * and >, such as acme.hooks',
  )
}

/** How long a stream knows ids, and keeps events; 0 for ever. */
interface Times {
  readonly duplicateWindowMs: number
  readonly maxAgeMs: number
}

/**
 * The times that were given, and defaults that fit them: an id is known no longer than its event is kept.
 *
 * @throws TypeError for what no stream can be made with, instead of one that keeps what it should not
 */
export function timesOf(given: Partial<Times>): Times {
  const { duplicateWindowMs, maxAgeMs } = given
  if (duplicateWindowMs !== undefined) requireIntegers({ duplicateWindowMs }, shortestMs, longestMs)
  if (maxAgeMs !== undefined && maxAgeMs !== 0) requireIntegers({ maxAgeMs }, shortestMs, longestMs)
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

function requireIntegers(numbers: Numbers, min = 1, max = Number.MAX_SAFE_INTEGER): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (Number.isSafeInteger(value) && value >= min && value <= max) continue
    const range = max < Number.MAX_SAFE_INTEGER ? `from ${min} to ${max}` : `of at least ${min}`
    throw new TypeError(`${name} must be an integer ${range}`)
  }
}
