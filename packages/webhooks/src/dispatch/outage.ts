import type { LeaseAge } from '../ports/lease-age.ts'

/** Attempts that fail in a row, of two events or more, make an outage: one event can fail through its own fault. */
const failedAttempts = 3
const probePause = { share: 1 / 16, leastMs: 2000, mostMs: 30_000 }
/** The pause after a recovery in which more events failed again than were taken. It doubles with each such recovery. */
const futilePause = { leastMs: 30_000, mostMs: 600_000 }
/** Retries that may fail, beyond those that are taken, before a recovery ends. */
const futileRetries = 1000

/** Detects from the attempts of one destination when the destination takes nothing, and when it takes events again. */
export interface OutageDetector {
  readonly isDown: boolean
  /** Counts an attempt in which the destination took an event. */
  succeeded(): void
  /** Counts an attempt in which the destination took no event, and may take the same events later. */
  failed(ids: readonly string[]): void
  /**
   * Counts events of an attempt that had failed before. They show a destination that takes only other events, such as events of
   * another name, so that failed events do not return after each success. If the first such events of this process are taken,
   * an outage has ended before the process started.
   */
  retried(counts: { readonly taken: number; readonly refused: number }): void
  /**
   * How many of the events that wait for a retry become due now: up to the limit after an outage, one as a probe during an
   * outage, otherwise 0.
   */
  countToMakeDue(limit: number): number
  /** Ends the recovery when fewer events waited than were asked for. */
  madeDue(count: number, asked: number): void
}

export function createOutageDetector(
  startClock: () => LeaseAge,
  onRecovery: () => void = () => undefined,
): OutageDetector {
  let failures = 0
  let firstId: string | undefined
  let hasSeveralIds = false
  let downFor: LeaseAge | undefined
  let sinceAttempt: LeaseAge | undefined
  let isRecovering = false
  let sinceRecovery: LeaseAge | undefined
  let futileMs = futilePause.leastMs
  // Another process may have seen the outage before this one started.
  let isFresh = true
  // More events failed again in the last recovery than were taken, if it is positive.
  let refusedMore = 0

  function isProbeDue(): boolean {
    if (downFor === undefined || sinceAttempt === undefined) return false
    const { share, leastMs, mostMs } = probePause
    return sinceAttempt() >= Math.min(mostMs, Math.max(leastMs, downFor() * share))
  }

  return {
    get isDown() {
      return downFor !== undefined
    },
    succeeded() {
      const wasDown = downFor !== undefined
      failures = 0
      hasSeveralIds = false
      firstId = downFor = sinceAttempt = undefined
      if (!wasDown) return
      const isFutile = refusedMore > 0
      if (isFutile && sinceRecovery !== undefined && sinceRecovery() < futileMs) return
      futileMs = isFutile ? Math.min(futilePause.mostMs, futileMs * 2) : futilePause.leastMs
      refusedMore = 0
      sinceRecovery = startClock()
      isRecovering = true
      onRecovery()
    },
    failed(ids) {
      isFresh = false
      failures++
      firstId ??= ids[0]
      hasSeveralIds ||= ids.some((id) => id !== firstId)
      sinceAttempt = startClock()
      if (downFor !== undefined || failures < failedAttempts || !hasSeveralIds) return
      downFor = startClock()
      isRecovering = false
    },
    retried({ taken, refused }) {
      // Retries that fail during an outage say nothing about the recovery before it.
      if (downFor === undefined) refusedMore += refused - taken
      if (refusedMore > futileRetries) isRecovering = false
      if (refused > 0) isFresh = false
      if (!isFresh || taken === 0) return
      isFresh = false
      sinceRecovery = startClock()
      isRecovering = true
      onRecovery()
    },
    countToMakeDue(limit) {
      if (isRecovering) return limit
      if (!isProbeDue()) return 0
      sinceAttempt = startClock()
      return 1
    },
    madeDue(count, asked) {
      if (count < asked) isRecovering = false
    },
  }
}
