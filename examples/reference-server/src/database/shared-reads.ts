/** Reads the value of a key, shared with other callers. */
export type SharedRead<T> = (key: string, ask: () => Promise<T>) => Promise<T>

/**
 * Shares concurrent reads of a key, such as the total of a list. Callers that arrive during a read share the next one, which
 * starts after all of these calls, so the result is never older than the call.
 */
export function createSharedReads<T>(): SharedRead<T> {
  const underWay = new Map<string, Promise<T>>()
  const next = new Map<string, Promise<T>>()

  async function begin(key: string, ask: () => Promise<T>): Promise<T> {
    const asked = ask()
    underWay.set(key, asked)
    try {
      return await asked
    } finally {
      if (underWay.get(key) === asked) underWay.delete(key)
    }
  }

  async function follow(before: Promise<T>, key: string, ask: () => Promise<T>): Promise<T> {
    await before.catch(() => undefined)
    next.delete(key)
    return begin(key, ask)
  }

  return (key, ask) => {
    const before = underWay.get(key)
    if (before === undefined) return begin(key, ask)
    const shared = next.get(key) ?? follow(before, key, ask)
    next.set(key, shared)
    return shared
  }
}
