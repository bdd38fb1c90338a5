import { setTimeout as sleep } from 'node:timers/promises'

/** Interrupts the polling pauses of this process when work arrives. */
export interface WakeUps {
  /** Grows with every `wake`: a poll that compares it with the value before its query misses no arrival. */
  readonly count: number
  /** Ends all pauses. */
  wake(): void
  /** Resolves after the time, or earlier at a `wake` or when the signal is aborted. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>
}

export function createWakeUps(): WakeUps {
  const pauses = new Set<AbortController>()
  let count = 0
  return {
    get count() {
      return count
    },
    wake() {
      count++
      for (const pause of pauses) pause.abort()
    },
    async pause(milliseconds, signal) {
      const woken = new AbortController()
      pauses.add(woken)
      await sleep(milliseconds, undefined, { signal: AbortSignal.any([signal, woken.signal]) }).catch(
        () => undefined,
      )
      pauses.delete(woken)
    },
  }
}
