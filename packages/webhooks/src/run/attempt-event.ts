import { readPostponed } from '@sallyport/internal/postponed'
import { callHook } from '@sallyport/internal/promises'
import { createOutcomeFunction, type Failure } from '../dispatch/outcome.ts'
import type { CheckedHandler } from '../handlers/check-handlers.ts'
import { toHandlerFailure } from '../handlers/handler-error.ts'
import type { WebhookEvent } from '../ports/event.ts'
import type { ClaimedWork, HeldLease, Settlement } from '../ports/ports.ts'
import { isTransactional } from '../ports/transactional.ts'
import { runUntilEnd } from './ending.ts'
import type { Unit } from './unit.ts'

/**
 * The end of a run: the outcome to settle, `settled` by the transaction of the handler, `ended` with the unit, or `lost` with
 * its lease.
 */
export type RunResult = Settlement['outcome'] | 'settled' | 'ended' | 'lost'

/** Whether a handler handled its event. */
export const isHandled = (result: RunResult): boolean =>
  result === 'settled' || (typeof result === 'object' && result.status === 'done')

export interface AttemptEventOptions {
  readonly now: () => number
  readonly random: () => number
  /** Runs a handler, for traces. */
  readonly runHandler: (<T>(event: WebhookEvent, run: () => Promise<T>) => Promise<T>) | undefined
  /** Called with each error of a handler. */
  readonly onHandlerError: ((error: unknown, event: WebhookEvent) => unknown) | undefined
  readonly onError: ((error: unknown) => unknown) | undefined
  /** Whether an event without a handler is a dead letter. */
  readonly refusesUnhandled: boolean
}

type AttemptEvent = (unit: Unit, work: ClaimedWork, handler: CheckedHandler | undefined) => Promise<RunResult>

/**
 * Creates the function that runs the handler of an event.
 *
 * It returns at the timeout, and when the unit ends, also if the handler ignores its signal. What such a handler returns
 * later has no effect.
 */
export function createEventAttempt(options: AttemptEventOptions): AttemptEvent {
  const { now, random, runHandler, onHandlerError, onError, refusesUnhandled } = options

  function toOutcome(
    work: ClaimedWork,
    { backoff, maxAttempts }: CheckedHandler,
    failure: Failure,
  ): Settlement['outcome'] {
    const isLast = work.attempts + 1 >= maxAttempts
    // Counted attempts, and delays that an error asks for, do not end with an outage of the handler.
    const awaitsHandler = maxAttempts === Infinity && failure.retryAfterMs === undefined
    const final = {
      ...failure,
      ...(isLast && { retryable: false }),
      ...(awaitsHandler && { targets: [{ name: work.event.name, ok: false }] }),
    }
    return createOutcomeFunction({ now, random, backoff, onError })(work, [final], 0, final)
  }

  return async (unit, work, handler) => {
    const { event } = work
    const { ending } = unit
    if (ending.hasEnded()) return 'ended'
    if (handler?.attempt) return await handler.attempt(work, ending)
    if (handler === undefined) return refusesUnhandled ? unhandled : done
    try {
      return await runUntilEnd(handler.timeoutMs, ending, (signal) =>
        runHandler
          ? runHandler(event, () => call(handler, event, signal, unit.held))
          : call(handler, event, signal, unit.held),
      )
    } catch (error) {
      if (ending.hasEnded()) return 'ended'
      const afterMs = readPostponed(error)
      if (afterMs !== undefined) return { status: 'released', afterMs }
      callHook(onHandlerError, error, event)
      return toOutcome(work, handler, toHandlerFailure(error))
    }
  }
}

async function call(
  { handle }: CheckedHandler,
  event: WebhookEvent,
  signal: AbortSignal,
  held: HeldLease,
): Promise<RunResult> {
  if (!isTransactional(handle)) {
    await handle(event as never, signal)
    return done
  }
  const isSettled = await handle.runInTransaction(event as never, signal, { ...held, id: event.id })
  return isSettled ? 'settled' : 'lost'
}

const done = { status: 'done' } as const
const unhandled = { status: 'dead', error: 'No handler for events of this name' } as const
