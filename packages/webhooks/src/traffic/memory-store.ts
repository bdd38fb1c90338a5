import type { TrafficCount, TrafficStore } from './store.ts'

/**
 * Creates a store of traffic counts in the memory of the process. A restart loses the counts.
 */
export function createMemoryTrafficStore(): TrafficStore {
  let rows: readonly TrafficCount[] = []
  return {
    add(counts) {
      rows = sumBy([...rows, ...counts], ({ minute, provider, outcome, reason }) => ({
        minute,
        provider,
        outcome,
        reason,
      }))
      return Promise.resolve()
    },
    sum({ from, to, intervalMs }) {
      const within = rows.filter(({ minute }) => minute >= from && minute < to)
      const series = sumBy(within, ({ minute, provider, outcome }) => {
        return { at: from + Math.floor((minute - from) / intervalMs) * intervalMs, provider, outcome }
      })
      const reasons = sumBy(within, ({ provider, outcome, reason }) => ({ provider, outcome, reason }))
      return Promise.resolve({ series, reasons: reasons.toSorted((one, other) => other.count - one.count) })
    },
    prune(before) {
      const kept = rows.filter(({ minute }) => minute >= before)
      const deleted = rows.length - kept.length
      rows = kept
      return Promise.resolve(deleted)
    },
  }
}

/** Adds the counts of rows with equal keys. */
function sumBy<Key extends object>(
  rows: readonly TrafficCount[],
  toKey: (row: TrafficCount) => Key,
): readonly (Key & { readonly count: number })[] {
  const sums = new Map<string, Key & { count: number }>()
  for (const row of rows) {
    const key = toKey(row)
    const name = JSON.stringify(key)
    const sum = sums.get(name)
    if (sum) sum.count += row.count
    else sums.set(name, { ...key, count: row.count })
  }
  return [...sums.values()]
}
