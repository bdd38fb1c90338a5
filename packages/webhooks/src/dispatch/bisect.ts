import type { LeaseAge } from '../ports/lease-age.ts'

/** `over`: the bisection ends, because too little time is left or a retry is useless. */
export type PartOutcome = 'answered' | 'rejected' | 'over'

/**
 * Bisects a batch that was rejected as a whole, until the rejected items are isolated.
 *
 * The bisection begins with the youngest items, because older items come first and are more likely to have failed before.
 * After more rejections in a row than two bad items can cause, it continues with the largest part. After the same number of
 * further rejections, the destination counts as unavailable.
 *
 * @param attempt attempts the items from one index up to another
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/kinesis-on-failure-destination.html BisectBatchOnFunctionError
 */
export async function bisect(
  size: number,
  attempt: (from: number, to: number) => Promise<PartOutcome>,
): Promise<void> {
  const explained = Math.ceil(Math.log2(size)) + 1
  // The largest part is first; the smallest and youngest is last.
  const parts = splitInHalf(0, size)
  let rejectedInRow = 0
  while (rejectedInRow < 2 * explained) {
    const part = rejectedInRow < explained ? parts.pop() : parts.shift()
    if (part === undefined) return
    const outcome = await attempt(...part)
    if (outcome === 'over') return
    if (outcome === 'rejected') {
      rejectedInRow++
      parts.push(...splitInHalf(...part))
    } else rejectedInRow = 0
  }
}

function splitInHalf(from: number, to: number): [number, number][] {
  if (to - from < 2) return []
  const middle = (from + to) >> 1
  return [
    [from, middle],
    [middle, to],
  ]
}

/** Bisections without an answer before a pause; several bad items may be adjacent. */
const triesAtOnce = 4
const firstMs = 1000
const longestMs = 60_000

/** Limits the bisections while a destination is unavailable. */
export interface BisectPause {
  /** Whether a bisection may start. After four starts without an answer, each pause is twice as long as the one before. */
  begin(): boolean
  /** Reports that the destination answered, which ends the pause. */
  answered(): void
}

/** Creates the limit for one destination. */
export function createBisectPause(startClock: () => LeaseAge): BisectPause {
  let tries = 0
  let pauseMs = 0
  let paused: LeaseAge | undefined
  return {
    begin() {
      if (paused !== undefined && paused() < pauseMs) return false
      if (++tries < triesAtOnce) return true
      pauseMs = Math.min(longestMs, Math.max(firstMs, 2 * pauseMs))
      paused = startClock()
      return true
    },
    answered() {
      tries = 0
      pauseMs = 0
      paused = undefined
    },
  }
}
