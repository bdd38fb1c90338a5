import { deepStrictEqual } from 'node:assert/strict'

/**
 * Checks that all sides come to the same result: figures of sides that do different work mean nothing.
 *
 * @throws Error that names the side which differs from the first
 */
export function requireAgreement(
  results: readonly { readonly side: string; readonly result: unknown }[],
): void {
  const [first, ...others] = results
  for (const { side, result } of others) {
    try {
      deepStrictEqual(result, first?.result)
    } catch (cause) {
      throw new Error(`"${side}" and "${first?.side ?? ''}" come to different results`, { cause })
    }
  }
}
