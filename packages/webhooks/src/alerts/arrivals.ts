import { minuteMs, type TrafficStore } from '../traffic/store.ts'

/** The resolution of the history. */
export const slotMs = 10 * minuteMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
export const weekMs = 7 * dayMs
/** Two weeks to compare with, and the longest silence that is compared. */
const keptMs = 15 * dayMs

/** When the deliveries of a provider arrived. */
export interface Arrivals {
  /** The deliveries by the start of their ten minutes. */
  readonly slots: ReadonlyMap<number, number>
  /** The end of the minute of the last delivery. */
  readonly last: number
}

/** The verified deliveries of the last 15 days, at most 2,160 numbers per provider. */
export interface ArrivalHistory {
  /** Reads what is new since the last call: at the first call day by day, later the last hour again. */
  readonly read: (now: number, signal: AbortSignal) => Promise<void>
  readonly get: (provider: string) => Arrivals | undefined
}

export function createArrivalHistory(traffic: Pick<TrafficStore, 'sum'>): ArrivalHistory {
  const byProvider = new Map<string, { slots: Map<number, number>; last: number }>()
  let readTo = -Infinity

  function add(provider: string, at: number, count: number): void {
    const arrivals = byProvider.get(provider) ?? { slots: new Map<number, number>(), last: 0 }
    byProvider.set(provider, arrivals)
    const slot = Math.floor(at / slotMs) * slotMs
    arrivals.slots.set(slot, (arrivals.slots.get(slot) ?? 0) + count)
    arrivals.last = Math.max(arrivals.last, at + minuteMs)
  }

  function forget(isForgotten: (slot: number) => boolean): void {
    for (const [provider, { slots }] of byProvider) {
      for (const slot of slots.keys()) if (isForgotten(slot)) slots.delete(slot)
      if (slots.size === 0) byProvider.delete(provider)
    }
  }

  return {
    async read(now, signal) {
      const to = (Math.floor(now / minuteMs) + 1) * minuteMs
      // Processes add their counts some seconds late.
      let from = Math.floor(Math.max(to - keptMs, readTo - hourMs) / slotMs) * slotMs
      while (from < to && !signal.aborted) {
        const [start, end] = [from, Math.min(from + dayMs, to)]
        const { series } = await traffic.sum({ from: start, to: end, intervalMs: minuteMs })
        forget((slot) => slot >= start && slot < end)
        for (const { provider, outcome, at, count } of series) {
          // A forged delivery does not show that the service works.
          if (outcome !== 'refused' && provider !== 'unknown') add(provider, at, count)
        }
        from = readTo = end
      }
      forget((slot) => slot < to - keptMs)
    },
    get: (provider) => byProvider.get(provider),
  }
}
