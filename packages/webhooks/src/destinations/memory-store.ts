import { createMemoryCounts } from './memory-counts.ts'
import { createMemoryManagedStore } from './memory-managed.ts'
import { latestReservedMs, reservedAheadMs, type DestinationState, type DestinationStore } from './store.ts'

type Changes = { readonly [Name in keyof DestinationState]?: DestinationState[Name] | undefined }

/**
 * Creates a store in the memory of the process.
 *
 * @param now milliseconds since the epoch. @default Date.now
 */
export function createMemoryDestinationStore(now: () => number = Date.now): DestinationStore {
  const states = new Map<string, Omit<Changes, 'name'> & { readonly name: string }>()
  const nextAt = new Map<string, number>()
  const counts = createMemoryCounts(now)
  const change = (name: string, changes: Omit<Changes, 'name'>) =>
    states.set(name, { ...states.get(name), ...changes, name })
  return {
    managed: createMemoryManagedStore(),
    list: () =>
      Promise.resolve(
        [...states.values()].map((state) => {
          const given = Object.entries({ ...state, ...counts.sum(state.name) }).filter(
            ([, value]) => value !== undefined,
          )
          return { ...(Object.fromEntries(given) as Partial<DestinationState>), name: state.name }
        }),
      ),
    pause(name, pauseReason) {
      const wasPaused = states.get(name)?.pausedAt !== undefined
      if (!wasPaused) change(name, { pausedAt: now(), pauseReason })
      return Promise.resolve(!wasPaused)
    },
    resume(name) {
      const wasPaused = states.get(name)?.pausedAt !== undefined
      if (wasPaused) change(name, { pausedAt: undefined, pauseReason: undefined })
      return Promise.resolve(wasPaused)
    },
    setBreaker(name, openMs) {
      const { openedAt = now() } = states.get(name) ?? {}
      const isOpen = openMs !== undefined
      change(
        name,
        isOpen ? { openedAt, probeAt: now() + openMs } : { openedAt: undefined, probeAt: undefined },
      )
      return Promise.resolve()
    },
    count(added) {
      for (const one of added) {
        change(one.name, one.success ? { success: one.success } : {})
        counts.add(one)
      }
      return Promise.resolve()
    },
    reserve(name, { ratePerSecond, count }) {
      const next = nextAt.get(name) ?? 0
      const isStale = next > now() + latestReservedMs(ratePerSecond)
      const at = isStale ? now() : Math.max(now(), next)
      const afterMs = at - now()
      if (afterMs > reservedAheadMs) return Promise.resolve({ count: 0, afterMs: afterMs - reservedAheadMs })
      nextAt.set(name, at + (count * 1000) / ratePerSecond)
      return Promise.resolve({ count, afterMs })
    },
  }
}
