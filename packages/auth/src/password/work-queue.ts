import { SallyportError } from '@sallyport/errors'

/** Limits the number of running and waiting tasks. */
export interface WorkQueue {
  /** @throws SallyportError 503 `OVERLOADED` with `Retry-After` when the queue is full */
  run<T>(task: () => Promise<T>): Promise<T>
}

/**
 * Creates a semaphore with a bounded queue: without the bound, a burst of logins would wait longer than clients do.
 */
export function createWorkQueue(concurrency: number, maxWaiting: number): WorkQueue {
  const waiting: (() => void)[] = []
  let running = 0

  function release(): void {
    const next = waiting.shift()
    // The permit passes directly to the first waiting task, so that no other task can take it.
    if (next === undefined) running -= 1
    else next()
  }

  return {
    async run(task) {
      if (running < concurrency) running += 1
      else if (waiting.length < maxWaiting) await new Promise<void>((resolve) => waiting.push(resolve))
      else throw overloadedError()
      try {
        return await task()
      } finally {
        release()
      }
    },
  }
}

function overloadedError(): SallyportError {
  return new SallyportError('OVERLOADED', 'Too many passwords are being checked; try again in a moment', {
    headers: { 'Retry-After': '1' },
  })
}
