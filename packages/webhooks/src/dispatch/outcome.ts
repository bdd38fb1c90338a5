import { callHook } from '@sallyport/internal/promises'
import { retryDelay, type BackoffOptions } from './backoff.ts'
import { describeFailure } from '../internal/describe-failure.ts'
import type { ClaimedWork, PublishResult, Settlement } from '../ports/ports.ts'

/** A symbol of the kit's own: whatever else a stranger's answer says, it does not say this. */
export const queued = Symbol('queued')

/** What becomes of one event: it is published, or left to the shared queue for so long, or neither. */
export type AttemptResult =
  PublishResult | { readonly ok: true; readonly [queued]: { readonly redeliverAfterMs: number } }

/** What a batch was answered, as far as it was: a stranger's answer need not be what its type says. */
export type Answers = readonly (AttemptResult | null | undefined)[] | null | undefined

/** Changes each answer that there is; one that is missing is for the loop to count as a failure of that event alone. */
export const mapAnswers = (answers: Answers, change: (result: AttemptResult) => AttemptResult): Answers =>
  answers?.map((result) => result && change(result))

export type Failure = Extract<AttemptResult, { ok: false }>

export const noAnswer: Failure = { ok: false, retryable: true, error: 'No answer for this event' }

/** What is thrown is tried again, not before its `retryAfterMs` where it has one. */
export const failureOf = (error: unknown): Failure => {
  return { ok: false, retryable: true, error: describeFailure(error), ...waitOf(error) }
}

function waitOf(error: unknown): { readonly retryAfterMs?: number } {
  try {
    const { retryAfterMs } = Object(error) as { readonly retryAfterMs?: unknown }
    if (typeof retryAfterMs === 'number' && retryAfterMs > 0) return { retryAfterMs }
  } catch {
    // Members of what strangers throw may throw themselves.
  }
  return {}
}

export interface OutcomeOptions {
  readonly now: () => number
  readonly random: () => number
  readonly backoff: BackoffOptions | undefined
  /** The longest wait before a retry at this moment, in milliseconds. A failure that asks for a wait keeps that wait. */
  readonly longestWaitMs?: () => number | undefined
  readonly onError: ((error: unknown) => unknown) | undefined
}

/** Says how work ends with the answer at an index; with the failure where there is none, or one that says neither. */
export function outcomesOf({ now, random, backoff, longestWaitMs, onError }: OutcomeOptions) {
  function backoffFor(leastMs: number | undefined): BackoffOptions | undefined {
    const longestMs = leastMs === undefined ? longestWaitMs?.() : undefined
    if (longestMs === undefined) return backoff
    return { ...backoff, maximumMs: Math.min(longestMs, backoff?.maximumMs ?? longestMs) }
  }

  function judge({ attempts, since }: ClaimedWork, result: AttemptResult): Settlement['outcome'] {
    if (result.ok) {
      if (queued in result) return { status: 'queued', ...result[queued] }
      return result.duplicate === true ? { status: 'done', duplicate: true } : { status: 'done' }
    }
    const { retryable, retryAfterMs } = result as Readonly<Record<string, unknown>>
    const leastMs = typeof retryAfterMs === 'number' ? retryAfterMs : undefined
    const afterMs =
      retryable === false
        ? undefined
        : retryDelay(attempts, now() - since, random, backoffFor(leastMs), leastMs)
    const error = reasonOf(result.error)
    return afterMs === undefined ? { status: 'dead', error } : { status: 'retry', afterMs, error }
  }

  return (claimed: ClaimedWork, answers: Answers, index: number, failure: Failure) => {
    try {
      const answer = answers?.[index]
      return judge(claimed, answer?.ok === undefined ? failure : answer)
    } catch (error) {
      // Members of what strangers answer may throw.
      callHook(onError, error)
      return judge(claimed, failureOf(error))
    }
  }
}

/** What is no text cannot be stored, and would keep all that was published beside it from being settled. */
const reasonOf = (error: unknown): string => (typeof error === 'string' ? error : describeFailure(error))
