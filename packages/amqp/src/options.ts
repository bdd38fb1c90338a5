type Numbers = Readonly<Record<string, number>>

/** What a timer takes, some 24 days: it ends a longer wait after a millisecond. */
const longestTimer = 2 ** 31 - 1

/** @throws TypeError for a time that no timer can wait; it names the option */
export function requireTimers(times: Numbers): void {
  requireIntegers(times, longestTimer)
}

/** @throws TypeError for a number out of range; it names the option */
export function requireIntegers(numbers: Numbers, max = Number.MAX_SAFE_INTEGER): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (Number.isSafeInteger(value) && value >= 1 && value <= max) continue
    const range = max < Number.MAX_SAFE_INTEGER ? `from 1 to ${max}` : 'of at least 1'
    throw new TypeError(`${name} must be an integer ${range}`)
  }
}
