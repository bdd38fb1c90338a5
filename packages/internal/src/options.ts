import { maxTimerMs } from './deadline.ts'

/**
 * Returns the value of an integer option.
 *
 * @throws TypeError that names the option, for a value out of range
 */
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

/** Returns the value of an option in milliseconds that a timer can wait. @throws TypeError that names the option */
export const timerOption = (name: string, value: number, min = 1): number =>
  integerOption(name, value, min, maxTimerMs)

/** Checks several integer options with one range. @throws TypeError that names the first wrong option */
export function checkIntegers(
  values: Readonly<Record<string, number | undefined>>,
  min: number,
  max = Number.MAX_SAFE_INTEGER,
): void {
  for (const [name, value] of Object.entries(values))
    if (value !== undefined) integerOption(name, value, min, max)
}

/** @throws TypeError for a grace period that is not a number */
export function checkGrace(graceMs: unknown): void {
  if (typeof graceMs !== 'number' || Number.isNaN(graceMs)) throw new TypeError('graceMs must be a number')
}

/** @throws TypeError for a number that is not positive and finite, such as `NaN`, which would limit nothing */
export function checkPositive(name: string, value: number): void {
  if (!(Number.isFinite(value) && value > 0)) throw new TypeError(`${name} must be positive and finite`)
}

/**
 * Checks that an object implements a port.
 *
 * @throws TypeError that names the missing function
 */
export function checkFunctions(name: string, value: unknown, ...functions: readonly string[]): void {
  const members = Object(value) as Readonly<Record<string, unknown>>
  for (const member of functions)
    if (typeof members[member] !== 'function') throw new TypeError(`${name}.${member} must be a function`)
}
