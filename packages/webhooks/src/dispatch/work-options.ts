import { integerOption, timerOption } from '@sallyport/internal/options'
import type { Attempt } from './attempt.ts'
import type { BackoffOptions } from './backoff.ts'

export interface WorkLoopOptions {
  /** How long a lease lasts, in milliseconds. @default 15,000 */
  readonly leaseMs?: number
  /** How long one attempt may take, in milliseconds. @default 5,000 */
  readonly timeoutMs?: number
  /** Events in one attempt. @default 100 */
  readonly batchSize?: number
  /** Attempts at once; a dispatcher with a shared queue makes as many again for what goes there. @default 4 */
  readonly concurrency?: number
  /** How often the inbox is asked for work that is due, in milliseconds. @default 1,000 */
  readonly pollMs?: number
  readonly backoff?: BackoffOptions
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
  /** Milliseconds by a clock that is never set back, for what is left of a lease. @default performance.now */
  readonly monotonicNow?: () => number
  /** From 0 up to 1. @default Math.random */
  readonly random?: () => number
}

export interface WorkLoopHooks {
  /** Told of every attempt once it is settled. */
  readonly onAttempt?: (attempt: Attempt) => unknown
  /** Told when the inbox cannot be asked or settled, or a port answers what cannot be read; the loop goes on. */
  readonly onError?: (error: unknown) => unknown
}

/** @throws TypeError that names the option; also when an attempt may take as long as a lease lasts */
export function checkWorkOptions(options: WorkLoopOptions) {
  const { leaseMs = 15_000, timeoutMs = 5000, batchSize = 100, concurrency = 4, pollMs = 1000 } = options
  checkBackoff(options.backoff)
  const checked = {
    leaseMs: timerOption('leaseMs', leaseMs),
    timeoutMs: timerOption('timeoutMs', timeoutMs),
    batchSize: integerOption('batchSize', batchSize, 1),
    concurrency: integerOption('concurrency', concurrency, 1),
    pollMs: timerOption('pollMs', pollMs),
  }
  if (leaseMs <= timeoutMs)
    throw new TypeError('leaseMs must be more than timeoutMs: no lease may end under an attempt')
  return checked
}

function checkBackoff({ baseMs = 0, maximumMs = 0, giveUpAfterMs = 0 }: BackoffOptions = {}): void {
  integerOption('backoff.baseMs', baseMs, 0)
  integerOption('backoff.maximumMs', maximumMs, 0)
  // Never is a time to give up as well.
  if (giveUpAfterMs !== Infinity) integerOption('backoff.giveUpAfterMs', giveUpAfterMs, 0)
}
