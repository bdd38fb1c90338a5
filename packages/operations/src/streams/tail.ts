import { createWakeUps } from '@sallyport/internal/wake-ups'

/** Shares the reads of one position, such as the newest sequence, among streams. */
export interface Tail {
  /** Reads the position now. */
  readonly read: () => Promise<number>
  /**
   * Resolves with the position once the position is beyond another.
   *
   * Rejects when the signal is aborted, and with the error of a read.
   */
  readonly waitBeyond: (position: number, signal: AbortSignal) => Promise<number>
}

export interface TailOptions {
  readonly read: () => Promise<number>
  /** The least time between two reads, in milliseconds; also after a wake-up. @default 100 */
  readonly leastMs?: number
  /** The time between two reads while nothing is new, in milliseconds. @default 1,000 */
  readonly mostMs?: number
  /** Calls the listener when the position may have moved, and returns the function that unsubscribes. */
  readonly onWork?: ((listener: () => void) => () => void) | undefined
}

interface Waiter {
  readonly position: number
  readonly resolve: (position: number) => void
  readonly reject: (error: Error) => void
}

/** Creates a tail. While streams wait, one loop reads the position, less often while nothing is new. */
export function createTail({ read, leastMs = 100, mostMs = 1000, onWork }: TailOptions): Tail {
  const waiters = new Set<Waiter>()
  const wakeUps = createWakeUps()
  const never = new AbortController().signal
  let isRunning = false
  let lastReadAt = -Infinity
  let intervalMs = leastMs

  async function run(): Promise<void> {
    const unsubscribe = onWork?.(() => {
      intervalMs = leastMs
      wakeUps.wake()
    })
    try {
      while (waiters.size > 0) {
        for (;;) {
          const restMs = lastReadAt + intervalMs - performance.now()
          if (restMs <= 0 || waiters.size === 0) break
          await wakeUps.pause(restMs, never)
        }
        if (waiters.size > 0) resolveWaiters(await read())
      }
    } catch (error) {
      for (const { reject } of waiters) reject(error as Error)
      waiters.clear()
    } finally {
      unsubscribe?.()
      isRunning = false
    }
  }

  function resolveWaiters(position: number): void {
    lastReadAt = performance.now()
    const woken = [...waiters].filter((waiter) => position > waiter.position)
    intervalMs = woken.length > 0 ? leastMs : Math.min(mostMs, intervalMs * 1.5)
    for (const waiter of woken) {
      waiters.delete(waiter)
      waiter.resolve(position)
    }
  }

  return {
    read,
    waitBeyond: (position, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted()
        const onAbort = () => {
          waiters.delete(waiter)
          reject(signal.reason as Error)
          // The loop ends without waiters.
          if (waiters.size === 0) wakeUps.wake()
        }
        const stop = () => {
          signal.removeEventListener('abort', onAbort)
        }
        const waiter: Waiter = {
          position,
          resolve(found) {
            stop()
            resolve(found)
          },
          reject(error) {
            stop()
            reject(error)
          },
        }
        signal.addEventListener('abort', onAbort)
        waiters.add(waiter)
        if (isRunning) return
        isRunning = true
        void run()
      }),
  }
}
