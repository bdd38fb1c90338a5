import type { LeaseAge } from './lease-age.ts'

/** So often it is tried without an answer before it pauses: several bad pieces may stand together. */
const triesAtOnce = 4
const firstMs = 1000
const longestMs = 60_000

/** Whether it is time to look for a bad piece in what was rejected. */
export interface BisectPause {
  /** True when it is; after a few times it is not for a while, and for longer each time, until something is answered. */
  begin(): boolean
  /** Something was answered, so whoever is asked is there. */
  answered(): void
}

/** Keeps those that are away from being asked for every batch and for its halves as well. */
export function bisectPause(startClock: () => LeaseAge): BisectPause {
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
