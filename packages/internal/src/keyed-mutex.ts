import { withDeadline } from './deadline.ts'

/** Runs tasks with the same key one after the other, in the order of their arrival. */
export type KeyedMutex = <T>(key: string, task: () => Promise<T>) => Promise<T>

/**
 * Creates a mutex per key.
 *
 * @param timeoutMs how long a task waits for the tasks before it
 * @param onTimeout creates the error for a task that waited too long
 */
export function createKeyedMutex(timeoutMs: number, onTimeout: () => Error): KeyedMutex {
  const last = new Map<string, Promise<void>>()

  return async (key, task) => {
    const previous = last.get(key)
    const { promise: done, resolve: release } = Promise.withResolvers<undefined>()
    // A task that times out keeps its position, so that later tasks wait for the earlier ones.
    const current = (previous ?? Promise.resolve()).then(() => done)
    last.set(key, current)
    void current.then(() => {
      if (last.get(key) === current) last.delete(key)
    })
    try {
      if (previous !== undefined) await withDeadline(timeoutMs, previous, onTimeout)
      return await task()
    } finally {
      release(undefined)
    }
  }
}
