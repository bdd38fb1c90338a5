import { SallyportError } from '@sallyport/errors'
import { formatRetryAfter, type RateLimitState } from '@sallyport/rest'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

/** The state of a client's quota after its last request. */
export interface LimitState extends RateLimitState {
  readonly name: string
  readonly exceeded: boolean
}

/** A quota for each client, counted in this process. */
export interface RateLimit {
  /** Counts a request and returns the state. */
  readonly count: (client: string) => Promise<LimitState>
  /** Returns the state without counting; `exceeded` when no request is left. */
  readonly look: (client: string) => Promise<LimitState>
}

export interface RateLimitOptions {
  /** The name of the policy. */
  readonly name: string
  readonly quota: number
  /** In seconds; it starts with the first request of a client. */
  readonly window: number
  /** The largest number of counted clients; the clients with the oldest windows are evicted. @default 100000 */
  readonly maxClients?: number
}

export function createRateLimit({ name, quota, window, maxClients = 100_000 }: RateLimitOptions): RateLimit {
  const limiter = new RateLimiterMemory({ points: quota, duration: window })
  // In the order of the starts of their windows.
  const clients = new Set<string>()

  async function remember(client: string): Promise<void> {
    clients.delete(client)
    clients.add(client)
    const [oldest] = clients
    if (clients.size <= maxClients || oldest === undefined) return
    clients.delete(oldest)
    await limiter.delete(oldest)
  }

  const state = (remaining: number, reset: number, exceeded: boolean): LimitState => {
    return { name, quota, window, remaining, reset: Math.max(0, reset), exceeded }
  }
  return {
    async count(client) {
      try {
        const { remainingPoints, msBeforeNext, isFirstInDuration } = await limiter.consume(client)
        if (isFirstInDuration) await remember(client)
        return state(remainingPoints, msBeforeNext / 1000, false)
      } catch (error) {
        if (error instanceof RateLimiterRes) return state(0, error.msBeforeNext / 1000, true)
        throw error
      }
    },

    async look(client) {
      const counted = await limiter.get(client)
      if (counted === null || counted.msBeforeNext <= 0) return state(quota, window, false)
      const { remainingPoints, msBeforeNext } = counted
      return state(remainingPoints, msBeforeNext / 1000, remainingPoints === 0)
    },
  }
}

/** @throws SallyportError 429 `RATE_LIMITED` with `Retry-After` when the quota is used up */
export function requireQuota(state: LimitState): void {
  if (!state.exceeded) return
  throw new SallyportError('RATE_LIMITED', 'Too many requests; try again later', {
    headers: { 'Retry-After': formatRetryAfter(state.reset) },
  })
}

/**
 * Counts a request of a client against a limit, if any, and shows the state.
 *
 * @throws SallyportError 429 `RATE_LIMITED` with `Retry-After` when the quota is used up
 */
export async function enforce(
  limit: RateLimit | undefined,
  client: string,
  show: (state: LimitState) => void,
): Promise<void> {
  const state = await limit?.count(client)
  if (state === undefined) return
  show(state)
  requireQuota(state)
}
