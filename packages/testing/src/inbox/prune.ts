import { createEvent } from '@sallyport/webhooks/testing'
import {
  claimAll,
  createDelivery,
  createQuarantinedDelivery,
  getDetail,
  pruneAll,
  settleAll,
} from '../records.ts'
import type { InboxContext } from './context.ts'

const day = 86_400_000

export function testPrune({ describe, test }: InboxContext): void {
  describe('prune', () => {
    test('deletes nothing by its age before the clock has run steadily', async ({
      inbox,
      now,
      advance,
      expect,
    }) => {
      const delivery = createDelivery(now(), 'doorbell:a')
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

    test('deletes published events after their retention and keys later', async ({
      inbox,
      now,
      advance,
      expect,
    }) => {
      await inbox.record(createDelivery(now(), { event: createEvent('doorbell:a', now()), notify: true }))
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
      expect((await inbox.record(createDelivery(now(), 'doorbell:a'))).events[0]?.duplicate).toBe(true)
      advance(75 * day - 1)
      expect((await pruneAll(inbox, bounds)).keys).toBe(0)
      advance(1)
      expect(await pruneAll(inbox, bounds)).toEqual({ events: 0, deliveries: 0, bodies: 0, keys: 1 })
      expect((await inbox.record(createDelivery(now(), 'doorbell:a'))).events[0]?.duplicate).toBe(false)
    })

    test('keeps unfinished work of any age', async ({ inbox, now, advance, expect }) => {
      const held = createDelivery(now(), 'doorbell:published', 'doorbell:dead')
      await inbox.record(held)
      const claimed = await claimAll(inbox)
      await inbox.settle(
        'publish',
        claimed.map(({ event: { id }, lease }) => {
          const isDead = id === 'doorbell:dead'
          return { id, lease, outcome: isDead ? { status: 'dead', error: 'x' } : { status: 'done' } }
        }),
      )
      await inbox.record(createDelivery(now(), 'doorbell:queued'))
      await settleAll(inbox, { status: 'queued', redeliverAfterMs: 1000 * day })
      await inbox.record(createDelivery(now(), { event: createEvent('doorbell:owing', now()), notify: true }))
      await settleAll(inbox)
      await inbox.record(createDelivery(now(), 'doorbell:pending'))
      await inbox.record(createQuarantinedDelivery(now()))
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
      expect((await getDetail(inbox, held)).events.map(({ event }) => event.id)).toEqual(['doorbell:dead'])
      const again = await inbox.record(
        createDelivery(now(), 'doorbell:dead', 'doorbell:owing', 'doorbell:queued'),
      )
      expect(again.events.map(({ duplicate }) => duplicate)).toEqual([true, true, true])
      const redelivered = createQuarantinedDelivery(now())
      expect((await inbox.record(redelivered)).events[0]?.duplicate).toBe(true)
    })

    test('deletes bodies by age and by total size', async ({ inbox, now, advance, expect }) => {
      const ids: string[] = []
      for (let index = 0; index < 6; index++) {
        // So few bytes are stored as they are.
        const delivery = {
          ...createDelivery(now(), `doorbell:${index}`),
          body: new Uint8Array(100).fill(index),
        }
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

    test('deletes in portions and reports whether more remain', async ({ inbox, now, advance, expect }) => {
      const ids = Array.from({ length: 25 }, (_, index) => `doorbell:${index}`)
      await Promise.all(ids.map((id) => inbox.record(createDelivery(now(), id))))
      await settleAll(inbox)
      advance(day)
      const bounds = { publishedForMs: day, bodiesForMs: day, keysForMs: day, limit: 10 }
      const portion = await inbox.prune(bounds)
      expect([portion.events, portion.deliveries, portion.more]).toEqual([10, 10, true])
      await pruneAll(inbox, bounds)
      expect(await inbox.countDeliveries({})).toBe(0)
      const again = await inbox.record(createDelivery(now(), ...ids))
      expect(again.events.every(({ duplicate }) => !duplicate)).toBe(true)
    })

    test('deletes erased and empty deliveries only within the given bounds', async (context) => {
      const { inbox, now, advance, expect } = context
      const erased = createQuarantinedDelivery(now(), 'doorbell:1')
      const resolved = createQuarantinedDelivery(now(), 'doorbell:2')
      for (const delivery of [erased, resolved]) await inbox.record(delivery)
      await inbox.eraseBody(erased.id)
      await inbox.resolve(resolved.id, [])
      advance(day)
      expect(await pruneAll(inbox, {})).toEqual({ events: 0, deliveries: 0, bodies: 0, keys: 0 })
      expect((await pruneAll(inbox, { publishedForMs: day })).deliveries).toBe(2)
      expect((await pruneAll(inbox, { keysForMs: day })).keys).toBe(2)
    })

    test('keeps a dead letter that was published recently', async ({ inbox, now, advance, expect }) => {
      const delivery = createDelivery(now(), 'doorbell:a')
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

export function testPrunePortions({ describe, test }: InboxContext): void {
  /** A body below the size for compression. */
  const body = (fill: number) => new Uint8Array(100).fill(fill)

  describe('prune', () => {
    test('reports remaining items per kind', async (context) => {
      const { inbox, now, advance, expect } = context
      const ids = ['doorbell:a', 'doorbell:b', 'doorbell:c']
      for (const id of ids) await inbox.record(createDelivery(now(), id))
      await settleAll(inbox)
      const quarantined = ids.map((key) => createQuarantinedDelivery(now(), key))
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
        // An inbox may report remaining items after the last portion.
        return counts.filter((count) => count > 0)
      }
      const inThree = [2, 2, 2]
      expect(await portions({ bodiesForMs: day })).toEqual(inThree)
      expect(await inbox.countDeliveries({})).toBe(6)
      await pruneAll(inbox, { publishedForMs: day })
      expect(await inbox.countDeliveries({})).toBe(0)
      expect(await portions({ keysForMs: day })).toEqual(inThree)
    })

    test('reports no remaining items when only dead letters are left', async (context) => {
      const { inbox, now, advance, expect } = context
      const limit = 2
      const dead = ['doorbell:a', 'doorbell:b', 'doorbell:c', 'doorbell:d']
      for (const id of dead) await inbox.record(createDelivery(now(), id))
      await settleAll(inbox, { status: 'dead', error: 'x' })
      for (const id of ['doorbell:e', 'doorbell:f']) await inbox.record(createDelivery(now(), id))
      await settleAll(inbox)
      advance(day)
      const bounds = { publishedForMs: day, bodiesForMs: day, keysForMs: day, limit }
      expect((await pruneAll(inbox, bounds)).deliveries).toBe(limit)
      expect(await pruneAll(inbox, bounds)).toEqual({ events: 0, deliveries: 0, bodies: 0, keys: 0 })
      expect(await inbox.known(dead)).toEqual([true, true, true, true])
    })

    test('says that there may be more of what was resolved to nothing', async (context) => {
      const { inbox, now, advance, expect } = context
      for (const key of ['doorbell:1', 'doorbell:2', 'doorbell:3']) {
        const delivery = createQuarantinedDelivery(now(), key)
        await inbox.record(delivery)
        await inbox.resolve(delivery.id, [])
      }
      advance(day)
      const { deliveries, more } = await inbox.prune({ publishedForMs: day, limit: 2 })
      expect([deliveries, more]).toEqual([2, true])
      expect((await pruneAll(inbox, { publishedForMs: day })).deliveries).toBe(1)
    })

    test('counts a key for each name that an event had', async ({ inbox, now, advance, expect }) => {
      const delivery = createDelivery(now(), 'doorbell:a')
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

    test('reports remaining items after an event with two keys', async (context) => {
      const { inbox, now, advance, expect } = context
      const delivery = createDelivery(now(), 'doorbell:a')
      await inbox.record(delivery)
      await settleAll(inbox, { status: 'dead', error: 'x' })
      await inbox.replay({ ids: [delivery.id] }, { asNew: true })
      for (const id of ['doorbell:b', 'doorbell:c']) await inbox.record(createDelivery(now(), id))
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
      const delivery = createQuarantinedDelivery(now())
      await inbox.record(delivery)
      await inbox.resolve(delivery.id, createDelivery(now(), 'doorbell:a').events)
      await settleAll(inbox)
      advance(day)
      const { events, deliveries } = await inbox.prune({ publishedForMs: day })
      expect([events, deliveries]).toEqual([1, 1])
      expect(await inbox.countDeliveries({})).toBe(0)
    })

    test('deletes the body of a resolved delivery after publication', async (context) => {
      const { inbox, now, advance, expect } = context
      const delivery = createQuarantinedDelivery(now())
      await inbox.record(delivery)
      await inbox.resolve(delivery.id, createDelivery(now(), 'doorbell:a').events)
      advance(day)
      expect((await pruneAll(inbox, { bodiesForMs: day })).bodies).toBe(0)
      await settleAll(inbox)
      expect((await pruneAll(inbox, { bodiesForMs: day })).bodies).toBe(1)
      expect((await getDetail(inbox, delivery)).bodyState).toBe('pruned')
    })

    test('counts only the bytes of stored bodies', async ({ inbox, now, expect }) => {
      const record = async (fill: number) => {
        const delivery = { ...createDelivery(now(), `doorbell:${fill}`), body: body(fill) }
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
