import { integerOption } from '../options.ts'
import type { RateLimitState } from '../rate-limit.ts'

/** The state of a client's quota after a request. */
export interface RateLimitResult extends RateLimitState {
  readonly name: string
  /** Whether the request exceeds the quota. */
  readonly exceeded: boolean
}

/** Counts the requests of clients against a quota. Implement it over a shared store to count across processes. */
export interface RateLimit {
  /** Counts a request of a client. */
  readonly count: (client: string) => RateLimitResult | Promise<RateLimitResult>
}

export interface RateLimitOptions {
  /** The name of the policy in the headers. */
  readonly name: string
  /** Requests allowed per client and window. */
  readonly quota: number
  /** The length of a window in seconds. A window starts with the first request of a client. */
  readonly window: number
  /** The largest number of counted clients; the client with the oldest window is evicted. @default 100000 */
  readonly maxClients?: number
  /** A monotonic time in milliseconds. @default performance.now */
  readonly now?: () => number
}

/** A rate limit that is counted in this process. */
export interface MemoryRateLimit extends RateLimit {
  readonly count: (client: string) => RateLimitResult
  /** Returns the state without counting; `exceeded` when no request is left. */
  readonly look: (client: string) => RateLimitResult
}

/**
 * Creates a rate limit with a fixed window per client, counted in this process.
 *
 * @throws TypeError for an option that is not a positive integer
 *
 * @example
 * ```ts
 * import { createMemoryRateLimit } from '@sallyport/rest'
 *
 * const logins = createMemoryRateLimit({ name: 'login', quota: 10, window: 900 })
 * logins.count('192.0.2.1').exceeded // false
 * ```
 */
export function createMemoryRateLimit({
  name,
  quota,
  window,
  maxClients = 100_000,
  now = () => performance.now(),
}: RateLimitOptions): MemoryRateLimit {
  integerOption('quota', quota, 1)
  integerOption('window', window, 1)
  integerOption('maxClients', maxClients, 1)
  // In the order of the starts of the windows.
  const clients = new Map<string, { count: number; readonly endsAt: number }>()

  const createResult = (count: number, resetMs: number, exceeded: boolean): RateLimitResult => {
    // The difference of two times may exceed the window by a rounding error.
    const reset = Math.min(resetMs / 1000, window)
    return { name, quota, window, remaining: Math.max(0, quota - count), reset, exceeded }
  }
  /** Returns the running window of a client. */
  const getWindow = (client: string, time: number) => {
    const current = clients.get(client)
    return current !== undefined && time < current.endsAt ? current : undefined
  }
  return {
    count(client) {
      const time = now()
      let current = getWindow(client, time)
      if (current === undefined) {
        clients.delete(client)
        current = { count: 0, endsAt: time + window * 1000 }
        clients.set(client, current)
        const [oldest] = clients.keys()
        if (clients.size > maxClients && oldest !== undefined) clients.delete(oldest)
      }
      if (current.count <= quota) current.count += 1
      return createResult(current.count, current.endsAt - time, current.count > quota)
    },

    look(client) {
      const time = now()
      const current = getWindow(client, time)
      if (current === undefined) return createResult(0, window * 1000, false)
      return createResult(current.count, current.endsAt - time, current.count >= quota)
    },
  }
}
