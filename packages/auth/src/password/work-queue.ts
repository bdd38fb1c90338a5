import { SallyportError } from '@sallyport/errors'

/** Runs tasks, so many at a time, and lets so many wait. */
export interface WorkQueue {
  /** @throws SallyportError 503 `OVERLOADED` with `Retry-After` when too many are waiting already */
  run<T>(task: () => Promise<T>): Promise<T>
}

/**
 * Makes a queue of bounded length: without the bound, a burst of logins would wait for minutes and then be answered
 * to nobody.
 */
export function createWorkQueue(concurrency: number, maxWaiting: number): WorkQueue {
  const waiting: (() => void)[] = []
  let running = 0

  function release(): void {
    const next = waiting.shift()
    // The place goes straight to who waits longest, so that nobody slips in between.
    if (next === undefined) running -= 1
    else next()
  }

  return {
    async run(task) {
      if (running < concurrency) running += 1
      else if (waiting.length < maxWaiting) await new Promise<void>((resolve) => waiting.push(resolve))
      else throw overloaded()
      try {
        return await task()
      } finally {
        release()
      }
    },
  }
}

function overloaded(): SallyportError {
  return new SallyportError('OVERLOADED', 'Too many passwords are being checked; try again in a moment', {
    headers: { 'Retry-After': '1' },
  })
}
