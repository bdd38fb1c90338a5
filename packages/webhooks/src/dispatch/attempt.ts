import { runWithTimeout, withDeadline } from '@sallyport/internal/deadline'
import { callHook } from '@sallyport/internal/promises'
import { bisect } from './bisect.ts'
import { bisectPause } from './bisect-pause.ts'
import type { InternalEvent } from '../ports/event.ts'
import type { LeaseAge } from './lease-age.ts'
import {
  failureOf,
  noAnswer,
  outcomesOf,
  type Answers,
  type AttemptResult,
  type Failure,
  type OutcomeOptions,
} from './outcome.ts'
import type { OutageDetector } from './outage.ts'
import type { ClaimedWork, DispatcherInbox, Settlement, Work } from '../ports/ports.ts'
import type { Held } from './work-lane.ts'

/** One attempt's end, for logs and metrics. */
export interface Attempt {
  readonly work: Work
  readonly event: InternalEvent
  readonly attempts: number
  /** `lost`: the lease had passed to somebody else, who tries again. */
  readonly outcome: Settlement['outcome'] | { readonly status: 'lost' }
}

/** What becomes of a batch of work, one answer for each piece in its order. */
export type AttemptBatch = (works: readonly ClaimedWork[], signal: AbortSignal) => Promise<Answers>

interface RunOptions extends OutcomeOptions {
  readonly work: Work
  readonly source: Pick<DispatcherInbox, 'settle'>
  readonly attemptBatch: AttemptBatch
  readonly leaseMs: number
  readonly timeoutMs: number
  readonly startLease: () => LeaseAge
  readonly outage: OutageDetector
  readonly onAttempt: ((attempt: Attempt) => unknown) | undefined
  /** Whether anything more may be begun. */
  readonly isRunning: () => boolean
}

/** Left of a lease for settling once the last part of a batch has been answered, in milliseconds; less of a short one. */
const settleMs = 1000

/**
 * Runs batches of held work through attempts, and settles them.
 *
 * A batch that is rejected as a whole is tried again later. Where one of it had failed before, it is halved at once until what
 * it was rejected for is alone, unless its time was up or it asks to be left alone: one event that makes a bus throw fails by
 * itself, and what all fail for has its back-off.
 */
export function attemptRunner(options: RunOptions): (taken: readonly Held[]) => Promise<void> {
  const {
    work,
    source,
    attemptBatch,
    leaseMs,
    timeoutMs,
    startLease,
    outage,
    onAttempt,
    onError,
    isRunning,
  } = options
  const outcomeOf = outcomesOf(options)
  const pause = bisectPause(startLease)
  const leaves = (leastMs: number) => (held: Held) => leaseMs - held.leaseAge() > leastMs
  const mayBegin = leaves(timeoutMs)
  // What the first parts have published is settled after the last one: too late, it would be published twice.
  const mayBeginPart = leaves(timeoutMs + Math.min(settleMs, (leaseMs - timeoutMs) / 2))
  const ask = (batch: readonly ClaimedWork[]) =>
    runWithTimeout(timeoutMs, (signal) => attemptBatch(batch, signal))

  /** Answers for each piece; those that no part was answered for have failed with the whole. */
  async function halve(held: readonly Held[], whole: Failure): Promise<readonly AttemptResult[]> {
    const results: (AttemptResult | undefined)[] = []
    const failures = held.map(() => whole)
    await bisect(held.length, async (from, to) => {
      const part = held.slice(from, to)
      if (!isRunning() || !part.every(mayBeginPart)) return 'over'
      try {
        const answers = await ask(part.map(workOf))
        for (let index = from; index < to; index++) results[index] = answers?.[index - from] ?? noAnswer
        pause.answered()
        return 'answered'
      } catch (error) {
        const failure = failureOf(error)
        // Whoever asks to be left alone means all that it has not answered.
        if (failure.retryAfterMs === undefined) failures.fill(failure, from, to)
        else failures.fill(failure)
        return isOver(failure) ? 'over' : 'rejected'
      }
    })
    return failures.map((failure, index) => results[index] ?? failure)
  }

  return async (taken) => {
    const held = taken.filter(mayBegin)
    if (held.length === 0) return
    const batch = held.map(workOf)
    let failure = noAnswer
    let answers: Answers
    try {
      answers = await ask(batch)
      pause.answered()
    } catch (error) {
      failure = failureOf(error)
      const isSuspect = batch.length > 1 && batch.some(({ attempts }) => attempts > 0)
      if (isSuspect && !isOver(failure) && pause.begin()) answers = await halve(held, failure)
    }
    const settlements = batch.map((claimed, index): Settlement => {
      const outcome = outcomeOf(claimed, answers, index, failure)
      return { id: claimed.event.id, lease: claimed.lease, outcome }
    })
    countAttempt(outage, batch, settlements)
    try {
      // Longer than the lease, nothing can be learned: somebody else may hold it by then.
      const ended = await withDeadline(leaseMs, source.settle(work, settlements))
      for (const [index, { event, attempts }] of batch.entries()) {
        const settled = (settlements[index] as Settlement).outcome
        // The queue may have brought it to the bus already, which ends the lease.
        const outcome = ended[index] === true || settled.status === 'queued' ? settled : lost
        callHook(onAttempt, { work, event, attempts: attempts + 1, outcome })
      }
    } catch (error) {
      // It is due again when its lease ends, and is then published under the same id.
      callHook(onError, error)
    }
  }
}

/** A final refusal counts as neither: the destination answers, and takes nothing. */
function countAttempt(
  outage: OutageDetector,
  batch: readonly ClaimedWork[],
  settlements: readonly Settlement[],
): void {
  const retries = settlements.filter((_, index) => (batch[index]?.attempts ?? 0) > 0)
  const refused = retries.filter(({ outcome }) => outcome.status === 'retry').length
  outage.retried({ taken: retries.length - refused, refused })
  const has = (...statuses: readonly Settlement['outcome']['status'][]) =>
    settlements.some(({ outcome }) => statuses.includes(outcome.status))
  if (has('done', 'queued')) outage.succeeded()
  else if (has('retry')) outage.failed(settlements.map(({ id }) => id))
}

const lost = { status: 'lost' } as const
const workOf = ({ work }: Held): ClaimedWork => work

/** Whoever takes too long, or asks to be left alone, says nothing of a single piece. */
const isOver = ({ error, retryAfterMs }: Failure) =>
  retryAfterMs !== undefined || /^(?:Timeout|Abort)Error\b/.test(error)
