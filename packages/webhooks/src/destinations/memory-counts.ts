import { countedMs, type DestinationCounts } from './store.ts'

type Counts = Pick<DestinationCounts, 'attempts' | 'failed' | 'filtered'>

const addCounts = (one: Counts, other: Counts): Counts => ({
  attempts: one.attempts + other.attempts,
  failed: one.failed + other.failed,
  filtered: one.filtered + other.filtered,
})

/** Creates the counts of the last hour, in parts of five minutes. */
export function createMemoryCounts(now: () => number) {
  const parts = new Map<string, ReadonlyMap<number, Counts>>()
  return {
    add({ name, attempts, failed, filtered }: DestinationCounts): void {
      const at = now() - (now() % countedMs.part)
      const recent = [...(parts.get(name) ?? [])].filter(([start]) => start > at - countedMs.total)
      const own = new Map(recent)
      const last = own.get(at) ?? { attempts: 0, failed: 0, filtered: 0 }
      parts.set(name, own.set(at, addCounts(last, { attempts, failed, filtered })))
    },
    sum(name: string): Counts | undefined {
      const recent = [...(parts.get(name) ?? [])].filter(([start]) => start > now() - countedMs.total)
      return recent.length === 0 ? undefined : recent.map(([, counts]) => counts).reduce(addCounts)
    },
  }
}
