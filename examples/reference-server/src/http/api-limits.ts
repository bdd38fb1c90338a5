import type { AnyRoute } from '@sallyport/rest'
import { createRateLimit, type RateLimit } from './rate-limit.ts'

/** Selects the rate limit of a route; undefined if the route has none. Without a route, selects the default limit. */
export type SelectLimit = (
  route: Pick<AnyRoute, 'operationId' | 'rateLimit'> | undefined,
) => RateLimit | undefined

/**
 * Creates the rate limits of routes. `default` is one quota for all its routes. `auth` is a quota for each of its routes,
 * for those that check passwords and tokens or create accounts.
 * @throws TypeError from the returned function, for a route with an unknown limit
 */
export function apiLimits({
  RATE_LIMIT,
  RATE_LIMIT_AUTH,
}: {
  readonly RATE_LIMIT: number
  readonly RATE_LIMIT_AUTH: number
}): SelectLimit {
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
        throw new TypeError(`${route.operationId} has the unknown rate limit ${route.rateLimit}`)
    }
  }
}
