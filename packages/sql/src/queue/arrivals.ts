import { setTimeout as sleep } from 'node:timers/promises'

/** Wakes who waits for what comes in. */
export class Arrivals {
  readonly #waiting = new Set<AbortController>()
  #count = 0

  /** Has changed when there was something since. */
  get count(): number {
    return this.#count
  }

  wakeAll(): void {
    this.#count++
    for (const one of this.#waiting) one.abort()
  }

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
