/** Tracks running operations, so that a close can wait for them. */
export interface OperationTracker {
  /** Aborted when `close` is called. */
  readonly closing: AbortSignal
  /** Runs an operation. @throws the error of `onClosed` after `close` */
  run<T>(operation: () => Promise<T>): Promise<T>
  /** Rejects new operations and resolves when the running ones have settled. */
  close(): Promise<void>
}

/** @param onClosed creates the error for operations that start after `close` */
export function createOperationTracker(onClosed: () => Error): OperationTracker {
  const running = new Set<Promise<unknown>>()
  const controller = new AbortController()
  return {
    closing: controller.signal,
    async run(operation) {
      if (controller.signal.aborted) throw onClosed()
      const promise = operation()
      running.add(promise)
      try {
        return await promise
      } finally {
        running.delete(promise)
      }
    },
    async close() {
      controller.abort()
      await Promise.allSettled(running)
    },
  }
}
