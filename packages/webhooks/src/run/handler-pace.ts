import type { LeaseAge } from '../ports/lease-age.ts'

/** Measures how fast a handler works while it is busy. */
export interface HandlerPace {
  /** The time between two ends of a run, in milliseconds; undefined before the first end. */
  readonly intervalMs: number | undefined
  /** The time without an end of a run, in milliseconds. */
  readonly idleMs: number
  /** Counts a run that begins while no other is running. */
  begin(): void
  /** Counts a run that ended. */
  end(): void
}

/** The share of a new interval in the mean. */
const newShare = 0.2
/** After how long without an end a handler hangs, in milliseconds: the event loop of the process can be busy too. */
const hangMs = 1000

export function createHandlerPace(startClock: () => LeaseAge): HandlerPace {
  let age = startClock()
  let mean: number | undefined
  return {
    get intervalMs() {
      return mean === undefined ? undefined : Math.max(mean, age() - hangMs)
    },
    get idleMs() {
      return age()
    },
    begin() {
      age = startClock()
    },
    end() {
      const interval = age()
      mean = mean === undefined ? interval : mean + (interval - mean) * newShare
      age = startClock()
    },
  }
}
