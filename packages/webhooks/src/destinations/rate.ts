import type { DestinationStore } from './store.ts'

/** The requests of a destination that this process may begin. */
export interface Rate {
  /** Returns the number of requests that may begin now. Reserves further ones if there are none. */
  readonly room: number
  /** Counts a request that begins. */
  take(): void
}

interface RateOptions {
  readonly ratePerSecond: number
  readonly reserve: (count: number) => ReturnType<DestinationStore['reserve']>
  /** Milliseconds of a clock that never goes back. */
  readonly ticks: () => number
  /** Called when requests may begin. */
  readonly onRoom: () => void
  readonly onError: (error: unknown) => unknown
}

/** How long a process waits after a failure of the store, in milliseconds. */
const failedMs = 1000
/** How long a reserved request can be used, in milliseconds: unused ones add no burst. */
const usableMs = 1000

/** Creates the share of this process of the rate of a destination. It reserves more requests while it uses all of them. */
export function createRate({ ratePerSecond, reserve, ticks, onRoom, onError }: RateOptions): Rate {
  const intervalMs = 1000 / ratePerSecond
  let left = 0
  let nextAt = 0
  let asked = 1
  let isReserving = false

  function wait(milliseconds: number): void {
    const timer = setTimeout(() => {
      isReserving = false
      onRoom()
    }, Math.ceil(milliseconds))
    if (typeof timer === 'object') timer.unref()
  }

  async function reserveMore(): Promise<void> {
    isReserving = true
    try {
      const { count, afterMs } = await reserve(asked)
      left = count
      nextAt = ticks() + afterMs
      asked = Math.min(Math.ceil(ratePerSecond), asked * 2)
      wait(afterMs)
    } catch (error) {
      onError(error)
      wait(failedMs)
    }
  }

  function getRoom(): number {
    const passedMs = ticks() - nextAt
    if (left > 0 && passedMs > usableMs) {
      left = 0
      asked = 1
    }
    if (left > 0) {
      const room = Math.max(0, Math.min(left, Math.floor(passedMs / intervalMs) + 1))
      if (room === 0 && !isReserving) {
        isReserving = true
        wait(-passedMs)
      }
      return room
    }
    if (!isReserving) void reserveMore()
    return 0
  }

  return {
    get room() {
      return getRoom()
    },
    take() {
      left--
      nextAt += intervalMs
    },
  }
}
