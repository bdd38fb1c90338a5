import type { CheckedHandler } from '../handlers/check-handlers.ts'
import type { LeaseAge } from '../ports/lease-age.ts'
import { createHandlerPace, type HandlerPace } from './handler-pace.ts'

/** The running handlers of a process. */
export interface Slots {
  /** Units that can start now. */
  readonly free: number
  /** Starts a unit. */
  take(): void
  /** Ends a unit. */
  give(): void
  /** How many further runs of the handler may start. */
  roomOf(handler: CheckedHandler): number
  paceOf(handler: CheckedHandler): HandlerPace
  /** Starts a run of the handler, if it may start. */
  enter(handler: CheckedHandler | undefined): boolean
  /** Ends a run of the handler. */
  leave(handler: CheckedHandler | undefined): void
}

interface Running {
  runs: number
  readonly pace: HandlerPace
}

/**
 * @param getConcurrency returns the units that can run at the same time
 * @param handlers the maximum number of running handlers; the other slots are for destinations
 */
export function createSlots(
  getConcurrency: () => number,
  startClock: () => LeaseAge,
  handlers = Infinity,
): Slots {
  const byHandler = new Map<CheckedHandler, Running>()
  let units = 0
  let handling = 0

  function get(handler: CheckedHandler): Running {
    const running = byHandler.get(handler) ?? { runs: 0, pace: createHandlerPace(startClock) }
    byHandler.set(handler, running)
    return running
  }
  const roomOf = (handler: CheckedHandler) =>
    Math.min(handler.concurrency - get(handler).runs, handler.gate ? handler.gate.room : handlers - handling)

  return {
    get free() {
      return getConcurrency() - units
    },
    take() {
      units++
    },
    give() {
      units--
    },
    roomOf,
    paceOf: (handler) => get(handler).pace,
    enter(handler) {
      if (handler === undefined) return true
      if (roomOf(handler) <= 0) return false
      const running = get(handler)
      if (running.runs++ === 0) running.pace.begin()
      if (handler.gate) handler.gate.enter()
      else handling++
      return true
    },
    leave(handler) {
      if (handler === undefined) return
      const running = get(handler)
      running.runs--
      running.pace.end()
      if (handler.gate) handler.gate.leave()
      else handling--
    },
  }
}
