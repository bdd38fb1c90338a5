import { SallyportError } from '@sallyport/errors'
import { formatRetryAfter, type RateLimitState } from '@sallyport/rest'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

/** Where a client stands, as of its last request. */
export interface Standing extends RateLimitState {
  readonly name: string
  readonly exceeded: boolean
}

/** A quota for each client, counted in this process. */
export interface RateLimit {
  /** Where a client stands after one more request. */
  readonly count: (client: string) => Promise<Standing>
  /** Where a client stands; the quota is exceeded for one that has used it up. Counts nothing. */
  readonly look: (client: string) => Promise<Standing>
}

export interface RateLimitOptions {
  /** The policy's name. */
  readonly name: string
  readonly quota: number
  /** In seconds; it starts with the first request of a client. */
  readonly window: number
  /** How many clients are counted at most; past that, those whose windows are the oldest start anew. @default 100000 */
  readonly maxClients?: number
}

export function createRateLimit({ name, quota, window, maxClients = 100_000 }: RateLimitOptions): RateLimit {
  const limiter = new RateLimiterMemory({ points: quota, duration: window })
  // In the order in which their windows started; those whose window is over are the first to go.
  const clients = new Set<string>()

  async function remember(client: string): Promise<void> {
    clients.delete(client)
    clients.add(client)
    const [oldest] = clients
    if (clients.size <= maxClients || oldest === undefined) return
    clients.delete(oldest)
    await limiter.delete(oldest)
  }

  const standing = (remaining: number, reset: number, exceeded: boolean): Standing => {
    return { name, quota, window, remaining, reset: Math.max(0, reset), exceeded }
  }
  return {
    async count(client) {
      try {
        const { remainingPoints, msBeforeNext, isFirstInDuration } = await limiter.consume(client)
        if (isFirstInDuration) await remember(client)
        return standing(remainingPoints, msBeforeNext / 1000, false)
      } catch (error) {
        if (error instanceof RateLimiterRes) return standing(0, error.msBeforeNext / 1000, true)
        throw error
      }
    },

    async look(client) {
      const counted = await limiter.get(client)
      if (counted === null || counted.msBeforeNext <= 0) return standing(quota, window, false)
      const { remainingPoints, msBeforeNext } = counted
      return standing(remainingPoints, msBeforeNext / 1000, remainingPoints === 0)
    },
  }
}

/** @throws SallyportError 429 `RATE_LIMITED` with `Retry-After` when the quota is used up */
export function requireWithin(standing: Standing): void {
  if (!standing.exceeded) return
  throw new SallyportError('RATE_LIMITED', 'Too many requests; try again later', {
    headers: { 'Retry-After': formatRetryAfter(standing.reset) },
  })
}

/**
 * Counts a request of a client against a limit, if there is one, and shows where the client then stands.
 *
 * @throws SallyportError 429 `RATE_LIMITED` with `Retry-After` when the quota is used up
 */
export async function enforce(
  limit: RateLimit | undefined,
  client: string,
  show: (standing: Standing) => void,
): Promise<void> {
  const standing = await limit?.count(client)
  if (standing === undefined) return
  show(standing)
  requireWithin(standing)
}
