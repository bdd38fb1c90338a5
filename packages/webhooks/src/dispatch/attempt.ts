import { runWithTimeout, withDeadline } from '@sallyport/internal/deadline'
import { callHook } from '@sallyport/internal/promises'
import { bisect, createBisectPause } from './bisect.ts'
import type { WebhookEvent } from '../ports/event.ts'
import type { LeaseAge } from '../ports/lease-age.ts'
import {
  toFailure,
  noAnswer,
  createOutcomeFunction,
  readTargets,
  type Answers,
  type AttemptResult,
  type Failure,
  type OutcomeOptions,
} from './outcome.ts'
import type { Outages } from './outages.ts'
import type { ClaimedWork, Settlement, Work } from '../ports/ports.ts'
import type { LeasedWork } from './work-lane.ts'

/** The end of an attempt, for logs and metrics. */
export interface Attempt {
  readonly work: Work
  readonly event: WebhookEvent
  /** The destination that received the event; undefined for the bus and the handlers. */
  readonly destination?: string
  readonly attempts: number
  /** `lost`: another process leased the work and retries it. */
  readonly outcome: Settlement['outcome'] | { readonly status: 'lost' }
}

/** Attempts a batch of work and returns an answer for each item, in the same order. */
export type AttemptBatch = (works: readonly ClaimedWork[], signal: AbortSignal) => Promise<Answers>

/** Settles the attempts of a batch and reports for each whether its lease was still valid. */
export type SettleBatch = (
  settlements: readonly Settlement[],
  batch: readonly ClaimedWork[],
) => Promise<readonly boolean[]>

interface RunOptions extends OutcomeOptions {
  readonly work: Work
  readonly settle: SettleBatch
  readonly attemptBatch: AttemptBatch
  readonly leaseMs: number
  readonly timeoutMs: number
  readonly startLease: () => LeaseAge
  readonly outages: Outages
  readonly onAttempt: ((attempt: Attempt) => unknown) | undefined
  /** Whether further attempts may start. */
  readonly isRunning: () => boolean
}

/** The part of a lease that is reserved for the settlement, in milliseconds; less for a short lease. */
const settleMs = 1000

/**
 * Creates the function that attempts and settles a batch of leased work.
 *
 * A batch that is rejected as a whole is retried later. If one of its events failed before, the batch is bisected at once, so
 * that an event that makes a bus throw does not block the others. A timeout or an error with `retryAfterMs` is not bisected.
 */
export function createAttemptRunner(options: RunOptions): (taken: readonly LeasedWork[]) => Promise<void> {
  const {
    work,
    settle,
    attemptBatch,
    leaseMs,
    timeoutMs,
    startLease,
    outages,
    onAttempt,
    onError,
    isRunning,
  } = options
  const getOutcome = createOutcomeFunction(options)
  const pause = createBisectPause(startLease)
  const leaves = (leastMs: number) => (leased: LeasedWork) => leaseMs - leased.leaseAge() > leastMs
  const mayBegin = leaves(timeoutMs)
  // All parts are settled after the last one. A settlement after the end of the lease would publish the first parts twice.
  const mayBeginPart = leaves(timeoutMs + Math.min(settleMs, (leaseMs - timeoutMs) / 2))
  const ask = (batch: readonly ClaimedWork[]) =>
    runWithTimeout(timeoutMs, (signal) => attemptBatch(batch, signal))

  /** Bisects a rejected batch. Work that was not attempted again fails with the error of the whole batch. */
  async function halve(leased: readonly LeasedWork[], whole: Failure): Promise<readonly AttemptResult[]> {
    const results: (AttemptResult | undefined)[] = []
    const failures = leased.map(() => whole)
    await bisect(leased.length, async (from, to) => {
      const part = leased.slice(from, to)
      if (!isRunning() || !part.every(mayBeginPart)) return 'over'
      try {
        const answers = await ask(part.map(getWork))
        for (let index = from; index < to; index++) results[index] = answers?.[index - from] ?? noAnswer
        pause.answered()
        return 'answered'
      } catch (error) {
        const failure = toFailure(error)
        // `retryAfterMs` applies to all events without an answer.
        if (failure.retryAfterMs === undefined) failures.fill(failure, from, to)
        else failures.fill(failure)
        return isOver(failure) ? 'over' : 'rejected'
      }
    })
    return failures.map((failure, index) => results[index] ?? failure)
  }

  return async (taken) => {
    const leased = taken.filter(mayBegin)
    if (leased.length === 0) return
    const batch = leased.map(getWork)
    let failure = noAnswer
    let answers: Answers
    try {
      answers = await ask(batch)
      pause.answered()
    } catch (error) {
      failure = toFailure(error)
      const isSuspect = batch.length > 1 && batch.some(({ attempts }) => attempts > 0)
      if (isSuspect && !isOver(failure) && pause.begin()) answers = await halve(leased, failure)
    }
    const settlements = batch.map((claimed, index): Settlement => {
      const outcome = getOutcome(claimed, answers, index, failure)
      return { id: claimed.event.id, lease: claimed.lease, outcome }
    })
    outages.count(
      settlements.map(({ id, outcome }, index) => ({
        ...{ id, status: outcome.status, isRetry: (batch[index]?.attempts ?? 0) > 0 },
        targets: readTargets(answers, index),
      })),
    )
    try {
      // After the end of the lease, another process may have the work.
      const ended = await withDeadline(leaseMs, settle(settlements, batch))
      for (const [index, { event, attempts }] of batch.entries()) {
        const settled = (settlements[index] as Settlement).outcome
        // The drainer may have published the event already, which ends the lease.
        const outcome = ended[index] === true || settled.status === 'queued' ? settled : lost
        callHook(onAttempt, { work, event, attempts: attempts + 1, outcome })
      }
    } catch (error) {
      // The work is due again when its lease ends, and is published under the same id.
      callHook(onError, error)
    }
  }
}

const lost = { status: 'lost' } as const
const getWork = ({ work }: LeasedWork): ClaimedWork => work

/** Whether a failure concerns the destination and not one event: a timeout, or a failure with `retryAfterMs`. */
const isOver = ({ error, retryAfterMs }: Failure) =>
  retryAfterMs !== undefined || /^(?:Timeout|Abort)Error\b/.test(error)
