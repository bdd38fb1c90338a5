import { checkIntegers } from '@sallyport/internal/options'
import { getClientNetwork } from '@sallyport/internal/client-address'
import type { FailureLimiter } from '../ports/ports.ts'

export interface MemoryFailureLimiterOptions {
  /** The failures in a window that block an address until the end of the window. @default 20 */
  readonly failures?: number
  /** The length of a window in milliseconds, from the first failure of an address. @default 60,000 */
  readonly windowMs?: number
  /** The maximum number of addresses; the limiter forgets the oldest windows beyond it. @default 100,000 */
  readonly addresses?: number
  /** Milliseconds by a monotonic clock. @default performance.now */
  readonly now?: () => number
}

interface Window {
  failures: number
  readonly endsAt: number
}

/**
 * Creates a limiter in the memory of the process. A restart loses the counts.
 *
 * The limiter counts an IPv6 address by its /64 network, because a client controls the whole network.
 *
 * @throws TypeError when an option is not an integer of at least 1
 */
export function createMemoryFailureLimiter(options: MemoryFailureLimiterOptions = {}): FailureLimiter {
  const { failures = 20, windowMs = 60_000, addresses = 100_000, now = () => performance.now() } = options
  checkIntegers({ failures, windowMs, addresses }, 1)
  // Libraries keep every key until it expires, and answer with a promise: concurrent failures could pass the limit.
  // All windows have one length, so that the order of insertion is the order of their ends.
  const windows = new Map<string, Window>()

  function deleteExpired(at: number): void {
    for (const [network, window] of windows) {
      if (window.endsAt > at && windows.size < addresses) return
      windows.delete(network)
    }
  }

  return {
    check(address) {
      if (windows.size === 0) return 0
      const window = windows.get(getClientNetwork(address))
      return window && window.failures >= failures ? Math.max(0, window.endsAt - now()) : 0
    },
    fail(address) {
      const at = now()
      const network = getClientNetwork(address)
      const window = windows.get(network)
      if (window && window.endsAt > at) {
        window.failures++
        return window.failures > failures ? window.endsAt - at : 0
      }
      windows.delete(network)
      deleteExpired(at)
      windows.set(network, { failures: 1, endsAt: at + windowMs })
      return 0
    },
  }
}
