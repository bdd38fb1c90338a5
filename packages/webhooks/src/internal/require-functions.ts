/**
 * Asks once for the functions that are called for every event: where one is missing, all of them would fail.
 *
 * @throws TypeError that names it
 */
export function requireFunctions(name: string, value: unknown, ...functions: readonly string[]): void {
  const members = Object(value) as Readonly<Record<string, unknown>>
  for (const member of functions)
    if (typeof members[member] !== 'function') throw new TypeError(`${name}.${member} must be a function`)
}
