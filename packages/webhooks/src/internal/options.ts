/** The option's value, or a `TypeError` that names it: a wrong option is a mistake of the program, not of a caller. */
export function integerOption(
  name: string,
  value: number,
  min: number,
  max = Number.MAX_SAFE_INTEGER,
): number {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value
  const range = max < Number.MAX_SAFE_INTEGER ? `from ${min} to ${max}` : `of at least ${min}`
  throw new TypeError(`${name} must be an integer ${range}`)
}

/** What a timer takes, some 24 days: it ends a longer wait after a millisecond. */
export const longestTimer = 2 ** 31 - 1

/** The milliseconds that a timer will wait, or a `TypeError` that names the option. */
export const timerOption = (name: string, value: number, min = 1): number =>
  integerOption(name, value, min, longestTimer)
