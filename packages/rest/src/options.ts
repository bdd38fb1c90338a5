/** The option's value, or a `TypeError` that names it: a wrong option is a mistake of the program, not of a caller. */
export function integerOption(name: string, value: number, min: number): number {
  if (Number.isSafeInteger(value) && value >= min) return value
  throw new TypeError(`${name} must be a safe integer of at least ${min}`)
}
