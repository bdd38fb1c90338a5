import type { DestinationCounts, DestinationStore } from './store.ts'

/** Counts what happens at destinations, and stores the counts within seconds. */
export interface DestinationCounter {
  attempt(name: string, isDone: boolean, status: number | undefined): void
  /** Counts an event that the filter of a destination rejected. */
  filtered(name: string): void
  /** Stores the counts now. */
  flush(): Promise<void>
}

/** After how long counts are stored, in milliseconds. */
const storedAfterMs = 5000

export function createDestinationCounter(
  store: Pick<DestinationStore, 'count'>,
  onError: (error: unknown) => void,
): DestinationCounter {
  let counts = new Map<string, DestinationCounts>()
  let timer: ReturnType<typeof setTimeout> | undefined

  async function flush(): Promise<void> {
    clearTimeout(timer)
    if (counts.size === 0) return
    const stored = [...counts.values()]
    counts = new Map()
    await store.count(stored).catch(onError)
  }

  function add(name: string, change: (own: DestinationCounts) => Partial<DestinationCounts>): void {
    if (counts.size === 0) {
      timer = setTimeout(() => void flush(), storedAfterMs)
      if (typeof timer === 'object') timer.unref()
    }
    const own = counts.get(name) ?? { name, attempts: 0, failed: 0, filtered: 0 }
    counts.set(name, { ...own, ...change(own) })
  }

  return {
    attempt(name, isDone, status) {
      add(name, ({ attempts, failed }) => ({
        attempts: attempts + 1,
        failed: failed + (isDone ? 0 : 1),
        ...(isDone && { success: { at: Date.now(), ...(status !== undefined && { status }) } }),
      }))
    },
    filtered(name) {
      add(name, ({ filtered }) => ({ filtered: filtered + 1 }))
    },
    flush,
  }
}
