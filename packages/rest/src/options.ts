/** Returns the value of an option, or throws a TypeError that names the option. */
export function integerOption(name: string, value: number, min: number): number {
  if (Number.isSafeInteger(value) && value >= min) return value
  throw new TypeError(`${name} must be a safe integer of at least ${min}`)
}
