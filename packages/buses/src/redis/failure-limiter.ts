import type { FailureLimiter } from '@sallyport/webhooks'
import { getClientNetwork } from '@sallyport/internal/client-address'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import { checkIntegers } from '@sallyport/internal/options'
import type { Connection } from './connection.ts'
import { withPlainErrors } from './failure.ts'

export interface RedisFailureLimiterOptions {
  /** Prefix of the keys of the counts. @default sallyport:failures */
  readonly prefix?: string
  /** Failures per window after which an address is blocked until the window ends. @default 20 */
  readonly failures?: number
  /** Length of a window in milliseconds, from the first failure of an address; whole seconds. @default 60,000 */
  readonly windowMs?: number
}

export function createFailureLimiter(
  connection: Connection,
  options: RedisFailureLimiterOptions,
): FailureLimiter {
  const { prefix = 'sallyport:failures', failures = 20, windowMs = 60_000 } = options
  checkIntegers({ failures, windowMs }, 1)
  if (windowMs % 1000 !== 0)
    throw new TypeError('windowMs must be a whole number of seconds in milliseconds, such as 60000')
  let limiter: RateLimiterRedis | undefined

  const withLimiter = <Value>(operation: (limiter: RateLimiterRedis) => Promise<Value>) =>
    withPlainErrors(async () => {
      const storeClient = await connection.getClient()
      limiter ??= new RateLimiterRedis({
        ...{ storeClient, keyPrefix: prefix, points: failures, duration: windowMs / 1000 },
      })
      return operation(limiter)
    })

  return {
    check: (address) =>
      withLimiter(async (current) => {
        const count = await current.get(getClientNetwork(address))
        return count && count.consumedPoints >= failures ? Math.max(0, count.msBeforeNext) : 0
      }),
    fail: (address) =>
      withLimiter(async (current) => {
        const count = await current.penalty(getClientNetwork(address), 1)
        return count.consumedPoints > failures ? Math.max(0, count.msBeforeNext) : 0
      }),
  }
}
