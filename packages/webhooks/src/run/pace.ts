import type { LeaseAge } from '../ports/lease-age.ts'

/** Measures how many units a process ends. */
export interface Pace {
  /** The units that ended in the last window, of a quarter of a second; at most 500. */
  readonly recent: number
  /** Counts a unit that ended. */
  count(): void
}

const windowMs = 250
const most = 500

/** Creates a measure of the pace. A claim of the units of a quarter of a second costs as much as one of a few. */
export function createPace(startClock: () => LeaseAge): Pace {
  let age = startClock()
  let last = 0
  let current = 0

  function advance(): void {
    const elapsedMs = age()
    if (elapsedMs < windowMs) return
    last = elapsedMs < 2 * windowMs ? current : 0
    current = 0
    age = startClock()
  }

  return {
    get recent() {
      advance()
      return Math.min(most, last)
    },
    count() {
      advance()
      current++
    },
  }
}
