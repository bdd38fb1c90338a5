import type { TrafficCount, TrafficOutcome, TrafficStore } from '@sallyport/webhooks/traffic'
import type { TestRunner } from '@sallyport/webhooks/testing'

const minuteMs = 60_000
const start = Date.UTC(2026, 0)

const row = (minute: number, outcome: TrafficOutcome, count: number, reason = ''): TrafficCount => ({
  minute: start + minute * minuteMs,
  provider: 'doorbell',
  outcome,
  reason,
  count,
})

/** Selects the first minutes, one per interval. */
const minutes = (length: number) => ({ from: start, to: start + length * minuteMs, intervalMs: minuteMs })

/**
 * Defines the conformance tests of {@link TrafficStore}.
 *
 * @param runner the functions of the test runner
 * @param createStore creates an empty store for each test
 */
export function testTrafficStore(
  { describe, expect, it }: TestRunner,
  createStore: () => TrafficStore | Promise<TrafficStore>,
): void {
  describe('a store of traffic counts', () => {
    it('adds counts of the same minute, provider, outcome and reason', async () => {
      const store = await createStore()
      await store.add([row(0, 'accepted', 2), row(0, 'ignored', 1, 'bell.polished')])
      await store.add([row(0, 'accepted', 3), row(0, 'ignored', 1, 'bell.cleaned')])
      await store.add([])
      const { series, reasons } = await store.sum(minutes(1))
      const sums = series.map(({ at, outcome, count }) => [at, outcome, count])
      expect(sums.toSorted()).toEqual([
        [start, 'accepted', 5],
        [start, 'ignored', 2],
      ])
      expect(reasons[0]).toEqual({ provider: 'doorbell', outcome: 'accepted', reason: '', count: 5 })
      const kinds = reasons.slice(1).map(({ reason, count }) => [reason, count])
      expect(kinds.toSorted()).toEqual([
        ['bell.cleaned', 1],
        ['bell.polished', 1],
      ])
    })

    it('sums the minutes of an interval', async () => {
      const store = await createStore()
      await store.add([0, 4, 5, 9, 10].map((minute) => row(minute, 'accepted', 1)))
      const { series } = await store.sum({ ...minutes(10), intervalMs: 5 * minuteMs })
      const sums = series.map(({ at, count }) => [(at - start) / minuteMs, count])
      expect(sums.toSorted()).toEqual([
        [0, 2],
        [5, 2],
      ])
    })

    it('returns the minutes from the start until before the end', async () => {
      const store = await createStore()
      await store.add([-1, 0, 1, 2].map((minute) => row(minute, 'accepted', 1)))
      const { series, reasons } = await store.sum(minutes(2))
      expect(series.map(({ at }) => at).toSorted()).toEqual([start, start + minuteMs])
      expect(reasons.map(({ count }) => count)).toEqual([2])
    })

    it('loses no count of concurrent additions', async () => {
      const store = await createStore()
      const some = ['a', 'b', 'c'].map((reason) => row(0, 'refused', 1, reason))
      await Promise.all(
        Array.from({ length: 20 }, (_, index) => store.add(index % 2 ? some : some.toReversed())),
      )
      const { reasons } = await store.sum(minutes(1))
      expect(reasons.map(({ count }) => count)).toEqual([20, 20, 20])
    })

    it('stores thousands of counts at once', async () => {
      const store = await createStore()
      await store.add(Array.from({ length: 2500 }, (_, minute) => row(minute, 'accepted', 1)))
      const { reasons } = await store.sum(minutes(2500))
      expect(reasons.map(({ count }) => count)).toEqual([2500])
    })

    it('deletes the minutes before a time', async () => {
      const store = await createStore()
      await store.add([0, 1, 2].map((minute) => row(minute, 'accepted', 1)))
      expect(await store.prune(start + minuteMs)).toBe(1)
      expect(await store.prune(start + minuteMs)).toBe(0)
      const { series } = await store.sum(minutes(3))
      expect(series.map(({ at }) => at).toSorted()).toEqual([start + minuteMs, start + 2 * minuteMs])
    })
  })
}
