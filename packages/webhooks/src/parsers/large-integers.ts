/**
 * How integers outside of the safe range, from -(2^53 - 1) to 2^53 - 1, appear in a payload: `'text'` has their exact digits,
 * and `'number'` the nearest number, as from `JSON.parse`.
 */
export type LargeIntegers = 'text' | 'number'

const exactPayloads = new WeakMap<object, unknown>()

/** Keeps the payload with exact integers for the same body with rounded numbers. Returns `rounded`. */
export function rememberExact(rounded: unknown, exact: unknown): unknown {
  if (typeof rounded === 'object' && rounded !== null) exactPayloads.set(rounded, exact)
  return rounded
}

/** Returns the payload with exact integers. */
export const getExact = (payload: unknown): unknown =>
  typeof payload === 'object' && payload !== null ? (exactPayloads.get(payload) ?? payload) : payload
