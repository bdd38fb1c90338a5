import { networkOf, type FailureLimiter } from '@sallyport/webhooks'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import type { Connection } from './connection.ts'
import { plainly } from './failure.ts'
import { requireIntegers } from './options.ts'

export interface RedisFailureLimiterOptions {
  /** What the keys of the counts begin with. @default sallyport:failures */
  readonly prefix?: string
  /** Failures within a window after which an address is blocked until the window has passed. @default 20 */
  readonly failures?: number
  /** Length of a window in milliseconds, counted from an address's first failure: whole seconds. @default 60,000 */
  readonly windowMs?: number
}

export function createFailureLimiter(
  connection: Connection,
  options: RedisFailureLimiterOptions,
): FailureLimiter {
  const { prefix = 'sallyport:failures', failures = 20, windowMs = 60_000 } = options
  requireIntegers({ failures, windowMs })
  if (windowMs % 1000 !== 0)
    throw new TypeError('windowMs must be whole seconds in milliseconds, such as 60000')
  let limiter: RateLimiterRedis | undefined

  const ask = <Value>(question: (limiter: RateLimiterRedis) => Promise<Value>) =>
    plainly(async () => {
      const storeClient = await connection.current()
      limiter ??= new RateLimiterRedis({
        ...{ storeClient, keyPrefix: prefix, points: failures, duration: windowMs / 1000 },
      })
      return question(limiter)
    })

  return {
    check: (address) =>
      ask(async (by) => {
        const count = await by.get(networkOf(address))
        return count && count.consumedPoints >= failures ? Math.max(0, count.msBeforeNext) : 0
      }),
    fail: (address) =>
      ask(async (by) => {
        const count = await by.penalty(networkOf(address), 1)
        return count.consumedPoints > failures ? Math.max(0, count.msBeforeNext) : 0
      }),
  }
}
