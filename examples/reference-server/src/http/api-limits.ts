import type { AnyRoute } from '@sallyport/rest'
import { createRateLimit, type RateLimit } from './rate-limit.ts'

/** The limit that requests to a route count against, none where it declares so; without a route, the general one. */
export type LimitOf = (
  route: Pick<AnyRoute, 'operationId' | 'rateLimit'> | undefined,
) => RateLimit | undefined

/**
 * The rate limits that routes name: `default`, one quota for all of its routes together, and `auth`, where passwords and
 * tokens can be guessed at or accounts made in masses, a quota for each of its routes.
 *
 * @throws TypeError from what is returned, for a route that names another
 */
export function apiLimits({
  RATE_LIMIT,
  RATE_LIMIT_AUTH,
}: {
  readonly RATE_LIMIT: number
  readonly RATE_LIMIT_AUTH: number
}): LimitOf {
  const common = createRateLimit({ name: 'default', quota: RATE_LIMIT, window: 60 })
  const guarded = new Map<string, RateLimit>()

  function guard(operation: string): RateLimit {
    const limit =
      guarded.get(operation) ?? createRateLimit({ name: 'auth', quota: RATE_LIMIT_AUTH, window: 60 })
    guarded.set(operation, limit)
    return limit
  }

  return (route) => {
    if (route === undefined) return common
    switch (route.rateLimit ?? 'default') {
      case false:
        return undefined
      case 'default':
        return common
      case 'auth':
        return guard(route.operationId)
      default:
        throw new TypeError(
          `${route.operationId} names the rate limit ${route.rateLimit}, which there is not`,
        )
    }
  }
}
