import { integerOption, timerOption } from '@sallyport/internal/options'
import type { BackoffOptions } from '../dispatch/backoff.ts'
import type { DestinationAttempt } from '../destinations/attempt.ts'
import type { Gate } from '../destinations/gate.ts'
import { checkBackoff } from '../dispatch/work-options.ts'
import type { EventHandler, HandlerLimits } from './event-handlers.ts'

/** A handler with its limits. */
export interface CheckedHandler {
  readonly handle: EventHandler<never>
  readonly timeoutMs: number
  /** `Infinity` without a limit of its own. */
  readonly concurrency: number
  readonly maxAttempts: number
  readonly backoff: BackoffOptions
  /** When a destination may receive requests; undefined for a handler. */
  readonly gate?: Gate
  /** Sends the event of a row to its destination, instead of `handle`. */
  readonly attempt?: DestinationAttempt
}

/** The limits of all handlers, and those of the process. */
export interface HandlerBounds extends Omit<HandlerLimits, 'concurrency'> {
  /** The concurrency of all handlers together. */
  readonly concurrency: number
  /** The duration of a lease that cannot be renewed. */
  readonly fixedLeaseMs: number | undefined
}

const defaultTimeoutMs = 30_000
const dayMs = 86_400_000

/**
 * Returns the handlers by the name of their event, with their limits.
 *
 * @throws TypeError for a handler that is not a function, for a limit out of range, and for limits that contradict each other
 */
export function checkHandlers(on: object, bounds: HandlerBounds): ReadonlyMap<string, CheckedHandler> {
  const given = Object.entries(on).filter(([, handler]) => handler !== undefined)
  return new Map(given.map(([name, handler]) => [name, checkHandler(name, handler, bounds)]))
}

function checkHandler(name: string, given: unknown, bounds: HandlerBounds): CheckedHandler {
  const { handler, ...limits } = readHandler(given)
  if (!isHandler(handler)) throw new TypeError(`The handler of ${name} must be a function`)
  const { timeoutMs = bounds.timeoutMs ?? defaultTimeoutMs, concurrency = Infinity } = limits
  const { maxAttempts = bounds.maxAttempts ?? Infinity, backoff = bounds.backoff ?? {} } = limits
  timerOption(`timeoutMs of ${name}`, timeoutMs)
  if (concurrency !== Infinity) integerOption(`concurrency of ${name}`, concurrency, 1)
  if (maxAttempts !== Infinity) integerOption(`maxAttempts of ${name}`, maxAttempts, 1)
  checkBackoff(backoff)
  const checked = { handle: handler, timeoutMs, concurrency, maxAttempts, backoff }
  checkTogether(name, checked, bounds)
  return checked
}

function readHandler(given: unknown): HandlerLimits & { readonly handler?: unknown } {
  return typeof given === 'object' && given !== null ? given : { handler: given }
}

const isHandler = (value: unknown): value is EventHandler<never> => typeof value === 'function'

function checkTogether(
  name: string,
  { timeoutMs, concurrency, backoff: { giveUpAfterMs = dayMs } }: CheckedHandler,
  bounds: HandlerBounds,
): void {
  if (concurrency !== Infinity && concurrency > bounds.concurrency)
    throw new TypeError(
      `concurrency of ${name} must be at most ${bounds.concurrency}, the concurrency of all handlers`,
    )
  if (timeoutMs >= giveUpAfterMs)
    throw new TypeError(`timeoutMs of ${name} must be less than backoff.giveUpAfterMs, or no retry follows`)
  if (bounds.fixedLeaseMs !== undefined && timeoutMs >= bounds.fixedLeaseMs)
    throw new TypeError(`timeoutMs of ${name} must be less than leaseMs: the inbox cannot renew a lease`)
}
