import type { CheckedHandler } from '../handlers/check-handlers.ts'

/** The running handlers of a process. */
export interface Slots {
  /** Units that can start now. */
  readonly free: number
  /** Starts a unit. */
  take(): void
  /** Ends a unit. */
  give(): void
  /** Whether a further run of the handler may start. */
  hasRoom(handler: CheckedHandler | undefined): boolean
  /** Starts a run of the handler, if it may start. */
  enter(handler: CheckedHandler | undefined): boolean
  /** Ends a run of the handler. */
  leave(handler: CheckedHandler | undefined): void
}

export function createSlots(concurrency: number): Slots {
  const running = new Map<CheckedHandler, number>()
  let units = 0
  const count = (handler: CheckedHandler) => running.get(handler) ?? 0
  const hasRoom = (handler: CheckedHandler | undefined) =>
    handler === undefined || count(handler) < handler.concurrency
  return {
    get free() {
      return concurrency - units
    },
    take() {
      units++
    },
    give() {
      units--
    },
    hasRoom,
    enter(handler) {
      if (!hasRoom(handler)) return false
      if (handler) running.set(handler, count(handler) + 1)
      return true
    },
    leave(handler) {
      if (handler) running.set(handler, count(handler) - 1)
    },
  }
}
