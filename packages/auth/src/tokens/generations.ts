/** What was used last, of a bounded number of things. */
export interface Generations<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  delete(key: string): void
}

/**
 * Keeps the things that were used last, at most `max` of them and at least half as many, in two generations: when the
 * younger is full, it becomes the older one, whose things are forgotten unless they were used since.
 *
 * Costs an insertion into a `Map`, where a list in the order of use would cost several times as much; most things are
 * put in once and never asked for.
 */
export function createGenerations<Value>(max: number): Generations<Value> {
  const half = Math.max(1, Math.floor(max / 2))
  let younger = new Map<string, Value>()
  let older = new Map<string, Value>()

  function set(key: string, value: Value): void {
    if (younger.size >= half && !younger.has(key)) {
      older = max > 1 ? younger : new Map<string, Value>()
      younger = new Map()
    }
    younger.set(key, value)
  }

  return {
    get(key) {
      const young = younger.get(key)
      if (young !== undefined) return young
      const old = older.get(key)
      if (old !== undefined) {
        older.delete(key)
        set(key, old)
      }
      return old
    },
    set,
    delete(key) {
      younger.delete(key)
      older.delete(key)
    },
  }
}
