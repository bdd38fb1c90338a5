type Numbers = Readonly<Record<string, number>>

/** The longest delay of a Node.js timer, about 24 days. A longer delay fires after one millisecond. */
const longestTimer = 2 ** 31 - 1

/** @throws TypeError with the name of the option, for a number that is not a valid timer delay */
export function requireTimers(times: Numbers): void {
  requireIntegers(times, longestTimer)
}

/** @throws TypeError with the name of the option, for a number out of range */
export function requireIntegers(numbers: Numbers, max = Number.MAX_SAFE_INTEGER): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (Number.isSafeInteger(value) && value >= 1 && value <= max) continue
    const range = max < Number.MAX_SAFE_INTEGER ? `from 1 to ${max}` : 'of at least 1'
    throw new TypeError(`${name} must be an integer ${range}`)
  }
}
