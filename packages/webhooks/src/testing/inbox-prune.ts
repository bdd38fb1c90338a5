import {
  claimAll,
  deliveryOf,
  detailOf,
  eventOf,
  pruneAll,
  quarantinedOf,
  settleAll,
  type InboxContext,
} from './inbox-context.ts'

const day = 86_400_000

export function testPrune({ describe, test }: InboxContext): void {
  describe('prune', () => {
    test('deletes nothing by its age before the clock has run steadily', async ({
      inbox,
      now,
      advance,
      expect,
    }) => {
      const delivery = deliveryOf(now(), 'doorbell:a')
      await inbox.record(delivery)
      await settleAll(inbox)
      const bounds = { publishedForMs: day, bodiesForMs: day, keysForMs: day, steadyForMs: 600_000 }
      await inbox.prune(bounds)
      advance(100 * day)
      const kept = { events: 0, deliveries: 0, bodies: 0, keys: 0 }
      expect(await pruneAll(inbox, bounds)).toEqual(kept)
      expect(await pruneAll(inbox, { ...bounds, bodyBytes: 0 })).toEqual({ ...kept, bodies: 1 })
      expect(await pruneAll(inbox, { ...bounds, steadyForMs: 0 })).toEqual({
        events: 1,
        deliveries: 1,
        bodies: 0,
        keys: 1,
      })
    })

    test('deletes what was published long enough ago, and its key later', async ({
      inbox,
      now,
      advance,
      expect,
    }) => {
      await inbox.record(deliveryOf(now(), { event: eventOf('doorbell:a', now()), notify: true }))
      advance(day)
      await settleAll(inbox)
      await settleAll(inbox, { status: 'done' }, 'notify')
      advance(14 * day - 1)
      const bounds = { publishedForMs: 14 * day, keysForMs: 90 * day }
      expect(await pruneAll(inbox, bounds)).toEqual({ events: 0, deliveries: 0, bodies: 0, keys: 0 })
      advance(1)
      expect(await pruneAll(inbox, bounds)).toEqual({ events: 1, deliveries: 1, bodies: 0, keys: 0 })
      expect(await inbox.list({ limit: 10 })).toEqual([])
      expect(await inbox.published({ limit: 10 })).toEqual([])
      expect((await inbox.record(deliveryOf(now(), 'doorbell:a'))).events[0]?.duplicate).toBe(true)
      advance(75 * day - 1)
      expect((await pruneAll(inbox, bounds)).keys).toBe(0)
      advance(1)
      expect(await pruneAll(inbox, bounds)).toEqual({ events: 0, deliveries: 0, bodies: 0, keys: 1 })
      expect((await inbox.record(deliveryOf(now(), 'doorbell:a'))).events[0]?.duplicate).toBe(false)
    })

    test('spares whatever has not ended, however old it is', async ({ inbox, now, advance, expect }) => {
      const held = deliveryOf(now(), 'doorbell:published', 'doorbell:dead')
      await inbox.record(held)
      const claimed = await claimAll(inbox)
      await inbox.settle(
        'publish',
        claimed.map(({ event: { id }, lease }) => {
          const isDead = id === 'doorbell:dead'
          return { id, lease, outcome: isDead ? { status: 'dead', error: 'x' } : { status: 'done' } }
        }),
      )
      await inbox.record(deliveryOf(now(), 'doorbell:queued'))
      await settleAll(inbox, { status: 'queued', redeliverAfterMs: 1000 * day })
      await inbox.record(deliveryOf(now(), { event: eventOf('doorbell:owing', now()), notify: true }))
      await settleAll(inbox)
      await inbox.record(deliveryOf(now(), 'doorbell:pending'))
      await inbox.record(quarantinedOf(now()))
      advance(1000 * day)
      const bounds = { publishedForMs: day, bodiesForMs: day, bodyBytes: 0, keysForMs: day }
      const { events, deliveries, bodies, keys } = await pruneAll(inbox, bounds)
      // Of the delivery with a dead event, the one that is published; the body of the one that only owes a message.
      expect({ events, deliveries, bodies, keys }).toEqual({ events: 1, deliveries: 0, bodies: 1, keys: 1 })
      const left = await inbox.list({ limit: 10 })
      expect(left.map(({ status, bodyState }) => [status, bodyState]).sort()).toEqual([
        ['dead', 'stored'],
        ['pending', 'stored'],
        ['published', 'pruned'],
        ['quarantined', 'stored'],
        ['queued', 'stored'],
      ])
      expect((await detailOf(inbox, held)).events.map(({ event }) => event.id)).toEqual(['doorbell:dead'])
      const again = await inbox.record(
        deliveryOf(now(), 'doorbell:dead', 'doorbell:owing', 'doorbell:queued'),
      )
      expect(again.events.map(({ duplicate }) => duplicate)).toEqual([true, true, true])
      const redelivered = quarantinedOf(now())
      expect((await inbox.record(redelivered)).events[0]?.duplicate).toBe(true)
    })

    test('deletes old bodies, and the oldest beyond so many bytes', async ({
      inbox,
      now,
      advance,
      expect,
    }) => {
      const ids: string[] = []
      for (let index = 0; index < 6; index++) {
        // So few bytes are stored as they are.
        const delivery = { ...deliveryOf(now(), `doorbell:${index}`), body: new Uint8Array(100).fill(index) }
        await inbox.record(delivery)
        ids.push(delivery.id)
        await settleAll(inbox)
        advance(day)
      }
      const states = async () =>
        (await inbox.list({ order: 'oldest', limit: 10 })).map(({ bodyState }) => bodyState)
      expect((await pruneAll(inbox, { bodiesForMs: 5 * day })).bodies).toBe(2)
      expect(await states()).toEqual(['pruned', 'pruned', 'stored', 'stored', 'stored', 'stored'])
      expect((await pruneAll(inbox, { bodyBytes: 400 })).bodies).toBe(0)
      expect((await pruneAll(inbox, { bodyBytes: 399, limit: 1 })).bodies).toBe(1)
      expect((await pruneAll(inbox, { bodyBytes: 200 })).bodies).toBe(1)
      expect(await states()).toEqual(['pruned', 'pruned', 'pruned', 'pruned', 'stored', 'stored'])
      const pruned = await inbox.get(ids[0] ?? '')
      expect([pruned?.body, pruned?.bodyState, pruned?.bodyBytes]).toEqual([undefined, 'pruned', 100])
      expect(await inbox.countPublished({})).toBe(6)
    })

    test('works in portions, and says whether there may be more', async ({ inbox, now, advance, expect }) => {
      const ids = Array.from({ length: 25 }, (_, index) => `doorbell:${index}`)
      await Promise.all(ids.map((id) => inbox.record(deliveryOf(now(), id))))
      await settleAll(inbox)
      advance(day)
      const bounds = { publishedForMs: day, bodiesForMs: day, keysForMs: day, limit: 10 }
      const portion = await inbox.prune(bounds)
      expect([portion.events, portion.deliveries, portion.more]).toEqual([10, 10, true])
      await pruneAll(inbox, bounds)
      expect(await inbox.countDeliveries({})).toBe(0)
      const again = await inbox.record(deliveryOf(now(), ...ids))
      expect(again.events.every(({ duplicate }) => !duplicate)).toBe(true)
    })

    test('deletes what was erased or resolved to nothing, and nothing that was not asked for', async (context) => {
      const { inbox, now, advance, expect } = context
      const erased = quarantinedOf(now(), 'doorbell:1')
      const resolved = quarantinedOf(now(), 'doorbell:2')
      for (const delivery of [erased, resolved]) await inbox.record(delivery)
      await inbox.eraseBody(erased.id)
      await inbox.resolve(resolved.id, [])
      advance(day)
      expect(await pruneAll(inbox, {})).toEqual({ events: 0, deliveries: 0, bodies: 0, keys: 0 })
      expect((await pruneAll(inbox, { publishedForMs: day })).deliveries).toBe(2)
      expect((await pruneAll(inbox, { keysForMs: day })).keys).toBe(2)
    })

    test('keeps a dead letter that was just published at last', async ({ inbox, now, advance, expect }) => {
      const delivery = deliveryOf(now(), 'doorbell:a')
      await inbox.record(delivery)
      await settleAll(inbox, { status: 'dead', error: 'x' })
      advance(20 * day)
      await inbox.replay({ ids: [delivery.id] })
      await settleAll(inbox)
      expect((await pruneAll(inbox, { publishedForMs: 14 * day })).events).toBe(0)
      expect((await inbox.published({ limit: 1 })).length).toBe(1)
    })
  })
}
