export interface SemaphoreOptions {
  /** Tasks that run at the same time. */
  readonly limit: number
  /** Tasks that may wait. */
  readonly maxWaiting: number
  /** Creates the error for a task that finds the queue full. */
  readonly onFull: () => Error
}

/** Runs tasks in the order of their arrival, a limited number at a time. */
export interface Semaphore {
  /** @throws the error of `onFull` when `maxWaiting` tasks wait already */
  run<T>(task: () => Promise<T>): Promise<T>
}

/** Creates a semaphore with a bounded queue: without the bound, callers would wait longer than their clients do. */
export function createSemaphore({ limit, maxWaiting, onFull }: SemaphoreOptions): Semaphore {
  const waiting: (() => void)[] = []
  let running = 0

  function release(): void {
    const next = waiting.shift()
    // The slot passes to the next task directly, so that a new task cannot overtake it.
    if (next === undefined) running -= 1
    else next()
  }

  return {
    async run(task) {
      if (running < limit) running += 1
      else if (waiting.length < maxWaiting) await new Promise<void>((resolve) => waiting.push(resolve))
      else throw onFull()
      try {
        return await task()
      } finally {
        release()
      }
    },
  }
}
