import type { SubscriptionStore } from '@sallyport/webhooks/subscriptions'
import type { TestRunner } from '@sallyport/webhooks/testing'

const target = (id: string) => ({
  ...{ id, service: 'codehost', endpoint: 'e1', parameters: { repository: `acme/\0\ud800` } },
  ...{ credential: 'TOKEN_ACME', isDeclared: false },
})
const lease = { token: 'one', leaseMs: 60_000, limit: 10 }
const progress = { failures: 0, revision: 0, registration: { id: '7', expiresAt: 5 }, renewAt: 4 }
const hour = 3_600_000

/** Defines the conformance tests of a store of subscriptions, over two stores that share empty data. */
export function testSubscriptionStore(
  { describe, expect, it }: TestRunner,
  createStores: () =>
    | readonly [SubscriptionStore, SubscriptionStore]
    | Promise<readonly [SubscriptionStore, SubscriptionStore]>,
): void {
  describe('a store of subscriptions', () => {
    it('stores a subscription once', async () => {
      const [one, other] = await createStores()
      expect([await one.insert(target('a')), await other.insert(target('a'))]).toEqual([true, false])
      const stored = await other.get('a')
      const createdAt = stored?.createdAt ?? 0
      expect(stored).toEqual({
        ...target('a'),
        ...{ isRemoving: false, revision: 0, progress: { failures: 0, revision: 0 }, createdAt },
      })
      expect(Math.abs(createdAt - Date.now()) < 60_000).toBe(true)
      expect(await one.get('b')).toBe(undefined)
    })

    it('leases a due subscription to one process', async () => {
      const [one, other] = await createStores()
      await one.insert(target('a'))
      const claims = await Promise.all([one.claim(lease), other.claim({ ...lease, token: 'two' })])
      expect(claims.flat().map(({ id }) => id)).toEqual(['a'])
    })

    it('leases a subscription again after the end of its lease', async () => {
      const [one, other] = await createStores()
      await one.insert(target('a'))
      const [claimed] = await one.claim({ ...lease, leaseMs: 0 })
      expect((await other.claim({ ...lease, token: 'two' })).map(({ id }) => id)).toEqual(['a'])
      const late = claimed ?? { id: '', revision: 0 }
      expect([await one.save(late, 'one', progress, hour), await one.delete(late, 'one')]).toEqual([
        false,
        false,
      ])
      expect((await one.get('a'))?.progress.registration).toBe(undefined)
    })

    it('leases only the subscriptions of an endpoint, and those that are due for longest', async () => {
      const [one, other] = await createStores()
      await one.insert(target('a'))
      await new Promise((resolve) => setTimeout(resolve, 5))
      await one.insert({ ...target('b'), endpoint: 'e2' })
      expect((await other.claim({ ...lease, endpoint: 'e2' })).map(({ id }) => id)).toEqual(['b'])
      await one.insert({ ...target('c'), endpoint: undefined })
      expect((await other.claim({ ...lease, limit: 1 })).map(({ id }) => id)).toEqual(['a'])
    })

    it('stores the progress, and ends the lease', async () => {
      const [one, other] = await createStores()
      await one.insert(target('a'))
      const [claimed] = await one.claim(lease)
      expect(await one.save(claimed ?? { id: '', revision: 0 }, 'one', progress, hour)).toBe(true)
      expect((await other.get('a'))?.progress).toEqual(progress)
      expect(await other.claim(lease)).toEqual([])
      expect(await other.change({ id: 'a' })).toBe(1)
      const again = await other.claim(lease)
      expect(again.map((one) => [one.id, one.revision, one.progress])).toEqual([['a', 1, progress]])
    })

    it('makes a subscription due that was changed during its lease', async () => {
      const [one, other] = await createStores()
      await one.insert(target('a'))
      const [claimed] = await one.claim(lease)
      const given = claimed ?? { id: '', revision: 0 }
      const changed = { parameters: { repository: 'acme/other' }, credential: undefined }
      expect(await other.change({ endpoint: 'e1' }, { isRemoving: true, target: changed })).toBe(1)
      await one.save(given, 'one', progress, hour)
      const [again] = await other.claim(lease)
      expect([again?.id, again?.isRemoving, again?.parameters, again?.credential]).toEqual([
        ...['a', true, changed.parameters, undefined],
      ])
      await other.change({ id: 'a' }, { isRemoving: false })
      expect(await other.delete(again ?? given, 'one')).toBe(false)
      const [last] = await one.claim(lease)
      expect(last?.isRemoving).toBe(false)
      expect([await one.delete(last ?? given, 'one'), await one.count()]).toEqual([true, 0])
    })

    it('lists and counts by order, position and filter', async () => {
      const [one, other] = await createStores()
      for (const [index, id] of ['a', 'b', 'c'].entries()) {
        await one.insert({ ...target(id), endpoint: `e${index}`, isDeclared: id === 'c' })
        await new Promise((resolve) => setTimeout(resolve, 3))
      }
      const list = async (query: Partial<Parameters<SubscriptionStore['list']>[0]>) =>
        (await other.list({ limit: 10, ...query })).map(({ id }) => id)
      expect(await list({})).toEqual(['c', 'b', 'a'])
      expect(await list({ order: 'oldest', offset: 1, limit: 1 })).toEqual(['b'])
      expect(await list({ order: 'oldest', after: await one.get('b') })).toEqual(['c'])
      expect(await list({ endpoints: ['e0', 'e1', 'none'] })).toEqual(['b', 'a'])
      expect([await list({ endpoints: [] }), await list({ service: 'shop' })]).toEqual([[], []])
      expect(await list({ isDeclared: true, service: 'codehost' })).toEqual(['c'])
      const [claimed] = await one.claim({ ...lease, limit: 1 })
      await one.save(claimed ?? { id: '', revision: 0 }, 'one', { ...progress, failures: 3 }, hour)
      expect([await list({ minFailures: 3 }), await list({ minFailures: 4 })]).toEqual([['a'], []])
      expect([await one.count(), await one.count({ minFailures: 1 })]).toEqual([3, 1])
    })
  })
}
