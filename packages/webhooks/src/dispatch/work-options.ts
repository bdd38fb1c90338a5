import { integerOption, timerOption } from '@sallyport/internal/options'
import type { Attempt } from './attempt.ts'
import type { BackoffOptions } from './backoff.ts'

export interface WorkLoopOptions {
  /** How long a lease lasts, in milliseconds. @default 15,000 */
  readonly leaseMs?: number
  /** The timeout of an attempt, in milliseconds. @default 5,000 */
  readonly timeoutMs?: number
  /** The maximum number of events in an attempt. @default 100 */
  readonly batchSize?: number
  /** Concurrent attempts; a dispatcher with a shared queue has as many again for the queue. @default 4 */
  readonly concurrency?: number
  /** The interval of the claims, in milliseconds. @default 1,000 */
  readonly pollMs?: number
  readonly backoff?: BackoffOptions
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
  /** Milliseconds by a monotonic clock, for the age of leases. @default performance.now */
  readonly monotonicNow?: () => number
  /** From 0 up to 1. @default Math.random */
  readonly random?: () => number
}

export interface WorkLoopHooks {
  /** Called for each settled attempt. */
  readonly onAttempt?: (attempt: Attempt) => unknown
  /** Called with errors of the inbox and of unreadable results of a port; the loop continues. */
  readonly onError?: (error: unknown) => unknown
}

/** @throws TypeError that names the option; also when `timeoutMs` is not less than `leaseMs` */
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

/** @throws TypeError for a delay out of range */
export function checkBackoff({ baseMs = 0, maximumMs = 0, giveUpAfterMs = 0 }: BackoffOptions = {}): void {
  integerOption('backoff.baseMs', baseMs, 0)
  integerOption('backoff.maximumMs', maximumMs, 0)
  if (giveUpAfterMs !== Infinity) integerOption('backoff.giveUpAfterMs', giveUpAfterMs, 0)
}
