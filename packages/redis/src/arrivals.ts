import { setTimeout as sleep } from 'node:timers/promises'

/** Wakes whoever waits in this process; what others enqueue is found by looking now and then. */
export class Arrivals {
  readonly #waiting = new Set<AbortController>()
  /** Changes with every arrival. */
  count = 0

  wakeAll(): void {
    this.count++
    for (const one of this.#waiting) one.abort()
  }

  /** Waits for an arrival, for so long at most. */
  async pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController()
    this.#waiting.add(woken)
    try {
      await sleep(milliseconds, undefined, { signal: AbortSignal.any([signal, woken.signal]) })
    } catch {
      // Woken, or told to wait no longer: the caller looks which.
    } finally {
      this.#waiting.delete(woken)
    }
  }
}
