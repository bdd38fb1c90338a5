import { callHook } from '@sallyport/internal/promises'
import { retryDelay, type BackoffOptions } from './backoff.ts'
import { describeFailure } from '@sallyport/internal/describe-failure'
import type { ClaimedWork, PublishResult, Settlement, TargetResult } from '../ports/ports.ts'

/** A symbol, so that the result of a publisher cannot contain this member. */
export const queued = Symbol('queued')

/** The result for one event: published, queued, or failed. */
export type AttemptResult =
  | PublishResult
  | (Extract<PublishResult, { ok: true }> & {
      readonly [queued]: { readonly redeliverAfterMs: number }
    })

/** The results for a batch. A publisher without types may return fewer or other values. */
export type Answers = readonly (AttemptResult | null | undefined)[] | null | undefined

/** Changes each answer; a missing answer stays missing and counts as a failure of that event. */
export const mapAnswers = (answers: Answers, change: (result: AttemptResult) => AttemptResult): Answers =>
  answers?.map((result) => result && change(result))

export type Failure = Extract<AttemptResult, { ok: false }>

export const noAnswer: Failure = { ok: false, retryable: true, error: 'No answer for this event' }

/** Converts an error to a failure that is retried, after the `retryAfterMs` of the error if it has one. */
export const toFailure = (error: unknown): Failure => {
  return { ok: false, retryable: true, error: describeFailure(error), ...readRetryAfter(error) }
}

function readRetryAfter(error: unknown): { readonly retryAfterMs?: number } {
  try {
    const { retryAfterMs } = Object(error) as { readonly retryAfterMs?: unknown }
    if (typeof retryAfterMs === 'number' && retryAfterMs > 0) return { retryAfterMs }
  } catch {
    // A getter of the error may throw.
  }
  return {}
}

export interface OutcomeOptions {
  readonly now: () => number
  readonly random: () => number
  readonly backoff: BackoffOptions | undefined
  /** The maximum of the delays in milliseconds. It does not apply to a failure with `retryAfterMs`. */
  readonly longestWaitMs?: number
  readonly onError: ((error: unknown) => unknown) | undefined
}

/** Creates the function that determines the outcome from the answer at an index, or from the failure if it is missing. */
export function createOutcomeFunction({ now, random, backoff, longestWaitMs, onError }: OutcomeOptions) {
  function backoffFor(leastMs: number | undefined): BackoffOptions | undefined {
    if (longestWaitMs === undefined || leastMs !== undefined) return backoff
    return { ...backoff, maximumMs: Math.min(longestWaitMs, backoff?.maximumMs ?? longestWaitMs) }
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
    const error = describeReason(result.error)
    if (afterMs === undefined) return { status: 'dead', error }
    const targets = listRefusing(result)
    return { status: 'retry', afterMs, error, ...(targets.length > 0 && { targets }) }
  }

  return (claimed: ClaimedWork, answers: Answers, index: number, failure: Failure) => {
    try {
      const answer = answers?.[index]
      return judge(claimed, answer?.ok === undefined ? failure : answer)
    } catch (error) {
      // A getter of the answer may throw.
      callHook(onError, error)
      return judge(claimed, toFailure(error))
    }
  }
}

/** Reads the results by destination. A publisher without types may return other values. */
export function readTargets(answers: Answers, index: number): readonly TargetResult[] | undefined {
  try {
    const targets: unknown = answers?.[index]?.targets
    return Array.isArray(targets) ? targets.filter(isTargetResult) : undefined
  } catch {
    // A getter of the answer may throw.
    return undefined
  }
}

function isTargetResult(value: unknown): value is TargetResult {
  const { name, ok } = Object(value) as Partial<Record<keyof TargetResult, unknown>>
  return typeof name === 'string' && typeof ok === 'boolean'
}

const listRefusing = (result: AttemptResult): readonly string[] => [
  ...new Set((readTargets([result], 0) ?? []).filter(({ ok }) => !ok).map(({ name }) => name)),
]

/** An error that is not a string cannot be stored, and would fail the settlement of the whole batch. */
const describeReason = (error: unknown): string =>
  typeof error === 'string' ? error : describeFailure(error)
