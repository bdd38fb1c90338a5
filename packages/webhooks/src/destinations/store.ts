/** The state of a destination that processes share. Times are in milliseconds since the epoch. */
export interface DestinationState {
  readonly name: string
  /** Set while the destination is paused. */
  readonly pausedAt?: number
  /** Why the destination paused itself. */
  readonly pauseReason?: string
  /** Set while the circuit breaker of a process is open. */
  readonly openedAt?: number
  /** When the process sends a probe. */
  readonly probeAt?: number
}

/** Stores the states of destinations, and the rates that processes share. */
export interface DestinationStore {
  /** Lists the destinations that have a state. */
  list(): Promise<readonly DestinationState[]>
  /** Reports whether the destination was not paused before. */
  pause(name: string, reason?: string): Promise<boolean>
  /** Reports whether the destination was paused. */
  resume(name: string): Promise<boolean>
  /** Shows the circuit breaker of a process as open for some milliseconds, or as closed. */
  setBreaker(name: string, openMs: number | undefined): Promise<void>
  /**
   * Reserves up to `count` requests, of at most a second, one after another at a rate. They can begin after `afterMs` milliseconds. While all requests of
   * the next second are reserved, `count` is 0, and the caller asks again after `afterMs`.
   */
  reserve(
    name: string,
    options: { readonly ratePerSecond: number; readonly count: number },
  ): Promise<{ readonly count: number; readonly afterMs: number }>
}

/** How far ahead requests are reserved, in milliseconds. */
export const reservedAheadMs = 1000

/** How far ahead a reservation can end, in milliseconds. One that ends later is from before the clock was set back. */
export const latestReservedMs = (ratePerSecond: number): number =>
  reservedAheadMs + (Math.ceil(ratePerSecond) * 1000) / ratePerSecond

/**
 * Creates a store in the memory of the process.
 *
 * @param now milliseconds since the epoch. @default Date.now
 */
export function createMemoryDestinationStore(now: () => number = Date.now): DestinationStore {
  const states = new Map<string, DestinationState>()
  const nextAt = new Map<string, number>()
  const get = (name: string): DestinationState => states.get(name) ?? { name }
  return {
    list: () => Promise.resolve([...states.values()]),
    pause(name, pauseReason) {
      const wasPaused = get(name).pausedAt !== undefined
      if (!wasPaused)
        states.set(name, { ...get(name), pausedAt: now(), ...(pauseReason !== undefined && { pauseReason }) })
      return Promise.resolve(!wasPaused)
    },
    resume(name) {
      const { pausedAt, openedAt, probeAt } = get(name)
      states.set(name, {
        name,
        ...(openedAt !== undefined && { openedAt }),
        ...(probeAt !== undefined && { probeAt }),
      })
      return Promise.resolve(pausedAt !== undefined)
    },
    setBreaker(name, openMs) {
      const { openedAt = now(), pausedAt, pauseReason } = get(name)
      states.set(name, {
        name,
        ...(pausedAt !== undefined && { pausedAt }),
        ...(pauseReason !== undefined && { pauseReason }),
        ...(openMs !== undefined && { openedAt, probeAt: now() + openMs }),
      })
      return Promise.resolve()
    },
    reserve(name, { ratePerSecond, count }) {
      const next = nextAt.get(name) ?? 0
      const isStale = next > now() + latestReservedMs(ratePerSecond)
      const at = isStale ? now() : Math.max(now(), next)
      const afterMs = at - now()
      if (afterMs > reservedAheadMs) return Promise.resolve({ count: 0, afterMs: afterMs - reservedAheadMs })
      nextAt.set(name, at + (count * 1000) / ratePerSecond)
      return Promise.resolve({ count, afterMs })
    },
  }
}
