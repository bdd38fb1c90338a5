import type { DeliveryHeaders } from '../ports/delivery.ts'

/** Creates headers from pairs. The last value of a name counts. Node.js loads its whole fetch at the first use of `Headers`. */
export function createHeaders(pairs: Iterable<readonly [name: string, value: string]>): DeliveryHeaders {
  const values = new Map(Array.from(pairs, ([name, value]) => [name.toLowerCase(), value]))
  return {
    get: (name) => values.get(name.toLowerCase()) ?? null,
    [Symbol.iterator]: () => values[Symbol.iterator](),
  }
}
