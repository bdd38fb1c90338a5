import type { FailureLimiter, MaybePromise } from '@sallyport/webhooks'
import type { TestRunner } from '@sallyport/webhooks/testing'

export interface FailureLimiterFixture {
  /** Creates an empty limiter with a clock in milliseconds. */
  create(options: FailureLimiterFixtureOptions): MaybePromise<FailureLimiter>
  /**
   * Another limiter on the counts of the given one, as in another process; leave it out for counts that end with their
   * process.
   */
  reopen?(limiter: FailureLimiter, options: FailureLimiterFixtureOptions): MaybePromise<FailureLimiter>
  /**
   * Lets time pass for an engine that does not use `now`.
   *
   * @default moves `now` on
   */
  pass?(milliseconds: number): Promise<void>
}

export interface FailureLimiterFixtureOptions {
  /** Failures within a window before an address is blocked. */
  readonly failures: number
  /** Length of a window in milliseconds, a multiple of 1000. */
  readonly windowMs: number
  readonly now: () => number
}

/** The fixtures of one test: a limiter and its clock. */
interface LimiterTest {
  readonly limiter: FailureLimiter
  readonly pass: (milliseconds: number) => MaybePromise<void>
  readonly reopen: () => MaybePromise<FailureLimiter>
}

interface LimiterContext extends Pick<TestRunner, 'expect'> {
  readonly test: (
    name: string,
    limits: Omit<FailureLimiterFixtureOptions, 'now'>,
    body: (context: LimiterTest) => Promise<void>,
  ) => void
}

function createLimiterContext(
  { it, expect }: Pick<TestRunner, 'it' | 'expect'>,
  fixture: FailureLimiterFixture,
): LimiterContext {
  const test: LimiterContext['test'] = (name, limits, body) => {
    it(name, async () => {
      let time = 0
      const options = { ...limits, now: () => time }
      const limiter = await fixture.create(options)
      await body({
        limiter,
        pass: (milliseconds) => {
          time += milliseconds
          return fixture.pass?.(milliseconds)
        },
        reopen: () => fixture.reopen?.(limiter, options) ?? limiter,
      })
    })
  }
  return { test, expect }
}

/** Longer than a test, so only the clock of the suite ends the window. */
const longMs = 3_600_000
const shortMs = 1000
const [address, other] = ['192.0.2.1', '192.0.2.2']

/**
 * Defines the conformance tests of failure limiters.
 *
 * @example
 * ```ts
 * import { createMemoryFailureLimiter } from '@sallyport/webhooks'
 * import { testFailureLimiter } from '@sallyport/testing'
 * import { describe, expect, it } from 'vitest'
 *
 * testFailureLimiter({ describe, expect, it }, { create: (options) => createMemoryFailureLimiter(options) })
 * ```
 */
export function testFailureLimiter(
  { describe, it, expect }: TestRunner,
  fixture: FailureLimiterFixture,
): void {
  const context = createLimiterContext({ it, expect }, fixture)
  const { test } = context
  const expectBlocked = (waitMs: number, windowMs: number) => {
    expect(waitMs > 0 && waitMs <= windowMs, `${waitMs} ms of a window of ${windowMs}`).toBe(true)
  }

  describe('failure limiter', () => {
    test(
      'blocks an address after its failures in every process',
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
      'returns a wait for each concurrent failure beyond the limit',
      { failures: 3, windowMs: longMs },
      async ({ limiter }) => {
        const waits = await Promise.all(Array.from({ length: 8 }, async () => limiter.fail(address)))
        expect(waits.filter((waitMs) => waitMs === 0).length).toBe(3)
        for (const waitMs of waits) if (waitMs !== 0) expectBlocked(waitMs, longMs)
      },
    )

    test('does not count a check as a failure', { failures: 1, windowMs: longMs }, async ({ limiter }) => {
      for (let asked = 0; asked < 5; asked++) expect(await limiter.check(address)).toBe(0)
    })

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

    test(
      'counts an IPv6 /64 network as one client',
      { failures: 1, windowMs: longMs },
      async ({ limiter }) => {
        expect(await limiter.fail('2001:db8::1')).toBe(0)
        expectBlocked(await limiter.check('2001:DB8::ffff'), longMs)
        expect(await limiter.check('2001:db8:0:1::1')).toBe(0)
      },
    )

    test(
      'counts each form of an IPv4 address as one client',
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

/** Half a window is a whole second, the resolution of some engines. */
const windowMs = 2000
const [blocked, slow, told, again] = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4']

function testLimiterWindow({ test, expect }: LimiterContext): void {
  test(
    'does not extend a window by checks or failures',
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
    'returns the remaining time of the window as the wait',
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

  test('blocks an address again in a later window', { failures: 2, windowMs }, async ({ limiter, pass }) => {
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
  })

  test('counts many addresses independently', { failures: 2, windowMs: 3_600_000 }, async ({ limiter }) => {
    const addresses = Array.from({ length: 50 }, (_, index) => `198.51.100.${index}`)
    for (let failure = 0; failure < 2; failure++) {
      const waits = await Promise.all(addresses.map(async (address) => limiter.fail(address)))
      expect(waits).toEqual(addresses.map(() => 0))
    }
    for (const address of addresses)
      expect((await limiter.check(address)) > 0, `${address} is blocked`).toBe(true)
    expect(await limiter.check('198.51.100.255')).toBe(0)
  })
}
