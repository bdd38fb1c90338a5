import { callHook } from '@sallyport/internal/promises'
import type { Destination, DestinationResult } from '../ports/destination.ts'
import type { Inbox } from '../ports/ports.ts'
import type { AnyProvider } from '../provider/provider.ts'
import { createMessageRedactor } from '../redaction/redact-message.ts'
import { createDestinationAttempt, timeoutOf, type DestinationAttempt } from './attempt.ts'
import type { BodyBudget } from './body-budget.ts'
import { createBreaker } from './breaker.ts'
import type { DestinationCounter } from './counter.ts'
import { createGate, type DestinationGate } from './gate.ts'
import { createRate } from './rate.ts'
import type { DestinationStore } from './store.ts'

/** A destination with its limits and its circuit breaker. */
export interface OpenDestination {
  readonly destination: Destination
  readonly timeoutMs: number
  readonly concurrency: number
  readonly gate: DestinationGate
  readonly attempt: DestinationAttempt
  /** Ends the circuit breaker, whose destination was changed or removed. Running requests end. */
  close(): void
}

interface OpenDestinationOptions {
  readonly inbox: Pick<Inbox, 'getRequest'>
  readonly providers: readonly AnyProvider[]
  readonly store: DestinationStore
  readonly counter: DestinationCounter
  readonly bodies: BodyBudget
  readonly onError: (error: unknown) => unknown
  readonly now: () => number
  readonly ticks: () => number
  readonly random: () => number
  readonly isPaused: () => boolean
  readonly isKnown: () => boolean
  /** Called when the destination answers that it is gone. */
  readonly onGone: (error: string | undefined) => void
  /** Called when requests may begin. */
  readonly onRoom: () => void
  /** Called when the circuit breaker closes. */
  readonly onClosed: () => void
}

/** The results in a row that open the breaker. */
const breakerFailures = 5
const defaultConcurrency = 10

/** @throws TypeError for a malformed path of `redact` */
export function openDestination(destination: Destination, options: OpenDestinationOptions): OpenDestination {
  const { inbox, store, counter, onError, ticks, random, isPaused, isKnown } = options
  const { onGone, onRoom, onClosed } = options
  const { name, ratePerSecond, concurrency = defaultConcurrency } = destination
  const report = (error: unknown) => {
    callHook(onError, error)
  }
  const breaker = createBreaker({ failures: breakerFailures, ticks, random })
  const rate =
    ratePerSecond === undefined
      ? undefined
      : createRate({
          ...{ ratePerSecond, ticks, onError: report, onRoom },
          reserve: (count) => store.reserve(name, { ratePerSecond, count }),
        })
  const gate = createGate({ breaker, rate, isPaused, isKnown, random })

  let isClosed = false

  function onResult({ outcome, error, status, unavailable = false, retryAfterMs }: DestinationResult): void {
    // A message that cannot be sent says nothing about the destination.
    if (outcome === 'dead' && status === undefined) return
    counter.attempt(name, outcome === 'done', status)
    if (outcome === 'gone') onGone(error)
    const change = breaker.count(unavailable, retryAfterMs)
    if (change === undefined || isClosed) return
    store.setBreaker(name, change === 'opened' ? breaker.openMs : undefined).catch(report)
    if (change === 'closed') onClosed()
  }

  const getRequest = (delivery: string) => inbox.getRequest?.(delivery) ?? Promise.resolve(undefined)
  const redact = destination.redact && createMessageRedactor(destination.redact, options.providers)
  const attempt = createDestinationAttempt(destination, { ...options, getRequest, redact, onResult })
  return {
    ...{ destination, concurrency, gate, timeoutMs: timeoutOf(destination) },
    attempt: (work, ending) => gate.probe(() => attempt(work, ending)),
    close() {
      isClosed = true
      if (!breaker.isClosed) store.setBreaker(name, undefined).catch(report)
    },
  }
}
