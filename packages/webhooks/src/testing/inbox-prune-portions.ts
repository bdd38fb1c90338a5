import {
  deliveryOf,
  detailOf,
  pruneAll,
  quarantinedOf,
  settleAll,
  type InboxContext,
} from './inbox-context.ts'

const day = 86_400_000

export function testPrunePortions({ describe, test }: InboxContext): void {
  /** So few bytes are stored as they are. */
  const body = (fill: number) => new Uint8Array(100).fill(fill)

  describe('prune', () => {
    test('says that there may be more of each kind of things, by itself', async (context) => {
      const { inbox, now, advance, expect } = context
      const ids = ['doorbell:a', 'doorbell:b', 'doorbell:c']
      for (const id of ids) await inbox.record(deliveryOf(now(), id))
      await settleAll(inbox)
      const quarantined = ids.map((key) => quarantinedOf(now(), key))
      for (const delivery of quarantined) await inbox.record(delivery)
      for (const { id } of quarantined) await inbox.resolve(id, [])
      advance(day)
      const portions = async (options: Parameters<typeof inbox.prune>[0]) => {
        const counts: number[] = []
        for (let more = true; more && counts.length < 10;) {
          const { more: left, ...portion } = await inbox.prune({ ...options, limit: 2 })
          more = left
          counts.push(Object.values(portion).reduce((total, count) => total + count, 0))
        }
        // Whoever cannot tell whether the last portion was one asks for another, and gets nothing.
        return counts.filter((count) => count > 0)
      }
      const inThree = [2, 2, 2]
      expect(await portions({ bodiesForMs: day })).toEqual(inThree)
      expect(await inbox.countDeliveries({})).toBe(6)
      await pruneAll(inbox, { publishedForMs: day })
      expect(await inbox.countDeliveries({})).toBe(0)
      expect(await portions({ keysForMs: day })).toEqual(inThree)
    })

    test('says that there may be more of what was resolved to nothing', async (context) => {
      const { inbox, now, advance, expect } = context
      for (const key of ['doorbell:1', 'doorbell:2', 'doorbell:3']) {
        const delivery = quarantinedOf(now(), key)
        await inbox.record(delivery)
        await inbox.resolve(delivery.id, [])
      }
      advance(day)
      const { deliveries, more } = await inbox.prune({ publishedForMs: day, limit: 2 })
      expect([deliveries, more]).toEqual([2, true])
      expect((await pruneAll(inbox, { publishedForMs: day })).deliveries).toBe(1)
    })

    test('counts a key for each name that an event had', async ({ inbox, now, advance, expect }) => {
      const delivery = deliveryOf(now(), 'doorbell:a')
      await inbox.record(delivery)
      await settleAll(inbox, { status: 'dead', error: 'x' })
      await inbox.replay({ ids: [delivery.id] }, { asNew: true })
      await settleAll(inbox)
      advance(day)
      await pruneAll(inbox, { publishedForMs: day })
      expect(await inbox.known(['doorbell:a'])).toEqual([true])
      expect((await pruneAll(inbox, { keysForMs: day })).keys).toBe(2)
      expect(await inbox.known(['doorbell:a'])).toEqual([false])
    })

    test('says that there may be more behind an event that has two names', async (context) => {
      const { inbox, now, advance, expect } = context
      const delivery = deliveryOf(now(), 'doorbell:a')
      await inbox.record(delivery)
      await settleAll(inbox, { status: 'dead', error: 'x' })
      await inbox.replay({ ids: [delivery.id] }, { asNew: true })
      for (const id of ['doorbell:b', 'doorbell:c']) await inbox.record(deliveryOf(now(), id))
      await settleAll(inbox)
      advance(day)
      const { events, more } = await inbox.prune({ publishedForMs: day, limit: 2 })
      expect([events, more]).toEqual([2, true])
      await pruneAll(inbox, { publishedForMs: day })
      expect(await inbox.countDeliveries({})).toBe(0)
      expect((await inbox.prune({ keysForMs: day, limit: 2 })).more).toBe(true)
      await pruneAll(inbox, { keysForMs: day })
      const names = ['doorbell:a', 'doorbell:b', 'doorbell:c']
      expect(await inbox.known(names)).toEqual([false, false, false])
    })

    test('takes a delivery that was quarantined once with the last of its events', async (context) => {
      const { inbox, now, advance, expect } = context
      const delivery = quarantinedOf(now())
      await inbox.record(delivery)
      await inbox.resolve(delivery.id, deliveryOf(now(), 'doorbell:a').events)
      await settleAll(inbox)
      advance(day)
      const { events, deliveries } = await inbox.prune({ publishedForMs: day })
      expect([events, deliveries]).toEqual([1, 1])
      expect(await inbox.countDeliveries({})).toBe(0)
    })

    test('drops the body of what was quarantined once and is published now', async (context) => {
      const { inbox, now, advance, expect } = context
      const delivery = quarantinedOf(now())
      await inbox.record(delivery)
      await inbox.resolve(delivery.id, deliveryOf(now(), 'doorbell:a').events)
      advance(day)
      expect((await pruneAll(inbox, { bodiesForMs: day })).bodies).toBe(0)
      await settleAll(inbox)
      expect((await pruneAll(inbox, { bodiesForMs: day })).bodies).toBe(1)
      expect((await detailOf(inbox, delivery)).bodyState).toBe('pruned')
    })

    test('counts the bytes of those bodies only that are there', async ({ inbox, now, expect }) => {
      const record = async (fill: number) => {
        const delivery = { ...deliveryOf(now(), `doorbell:${fill}`), body: body(fill) }
        await inbox.record(delivery)
        await settleAll(inbox)
        return delivery
      }
      const erased = await record(1)
      expect((await pruneAll(inbox, { bodyBytes: 0 })).bodies).toBe(1)
      await inbox.eraseBody(erased.id)
      await record(2)
      expect((await pruneAll(inbox, { bodyBytes: 100 })).bodies).toBe(0)
      expect((await pruneAll(inbox, { bodyBytes: 99 })).bodies).toBe(1)
      await record(3)
      // Their bodies go with the deliveries.
      expect((await pruneAll(inbox, { publishedForMs: 0 })).deliveries).toBe(3)
      await record(4)
      expect((await pruneAll(inbox, { bodyBytes: 100 })).bodies).toBe(0)
    })
  })
}
