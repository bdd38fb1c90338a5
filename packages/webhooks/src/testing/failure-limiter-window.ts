import type { LimiterContext } from './failure-limiter-context.ts'

/** Half of it is whole seconds: some engines tell no less. */
const windowMs = 2000
const [blocked, slow, told, again] = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4']

export function testLimiterWindow({ test, expect }: LimiterContext): void {
  test(
    'ends a window when it has passed, whatever was asked and failed meanwhile',
    { failures: 3, windowMs },
    async ({ limiter, pass }) => {
      for (let failure = 0; failure < 3; failure++) await limiter.fail(blocked)
      await limiter.fail(slow)
      await pass(windowMs / 2)
      await limiter.check(blocked)
      await limiter.fail(blocked)
      await limiter.fail(slow)
      await pass(windowMs / 2)
      expect(await limiter.check(blocked)).toBe(0)
      // The first of a new window.
      expect(await limiter.fail(slow)).toBe(0)
      expect(await limiter.check(slow)).toBe(0)
    },
  )

  test(
    'tells how long it blocks: no longer than is left of the window, and then no more',
    { failures: 2, windowMs },
    async ({ limiter, pass }) => {
      for (let failure = 0; failure < 2; failure++) expect(await limiter.fail(told)).toBe(0)
      await pass(windowMs / 2)
      const waits = [await limiter.check(told), await limiter.fail(told)]
      for (const waitMs of waits) expect(waitMs <= windowMs / 2, `${waitMs} ms of half a window`).toBe(true)
      await pass(Math.max(...waits))
      expect(await limiter.check(told)).toBe(0)
    },
  )

  test(
    'blocks an address again that goes on failing in later windows',
    { failures: 2, windowMs },
    async ({ limiter, pass }) => {
      const expectToBeBlocked = async () => {
        let waitMs = 0
        // Where time is real, a window may end before its last failure: then the next one is filled.
        for (let failure = 0; failure < 20 && waitMs === 0; failure++) {
          await limiter.fail(again)
          waitMs = await limiter.check(again)
        }
        expect(waitMs > 0, 'It is blocked after its failures').toBe(true)
      }
      await expectToBeBlocked()
      await pass(windowMs)
      await expectToBeBlocked()
    },
  )

  test(
    'counts many addresses, each for itself',
    { failures: 2, windowMs: 3_600_000 },
    async ({ limiter }) => {
      const addresses = Array.from({ length: 50 }, (_, index) => `198.51.100.${index}`)
      for (let failure = 0; failure < 2; failure++) {
        const waits = await Promise.all(addresses.map(async (address) => limiter.fail(address)))
        expect(waits).toEqual(addresses.map(() => 0))
      }
      for (const address of addresses)
        expect((await limiter.check(address)) > 0, `${address} is blocked`).toBe(true)
      expect(await limiter.check('198.51.100.255')).toBe(0)
    },
  )
}
