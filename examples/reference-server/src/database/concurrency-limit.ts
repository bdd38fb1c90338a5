import { SallyportError } from '@sallyport/errors'

export interface ConcurrencyLimitOptions {
  /** Tasks that run at the same time. */
  readonly maxRunning: number
  /** Tasks that may wait. */
  readonly maxWaiting: number
  /** How long a task may wait, in milliseconds. @default 5,000 */
  readonly waitTimeoutMs?: number
  /** The message of the error for a task that is not run. */
  readonly message: string
}

/**
 * Runs tasks in the order of their arrival, a limited number at a time.
 *
 * @throws SallyportError 503 `OVERLOADED` with `Retry-After` when too many tasks wait, or when the task has waited too long;
 * the task does not run then
 */
export type ConcurrencyLimit = <T>(task: () => Promise<T>) => Promise<T>

export function createConcurrencyLimit({
  maxRunning,
  maxWaiting,
  waitTimeoutMs = 5000,
  message,
}: ConcurrencyLimitOptions): ConcurrencyLimit {
  const waiting = new Set<() => void>()
  let running = 0

  const overloaded = () => new SallyportError('OVERLOADED', message, { headers: { 'Retry-After': '1' } })

  function acquire(): Promise<void> {
    if (running < maxRunning) {
      running += 1
      return Promise.resolve()
    }
    if (waiting.size >= maxWaiting) return Promise.reject(overloaded())
    return new Promise((resolve, reject) => {
      const proceed = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.delete(proceed)
        reject(overloaded())
      }, waitTimeoutMs)
      waiting.add(proceed)
    })
  }

  /** Passes the slot to the task that waits longest, so that a new task cannot overtake it. */
  function release(): void {
    const [proceed] = waiting
    if (proceed === undefined) running -= 1
    else {
      waiting.delete(proceed)
      proceed()
    }
  }

  return async (task) => {
    await acquire()
    try {
      return await task()
    } finally {
      release()
    }
  }
}
