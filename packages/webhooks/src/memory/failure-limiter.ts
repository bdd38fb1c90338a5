import { getClientNetwork } from '../gateway/address.ts'
import type { FailureLimiter } from '../ports/ports.ts'

export interface MemoryFailureLimiterOptions {
  /** Failures within a window after which an address is blocked until the window has passed. @default 20 */
  readonly failures?: number
  /** Length of a window in milliseconds, counted from an address's first failure. @default 60,000 */
  readonly windowMs?: number
  /** Addresses that are remembered; past it, those whose window began first are forgotten. @default 100,000 */
  readonly addresses?: number
  /** Milliseconds by a clock that is never set back. @default performance.now */
  readonly now?: () => number
}

interface Window {
  failures: number
  readonly endsAt: number
}

/**
 * The limiter without checks of its options: every gateway has it, and every worker's bundle, for the sake of the defaults.
 *
 * An IPv6 client owns a whole /64, so that is what is counted, not the single address.
 */
export function memoryFailureLimiter(options: MemoryFailureLimiterOptions = {}): FailureLimiter {
  const { failures = 20, windowMs = 60_000, addresses = 100_000, now = () => performance.now() } = options
  // All windows are of one length, so the order of insertion is the order of their ends.
  const windows = new Map<string, Window>()

  function forgetPassed(at: number): void {
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
      forgetPassed(at)
      windows.set(network, { failures: 1, endsAt: at + windowMs })
      return 0
    },
  }
}
