/** Asks for what a key stands for, together with others who wait for the same. */
export type SharedRead<T> = (key: string, ask: () => Promise<T>) => Promise<T>

/**
 * Reads that many want at the same time, such as the total of a list: while one is under way, all who come meanwhile
 * wait for the next, and share it. It begins after each of them has asked, so nobody is told less than there was then.
 */
export function sharedReads<T>(): SharedRead<T> {
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
