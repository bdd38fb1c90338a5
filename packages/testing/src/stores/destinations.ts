import type { DestinationStore } from '@sallyport/webhooks/destinations'
import type { TestRunner } from '@sallyport/webhooks/testing'

const minute = 60_000
const isNow = (time = 0) => Math.abs(time - Date.now()) < minute

/** Defines the conformance tests of a store of destinations. */
export function testDestinationStore(
  { describe, expect, it }: TestRunner,
  createStores: () =>
    readonly [DestinationStore, DestinationStore] | Promise<readonly [DestinationStore, DestinationStore]>,
): void {
  describe('a store of destinations', () => {
    it('pauses and resumes a destination for all processes', async () => {
      const [one, other] = await createStores()
      expect(await other.list()).toEqual([])
      expect([await one.pause('a', 'HTTP 410'), await other.pause('a'), await one.pause('b')]).toEqual([
        true,
        false,
        true,
      ])
      const states = [...(await other.list())].sort((x, y) => (x.name < y.name ? -1 : 1))
      expect(states.map(({ name, pauseReason, pausedAt }) => [name, pauseReason, isNow(pausedAt)])).toEqual([
        ['a', 'HTTP 410', true],
        ['b', undefined, true],
      ])
      expect([await other.resume('a'), await one.resume('a'), await one.resume('c')]).toEqual([
        true,
        false,
        false,
      ])
      expect(await one.pause('a')).toBe(true)
      expect((await one.list()).find(({ name }) => name === 'a')?.pauseReason).toBe(undefined)
    })

    it('shows an open circuit breaker, beside a pause', async () => {
      const [one, other] = await createStores()
      await one.pause('a')
      await one.setBreaker('a', minute)
      const [first] = await other.list()
      expect([isNow(first?.openedAt), isNow((first?.probeAt ?? 0) - minute)]).toEqual([true, true])
      await one.setBreaker('a', 2 * minute)
      const [again] = await other.list()
      expect(again?.openedAt).toBe(first?.openedAt)
      expect(isNow((again?.probeAt ?? 0) - 2 * minute)).toBe(true)
      await one.setBreaker('a', undefined)
      const [last] = await other.list()
      expect([last?.openedAt, last?.probeAt, isNow(last?.pausedAt)]).toEqual([undefined, undefined, true])
    })

    it('stores the destinations of operators, and shows each change in its stamp', async () => {
      const [{ managed: one }, { managed: other }] = await createStores()
      const stamps = new Set([await other.stamp()])
      const billing = { name: 'billing', sealed: 'v1.a', version: 1, createdAt: 1, updatedAt: 1 }
      expect([await one.insert(billing), await other.insert({ ...billing, sealed: 'b' })]).toEqual([
        true,
        false,
      ])
      stamps.add(await other.stamp())
      const changed = { ...billing, sealed: 'v1.b', version: 2, updatedAt: 2 }
      expect([await other.replace(changed, 1), await one.replace(changed, 1)]).toEqual([true, false])
      stamps.add(await one.stamp())
      await one.insert({ ...billing, name: 'audit' })
      const failing = () => Promise.reject(new Error('not saved'))
      await one.insert({ ...billing, name: 'crm' }, failing).catch(() => undefined)
      await one.replace({ ...changed, version: 3 }, 2, failing).catch(() => undefined)
      expect(await other.list()).toEqual([{ ...billing, name: 'audit' }, changed])
      expect([await one.delete('billing', 1), await one.delete('billing', 2)]).toEqual([false, true])
      stamps.add(await other.stamp())
      expect((await other.list()).map(({ name }) => name)).toEqual(['audit'])
      expect(stamps.size).toBe(4)
    })

    it('sums the counts of all processes', async () => {
      const [one, other] = await createStores()
      const counts = { name: 'a', attempts: 3, failed: 1, filtered: 2 }
      await one.count([{ ...counts, success: { at: Date.now(), status: 204 } }])
      await other.count([counts, { ...counts, name: 'b' }])
      const [a, b] = [...(await one.list())].sort((x, y) => (x.name < y.name ? -1 : 1))
      expect([a?.attempts, a?.failed, a?.filtered, a?.success?.status, isNow(a?.success?.at)]).toEqual([
        ...[6, 2, 4, 204, true],
      ])
      expect([b?.attempts, b?.success]).toEqual([3, undefined])
      await one.pause('a')
      await one.resume('a')
      expect((await other.list()).find(({ name }) => name === 'a')?.attempts).toBe(6)
    })

    it('reserves requests one after another, of all processes', async () => {
      const [one, other] = await createStores()
      const rate = { ratePerSecond: 10 }
      expect(await one.reserve('a', { ...rate, count: 5 })).toEqual({ count: 5, afterMs: 0 })
      const second = await other.reserve('a', { ...rate, count: 10 })
      expect([second.count, second.afterMs > 300, second.afterMs <= 500]).toEqual([10, true, true])
      const third = await one.reserve('a', { ...rate, count: 1 })
      expect([third.count, third.afterMs > 0, third.afterMs <= 500]).toEqual([0, true, true])
      expect(await one.reserve('b', { ...rate, count: 1 })).toEqual({ count: 1, afterMs: 0 })
    })
  })
}
