import { timerOption } from '@sallyport/internal/options'
import { callHook } from '@sallyport/internal/promises'
import type { Attempt } from './attempt.ts'

/** Failed attempts of one interval with one cause. */
export interface RetrySummary {
  readonly work: Attempt['work']
  readonly status: 'retry' | 'lost'
  /** The buses that refused the events; undefined for a publisher that is the only destination. */
  readonly targets: readonly string[] | undefined
  readonly error: string | undefined
  /** The number of attempts, without those that were the first of their group. */
  readonly attempts: number
}

/** Counts failed attempts. */
export interface RetrySummaries {
  /** Counts an attempt. Returns whether it is reported by itself: the first of its group, and every one that is not retried. */
  readonly isReported: (attempt: Attempt) => boolean
  /** Reports all counts at once, such as before the end of the process. */
  readonly flush: () => void
}

/** Further causes are one group. */
const mostGroups = 100

interface Group extends Omit<RetrySummary, 'attempts'> {
  attempts: number
}

/**
 * Groups the attempts of an outage by bus and error, so that a log has one line for each group and interval instead of one for
 * each attempt.
 *
 * @param options `onSummary` is called for each group with further attempts, every `intervalMs` (default 60,000)
 * @throws TypeError for an interval out of range
 */
export function summarizeRetries(options: {
  readonly onSummary: (summary: RetrySummary) => unknown
  readonly intervalMs?: number
}): RetrySummaries {
  const { onSummary } = options
  const intervalMs = timerOption('intervalMs', options.intervalMs ?? 60_000)
  const groups = new Map<string, Group>()
  let timer: ReturnType<typeof setTimeout> | undefined

  function report(): void {
    for (const [key, { attempts, ...cause }] of groups) {
      // The next attempt of a group without attempts is the first one of another outage.
      if (attempts === 0) groups.delete(key)
      else {
        groups.set(key, { ...cause, attempts: 0 })
        callHook(onSummary, { ...cause, attempts })
      }
    }
    timer = undefined
    if (groups.size > 0) wait()
  }

  function wait(): void {
    if (timer !== undefined) return
    timer = setTimeout(report, intervalMs)
    // The timer must not keep the process running.
    if (typeof timer === 'object') timer.unref()
  }

  return {
    isReported({ work, outcome }) {
      const { status } = outcome
      if (status !== 'retry' && status !== 'lost') return true
      const { error, targets } = status === 'retry' ? outcome : {}
      const named = [work, status, targets?.join(), error].join('\n')
      const key = groups.has(named) || groups.size < mostGroups ? named : ''
      const group = groups.get(key)
      if (group !== undefined) {
        group.attempts++
        return false
      }
      groups.set(key, { work, status, targets, error: key === '' ? undefined : error, attempts: 0 })
      wait()
      return true
    },
    flush() {
      clearTimeout(timer)
      report()
      clearTimeout(timer)
      timer = undefined
      groups.clear()
    },
  }
}
