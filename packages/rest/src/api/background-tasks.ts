import { SallyportError } from '@sallyport/errors'

const maximumTasks = 1000

/** Tasks that run after the response of their request. */
export interface BackgroundTasks {
  /**
   * Starts a task when the response is on its way.
   *
   * @throws SallyportError 503 `OVERLOADED` while 1,000 tasks run
   */
  readonly run: (task: () => unknown, onError: (error: unknown) => void) => void
  /** Resolves when all tasks have ended. */
  readonly settled: () => Promise<void>
}

export function createBackgroundTasks(): BackgroundTasks {
  const running = new Set<Promise<void>>()
  return {
    run(task, onError) {
      if (running.size >= maximumTasks)
        throw new SallyportError('OVERLOADED', 'Too many background tasks are running; try again', {
          headers: { 'Retry-After': '1' },
        })
      const promise = new Promise<void>((resolve) => {
        setTimeout(resolve, 0)
      })
        .then(task)
        .then(() => undefined, onError)
      running.add(promise)
      void promise.finally(() => running.delete(promise))
    },
    async settled() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
