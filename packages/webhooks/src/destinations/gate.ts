import type { Breaker } from './breaker.ts'
import type { Rate } from './rate.ts'

/** Decides when a destination may receive a request. */
export interface Gate {
  /** How many requests may begin now. */
  readonly room: number
  /** After which time a unit may try again, while no request can begin for longer, in milliseconds; otherwise 0. */
  readonly closedMs: number
  /** Whether requests begin without a probe. */
  readonly isAvailable: boolean
  /** Begins a request. */
  enter(): void
  /** Ends a request. */
  leave(): void
}

interface GateOptions {
  readonly breaker: Breaker
  readonly rate: Rate | undefined
  readonly isPaused: () => boolean
  readonly random: () => number
}

/** How long a unit of a paused destination is released, at most, in milliseconds. A resumed destination does not wait for it. */
export const pausedMs = 60_000
/** Units do not return all at once. */
const spreadMs = 250

export function createGate({ breaker, rate, isPaused, random }: GateOptions): Gate {
  let isProbing = false
  return {
    get room() {
      if (isPaused() || breaker.openMs > 0) return 0
      const room = rate?.room ?? Infinity
      return breaker.isClosed ? room : Math.min(room, isProbing ? 0 : 1)
    },
    get closedMs() {
      if (isPaused()) return Math.ceil((pausedMs * (1 + random())) / 2)
      const { openMs } = breaker
      return openMs > 0 ? Math.ceil(openMs + spreadMs * random()) : 0
    },
    get isAvailable() {
      return breaker.isClosed && !isPaused()
    },
    enter() {
      if (!breaker.isClosed) isProbing = true
      rate?.take()
    },
    leave() {
      isProbing = false
    },
  }
}

/** The gate of destinations that this process does not have. */
export const unknownGate: Gate = {
  room: 0,
  closedMs: pausedMs,
  isAvailable: false,
  enter: () => undefined,
  leave: () => undefined,
}
