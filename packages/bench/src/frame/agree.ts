import { deepStrictEqual } from 'node:assert/strict'

/**
 * Checks that all sides return the same result. Otherwise their speeds are not comparable.
 *
 * @throws Error with the name of the side that differs from the first
 */
export function requireAgreement(
  results: readonly { readonly side: string; readonly result: unknown }[],
): void {
  const [first, ...others] = results
  for (const { side, result } of others) {
    try {
      deepStrictEqual(result, first?.result)
    } catch (cause) {
      throw new Error(`"${side}" and "${first?.side ?? ''}" return different results`, { cause })
    }
  }
}
