import { describe, it } from 'vitest'
import { announceSkip, createMissingError, servicesAreRequired } from './missing.ts'

export interface Requirement<Found> {
  /** A noun phrase such as `a Node older than 22`. */
  readonly what: string
  /** Finds the requirement on this machine, or returns undefined. */
  readonly find: () => Found | undefined | Promise<Found | undefined>
  /** How to get the requirement, as words after "To run it,", such as `install chromium`. */
  readonly hint: string
  /**
   * Whether a missing requirement fails the suite under `REQUIRE_SERVICES=1`. That variable covers services only, not
   * other programs on the machine.
   *
   * @default false
   */
  readonly requiredWithServices?: boolean
}

/**
 * Defines a suite that needs something that a machine may lack. Without it, the suite is skipped with a message on stderr.
 *
 * @param define defines the tests; called only if the requirement was found
 * @example
 * ```ts
 * import { describeNeeding } from '@sallyport/test-support/services'
 * import { expect, it } from 'vitest'
 *
 * describeNeeding(
 *   { what: 'a home folder', find: () => process.env['HOME'], hint: 'set HOME' },
 *   (home) => {
 *     it('has a path', () => {
 *       expect(home).toMatch(/^\//)
 *     })
 *   },
 * )
 * ```
 */
export function describeNeeding<Found>(
  { what, find, hint, requiredWithServices = false }: Requirement<Found>,
  define: (found: Found) => void,
): void {
  describe(`with ${what}`, async () => {
    const found = await find()
    if (found !== undefined) {
      define(found)
      return
    }
    const missing = { what, hint, reason: 'this machine has none' }
    const skipped = !(requiredWithServices && servicesAreRequired())
    if (skipped) announceSkip(missing)
    it.skipIf(skipped)('runs', () => {
      throw createMissingError(missing)
    })
  })
}
