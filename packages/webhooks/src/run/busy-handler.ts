import type { LeaseAge } from '../ports/lease-age.ts'
import type { HandlerPace } from './handler-pace.ts'
import type { Unit } from './unit.ts'

/** The units of a handler that is busy. */
export interface BusyHandler {
  /** Those that wait in memory. */
  readonly units: Unit[]
  /** How many units can wait: those that the handler begins within a second. */
  readonly most: number
  /** Returns the delay of a unit that cannot wait, in milliseconds. */
  readonly nextReturnMs: () => number
}

interface BusyHandlerOptions {
  readonly concurrency: number
  readonly pace: HandlerPace
  readonly startClock: () => LeaseAge
  readonly random: () => number
}

/** How long a unit waits for a slot, in milliseconds. */
export const longestWaitMs = 1000
/** The most units of a handler that wait, apart from its concurrency. */
const mostWaiting = 250
/** After how long a returned unit is due again: longer with each ten, until its handler has no more work. */
const returnMs = { least: 1000, most: 30_000 }
/** The least delay of a unit that the handler could begin sooner. */
const leastReturnMs = 50

/**
 * Creates the queue of a busy handler. A returned unit is due again when the handler has had time for those that were returned
 * before it, so that a quick handler always has work, and the events of a slow one do not hide those of other handlers.
 */
export function createBusyHandler({
  concurrency,
  pace,
  startClock,
  random,
}: BusyHandlerOptions): BusyHandler {
  let returned = 0
  let aheadMs = 0
  let age = startClock()
  return {
    units: [],
    get most() {
      const { intervalMs = Infinity } = pace
      return Math.max(concurrency, Math.min(mostWaiting, Math.floor(longestWaitMs / intervalMs)))
    },
    nextReturnMs() {
      const doublings = Math.floor(returned++ / (10 * concurrency))
      const slowMs = Math.min(returnMs.most, returnMs.least * 2 ** doublings)
      const passedMs = age()
      age = startClock()
      aheadMs = Math.min(returnMs.most, Math.max(0, aheadMs - passedMs) + (pace.intervalMs ?? pace.idleMs))
      const longestMs = Math.min(slowMs, Math.max(leastReturnMs, aheadMs))
      return Math.ceil((longestMs * (1 + random())) / 2)
    },
  }
}
