/** Objects and lists: more than almost all data has; a circle is found as soon. */
const maximumObjects = 1000

/**
 * Refuses data that an inbox with a database could not write: a big integer, or a circle. Looking at values costs a
 * fraction of writing them.
 *
 * @throws TypeError, or what a `toJSON` throws
 */
export function refuseUnwritable(data: unknown): void {
  left = maximumObjects
  if (!isPlain(data)) JSON.stringify(data)
}

/** Objects that may still be looked at; looking is never interrupted. */
let left = 0

/** Whether it is certain that it can be written. */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint'
  if (left-- === 0 || typeof (value as { toJSON?: unknown }).toJSON === 'function') return false
  const prototype: unknown = Object.getPrototypeOf(value)
  // Without a list of the values and a function for each, which takes several times as long.
  if (prototype === Array.prototype) {
    for (const one of value as readonly unknown[]) if (!isPlain(one)) return false
    return true
  }
  if (prototype !== Object.prototype && prototype !== null) return false
  for (const name in value) if (!isPlain(value[name as never])) return false
  return true
}
