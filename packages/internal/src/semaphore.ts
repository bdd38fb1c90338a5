export interface SemaphoreOptions {
  /** Tasks that run at the same time. */
  readonly limit: number
  /** Tasks that may wait. */
  readonly maxWaiting: number
  /** How long a task may wait, in milliseconds. @default no limit */
  readonly waitTimeoutMs?: number
  /** Creates the error for a task that finds the queue full or has waited too long. The task does not run. */
  readonly onOverload: () => Error
}

/** Runs tasks in the order of their arrival, a limited number at a time. */
export interface Semaphore {
  /** @throws the error of `onOverload` when `maxWaiting` tasks wait already, or at the timeout */
  readonly run: <T>(task: () => Promise<T>) => Promise<T>
}

/** Creates a semaphore with a bounded queue: without the bound, callers would wait longer than their clients do. */
export function createSemaphore({
  limit,
  maxWaiting,
  waitTimeoutMs,
  onOverload,
}: SemaphoreOptions): Semaphore {
  const waiting = new Set<() => void>()
  let running = 0

  function wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        waiting.delete(proceed)
        reject(onOverload())
      }
      const timer = waitTimeoutMs === undefined ? undefined : setTimeout(giveUp, waitTimeoutMs)
      const proceed = () => {
        clearTimeout(timer)
        waiting.delete(proceed)
        resolve()
      }
      waiting.add(proceed)
    })
  }

  function release(): void {
    const [proceed] = waiting
    // The slot passes to the next task directly, so that a new task cannot overtake it.
    if (proceed === undefined) running -= 1
    else proceed()
  }

  return {
    async run(task) {
      if (running < limit) running += 1
      else if (waiting.size < maxWaiting) await wait()
      else throw onOverload()
      try {
        return await task()
      } finally {
        release()
      }
    },
  }
}
