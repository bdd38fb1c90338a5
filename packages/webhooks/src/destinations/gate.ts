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

export interface DestinationGate extends Gate {
  /** Runs a request. While the breaker is half-open, no other one begins before its end. */
  probe<Result>(request: () => Promise<Result>): Promise<Result>
}

interface GateOptions {
  readonly breaker: Breaker
  readonly rate: Rate | undefined
  readonly isPaused: () => boolean
  /** Whether it is known if the destination is paused. Before, units wait in the process. */
  readonly isKnown: () => boolean
  readonly random: () => number
}

/** How long a unit of a paused destination is released, at most, in milliseconds. A resumed destination does not wait for it. */
export const pausedMs = 60_000
/** Units do not return all at once. */
const spreadMs = 250

export function createGate({ breaker, rate, isPaused, isKnown, random }: GateOptions): DestinationGate {
  /** Between `enter` and the start of the request. */
  let isEntering = false
  let isProbing = false
  return {
    get room() {
      if (!isKnown() || isPaused() || breaker.openMs > 0) return 0
      const room = rate?.room ?? Infinity
      return breaker.isClosed ? room : Math.min(room, isEntering || isProbing ? 0 : 1)
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
      if (!breaker.isClosed) isEntering = true
      rate?.take()
    },
    async probe(request) {
      if (breaker.isClosed) return await request()
      isEntering = false
      isProbing = true
      try {
        return await request()
      } finally {
        isProbing = false
      }
    },
    leave() {
      isEntering = false
    },
  }
}

/**
 * How long a unit of an unknown destination is released at first, in milliseconds. It is due between two polls of this process,
 * so that the other one claims it.
 */
const unknownMs = 1500

/**
 * Creates the gate of a destination that this process does not have: another process may have it. Its units are released for
 * longer the longer it is unknown.
 */
export function createUnknownGate(ticks: () => number): Gate {
  const since = ticks()
  return {
    room: 0,
    get closedMs() {
      return Math.ceil(Math.min(pausedMs, Math.max(unknownMs, ticks() - since)))
    },
    isAvailable: false,
    enter: () => undefined,
    leave: () => undefined,
  }
}
