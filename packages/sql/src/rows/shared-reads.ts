/** Reads the value of a key, shared with other callers. */
export type SharedRead<T> = (key: string, read: () => Promise<T>) => Promise<T>

/**
 * Shares concurrent reads of a key, such as the total of a list. Callers that arrive during a read share the next one, which
 * starts after all of these calls, so the result is never older than the call.
 */
export function createSharedReads<T>(): SharedRead<T> {
  const running = new Map<string, Promise<T>>()
  const next = new Map<string, Promise<T>>()

  async function start(key: string, read: () => Promise<T>): Promise<T> {
    const reading = read()
    running.set(key, reading)
    try {
      return await reading
    } finally {
      if (running.get(key) === reading) running.delete(key)
    }
  }

  async function follow(before: Promise<T>, key: string, read: () => Promise<T>): Promise<T> {
    await before.catch(() => undefined)
    next.delete(key)
    return start(key, read)
  }

  return (key, read) => {
    const before = running.get(key)
    if (before === undefined) return start(key, read)
    const shared = next.get(key) ?? follow(before, key, read)
    next.set(key, shared)
    return shared
  }
}
