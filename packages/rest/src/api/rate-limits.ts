import { SallyportError } from '@sallyport/errors'
import { formatRateLimitHeaders, formatRetryAfter } from '../rate-limit.ts'
import type { AnyRoute } from '../route.ts'
import { createMemoryRateLimit, type RateLimit, type RateLimitResult } from './memory-rate-limit.ts'

/** A rate limit of an API. */
interface ApiRateLimit {
  /** Requests allowed per client and window. */
  readonly quota: number
  /** The length of a window in seconds. */
  readonly window: number
  /** Whether each route has its own quota. @default false: all routes with this limit share one quota */
  readonly perRoute?: boolean
}

/** The rate limits of an API by the names that routes declare in `rateLimit`. */
export type ApiRateLimits = Readonly<Record<string, ApiRateLimit | RateLimit>>

/** Counts a request of a client; undefined if the route has no rate limit. */
export type CountRequest = (client: string) => RateLimitResult | Promise<RateLimitResult>

/**
 * Creates a function that selects the rate limit of a route. A request without a route counts against `default`.
 *
 * @throws TypeError from the returned function, for a route with an unknown limit
 */
export function createRateLimits(
  limits: ApiRateLimits,
): (route: Pick<AnyRoute, 'operationId' | 'rateLimit'> | undefined) => CountRequest | undefined {
  const created = new Map<string, { readonly limit: RateLimit; readonly perRoute: boolean }>()
  for (const [name, option] of Object.entries(limits)) {
    const isPort = 'count' in option
    created.set(name, {
      limit: isPort ? option : createMemoryRateLimit({ name, quota: option.quota, window: option.window }),
      perRoute: !isPort && option.perRoute === true,
    })
  }

  return (route) => {
    const name = route?.rateLimit ?? 'default'
    if (name === false) return undefined
    const selected = created.get(name)
    if (selected !== undefined) {
      const { limit, perRoute } = selected
      return perRoute ? (client) => limit.count(`${route?.operationId ?? ''} ${client}`) : limit.count
    }
    if (route === undefined) return undefined
    throw new TypeError(
      `${route.operationId} declares the rate limit ${JSON.stringify(name)}: add it to rateLimits, or declare rateLimit: false`,
    )
  }
}

/** @throws SallyportError 429 `RATE_LIMITED` with `Retry-After` when the quota is exceeded */
export function requireQuota({ exceeded, reset }: Pick<RateLimitResult, 'exceeded' | 'reset'>): void {
  if (!exceeded) return
  throw new SallyportError('RATE_LIMITED', 'Too many requests; try again later', {
    headers: { 'Retry-After': formatRetryAfter(reset) },
  })
}

/**
 * Formats the headers for the states of all limits of a request. `RateLimit-Policy` lists all limits, `RateLimit` has the
 * limit with the fewest remaining requests.
 *
 * @see https://www.ietf.org/archive/id/draft-ietf-httpapi-ratelimit-headers-11.html
 */
export function createRateLimitHeaders(
  states: ReadonlyMap<string, RateLimitResult>,
): Readonly<Record<string, string>> {
  const [first, ...others] = states.values()
  if (first === undefined) return {}
  const all = formatRateLimitHeaders(first, ...others)
  if (others.length === 0) return all
  const nearest = others.reduce((a, b) => (isNearer(b, a) ? b : a), first)
  return { ...all, RateLimit: formatRateLimitHeaders(nearest).RateLimit }
}

/** Compares by the remaining requests, then by the longer time until the reset. */
function isNearer(a: RateLimitResult, b: RateLimitResult): boolean {
  return a.remaining === b.remaining ? a.reset > b.reset : a.remaining < b.remaining
}
