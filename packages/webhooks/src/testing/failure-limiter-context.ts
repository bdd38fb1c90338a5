import type { FailureLimiter, MaybePromise } from '../ports/ports.ts'
import type { TestRunner } from './runner.ts'

export interface FailureLimiterFixture {
  /** A limiter that has counted nothing yet, and that tells time by `now`, in milliseconds. */
  create(options: FailureLimiterFixtureOptions): MaybePromise<FailureLimiter>
  /**
   * Another limiter on the counts of the given one, as in another process; leave it out for counts that end with their
   * process.
   */
  reopen?(limiter: FailureLimiter, options: FailureLimiterFixtureOptions): MaybePromise<FailureLimiter>
  /**
   * Lets time pass for an engine with a clock of its own.
   *
   * @default moves `now` on
   */
  pass?(milliseconds: number): Promise<void>
}

export interface FailureLimiterFixtureOptions {
  /** Failures within a window after which an address is blocked until the window has passed. */
  readonly failures: number
  /** Length of a window in milliseconds: whole seconds. */
  readonly windowMs: number
  readonly now: () => number
}

/** What a test of the suite is given: a limiter, and its clock. */
interface LimiterTest {
  readonly limiter: FailureLimiter
  readonly pass: (milliseconds: number) => MaybePromise<void>
  readonly reopen: () => MaybePromise<FailureLimiter>
}

export interface LimiterContext extends Pick<TestRunner, 'expect'> {
  readonly test: (
    name: string,
    limits: Omit<FailureLimiterFixtureOptions, 'now'>,
    body: (context: LimiterTest) => Promise<void>,
  ) => void
}

export function limiterContext(
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
