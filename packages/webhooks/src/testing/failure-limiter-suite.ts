import { limiterContext, type FailureLimiterFixture } from './failure-limiter-context.ts'
import { testLimiterWindow } from './failure-limiter-window.ts'
import type { TestRunner } from './runner.ts'

export type { FailureLimiterFixture, FailureLimiterFixtureOptions } from './failure-limiter-context.ts'

/** Longer than any test takes: no clock but the suite's ends it. */
const longMs = 3_600_000
const shortMs = 1000
const [address, other] = ['192.0.2.1', '192.0.2.2']

/**
 * Defines the tests that every failure limiter has to pass: an address is blocked after its failures, for no longer than
 * a window, and no other with it.
 *
 * @example
 * ```ts
 * import { memoryFailureLimiter } from '@sallyport/webhooks'
 * import { testFailureLimiter } from '@sallyport/webhooks/testing'
 * import { describe, expect, it } from 'vitest'
 *
 * testFailureLimiter({ describe, expect, it }, { create: (options) => memoryFailureLimiter(options) })
 * ```
 */
export function testFailureLimiter(
  { describe, it, expect }: TestRunner,
  fixture: FailureLimiterFixture,
): void {
  const context = limiterContext({ it, expect }, fixture)
  const { test } = context
  const expectBlocked = (waitMs: number, windowMs: number) => {
    expect(waitMs > 0 && waitMs <= windowMs, `${waitMs} ms of a window of ${windowMs}`).toBe(true)
  }

  describe('failure limiter', () => {
    test(
      'blocks an address after its failures, in every process',
      { failures: 3, windowMs: longMs },
      async (context) => {
        const [one, another] = [context.limiter, await context.reopen()]
        for (const by of [one, another, one]) {
          expect(await one.check(address)).toBe(0)
          expect(await another.check(address)).toBe(0)
          expect(await by.fail(address)).toBe(0)
        }
        for (const by of [one, another]) expectBlocked(await by.check(address), longMs)
        expect(await one.check(other)).toBe(0)
        expect(await one.fail(other)).toBe(0)
      },
    )

    test(
      'tells each failure that slipped through beside others',
      { failures: 3, windowMs: longMs },
      async ({ limiter }) => {
        const waits = await Promise.all(Array.from({ length: 8 }, async () => limiter.fail(address)))
        expect(waits.filter((waitMs) => waitMs === 0).length).toBe(3)
        for (const waitMs of waits) if (waitMs !== 0) expectBlocked(waitMs, longMs)
      },
    )

    test(
      'counts what it is asked for as no failure',
      { failures: 1, windowMs: longMs },
      async ({ limiter }) => {
        for (let asked = 0; asked < 5; asked++) expect(await limiter.check(address)).toBe(0)
      },
    )

    test(
      'forgets an address when its window has passed',
      { failures: 2, windowMs: shortMs },
      async (context) => {
        const { limiter, pass } = context
        for (let failure = 0; failure < 3; failure++) await limiter.fail(address)
        await pass(shortMs)
        expect(await limiter.check(address)).toBe(0)
        // The first of a new window, in which one more is allowed.
        expect(await limiter.fail(address)).toBe(0)
        expect(await limiter.check(address)).toBe(0)
      },
    )

    test('counts a /64 of IPv6 as one client', { failures: 1, windowMs: longMs }, async ({ limiter }) => {
      expect(await limiter.fail('2001:db8::1')).toBe(0)
      expectBlocked(await limiter.check('2001:DB8::ffff'), longMs)
      expect(await limiter.check('2001:db8:0:1::1')).toBe(0)
    })

    test(
      'counts IPv4 as one client in each of its forms',
      { failures: 1, windowMs: longMs },
      async ({ limiter }) => {
        expect(await limiter.fail(`::ffff:${address}`)).toBe(0)
        for (const form of [address, `${address}:5000`]) expectBlocked(await limiter.check(form), longMs)
        expect(await limiter.check(other)).toBe(0)
      },
    )

    testLimiterWindow(context)
  })
}
