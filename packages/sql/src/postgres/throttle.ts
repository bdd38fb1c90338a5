/** A function that runs at once and then at most once per interval: calls in between share one run at its end. */
export interface Throttled<Key> {
  readonly call: (key: Key) => void
  readonly stop: () => void
}

/** @param intervalMs the least time between two runs with the same key */
export function throttle<Key>(intervalMs: number, work: (key: Key) => void): Throttled<Key> {
  const timers = new Map<Key, ReturnType<typeof setTimeout>>()
  const again = new Set<Key>()
  let stopped = false

  function call(key: Key): void {
    if (stopped) return
    if (timers.has(key)) {
      again.add(key)
      return
    }
    timers.set(
      key,
      setTimeout(() => {
        timers.delete(key)
        if (again.delete(key)) call(key)
      }, intervalMs).unref(),
    )
    work(key)
  }

  return {
    call,
    stop() {
      stopped = true
      for (const timer of timers.values()) clearTimeout(timer)
    },
  }
}
