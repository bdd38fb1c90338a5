import type { ServerResponse } from 'node:http'
import { formatRateLimitHeaders } from '@sallyport/rest'
import type { LimitState } from './rate-limit.ts'

/**
 * Creates a function that adds the state of a rate limit to the headers of a response.
 * `RateLimit-Policy` lists all limits of the request, `RateLimit` has the limit with the fewest remaining requests.
 *
 * @see https://www.ietf.org/archive/id/draft-ietf-httpapi-ratelimit-headers-11.html
 */
export function createRateLimitWriter(
  response: Pick<ServerResponse, 'setHeader'>,
): (state: LimitState) => void {
  const byName = new Map<string, LimitState>()
  return (state) => {
    byName.set(state.name, state)
    const states = [...byName.values()] as [LimitState, ...LimitState[]]
    const nearest = states.reduce((a, b) => (isNearer(b, a) ? b : a))
    const all = formatRateLimitHeaders(...states)
    response.setHeader('RateLimit-Policy', all['RateLimit-Policy'])
    response.setHeader('RateLimit', (states.length === 1 ? all : formatRateLimitHeaders(nearest)).RateLimit)
  }
}

/** Compares by the remaining requests, then by the longer time until the reset. */
function isNearer(a: LimitState, b: LimitState): boolean {
  return a.remaining === b.remaining ? a.reset > b.reset : a.remaining < b.remaining
}
