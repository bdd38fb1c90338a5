import { integerOption } from '@sallyport/internal/options'
import type { FailureLimiter } from '../ports/ports.ts'
import { memoryFailureLimiter as limiterOf, type MemoryFailureLimiterOptions } from './failure-limiter.ts'

/**
 * Failures counted in this process: a restart forgets them.
 *
 * An IPv6 client owns a whole /64, so that is what is counted, not the single address.
 *
 * @throws TypeError when an option is no integer from 1
 */
export function memoryFailureLimiter(options: MemoryFailureLimiterOptions = {}): FailureLimiter {
  const { failures = 20, windowMs = 60_000, addresses = 100_000 } = options
  // Nothing is more than NaN: whoever asked for that many failures had no limiter at all.
  for (const [name, value] of Object.entries({ failures, windowMs, addresses })) integerOption(name, value, 1)
  return limiterOf(options)
}
