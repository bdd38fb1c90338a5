import type { ServerResponse } from 'node:http'
import { formatRateLimitHeaders } from '@sallyport/rest'
import type { Standing } from './rate-limit.ts'

/**
 * Shows where a client stands with every rate limit that a request counts against, in the headers of its response.
 *
 * `RateLimit-Policy` lists all of them, `RateLimit` the one that is nearest to its end.
 *
 * @see https://www.ietf.org/archive/id/draft-ietf-httpapi-ratelimit-headers-11.html
 */
export function showStandings(response: Pick<ServerResponse, 'setHeader'>): (standing: Standing) => void {
  const byName = new Map<string, Standing>()
  return (standing) => {
    byName.set(standing.name, standing)
    const standings = [...byName.values()] as [Standing, ...Standing[]]
    const nearest = standings.reduce((a, b) => (isNearer(b, a) ? b : a))
    const all = formatRateLimitHeaders(...standings)
    response.setHeader('RateLimit-Policy', all['RateLimit-Policy'])
    response.setHeader(
      'RateLimit',
      (standings.length === 1 ? all : formatRateLimitHeaders(nearest)).RateLimit,
    )
  }
}

/** Whether fewer requests are left, or as few for longer. */
function isNearer(a: Standing, b: Standing): boolean {
  return a.remaining === b.remaining ? a.reset > b.reset : a.remaining < b.remaining
}
