import { describe, it } from 'vitest'
import { announceSkip, failure } from './absence.ts'
import { fateOf, servicesAreRequired } from './fate.ts'

export interface Requirement<Found> {
  /** What it is, such as `a Node older than 22`. */
  readonly what: string
  /** Finds it on this machine; undefined where there is none. */
  readonly find: () => Found | undefined | Promise<Found | undefined>
  /** How to get it, in words that follow "To run it,", such as `install chromium`. */
  readonly hint: string
  /**
   * Whether `REQUIRE_SERVICES=1` makes its absence a failure. That variable promises that services run, and not that
   * a machine has everything else.
   *
   * @default false
   */
  readonly requiredWithServices?: boolean
}

/**
 * Defines a suite that needs something which a machine may lack. Without it the suite is skipped, and stderr says so.
 *
 * @param define defines the tests; called with what was found, and not at all without
 * @example
 * ```ts
 * import { describeNeeding } from '@sallyport/test-services'
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
    const absence = { what, hint, reason: 'this machine has none' }
    const skipped =
      fateOf({ found: false, required: requiredWithServices && servicesAreRequired() }) === 'skip'
    if (skipped) announceSkip(absence)
    it.skipIf(skipped)('runs', () => {
      throw failure(absence)
    })
  })
}
