import {
  claimAll,
  deliveryOf,
  detailOf,
  eventOf,
  idsOf,
  pruneAll,
  settleAll,
  type InboxContext,
} from './inbox-context.ts'

const day = 86_400_000
const dead = { status: 'dead', error: 'x' } as const

export function testDiscarded({ describe, test }: InboxContext): void {
  describe('what was erased before anything was made of it', () => {
    test('stays a dead letter, that nothing replays and nobody counts any more', async (context) => {
      const { inbox, now, expect } = context
      const delivery = deliveryOf(now(), { event: eventOf('doorbell:a', now()), notify: true })
      await inbox.record(delivery)
      await settleAll(inbox, dead)
      expect(await inbox.eraseBody(delivery.id)).toBe(true)
      // It was once shown as published, which it never was.
      const { status, bodyState, body, headers, events } = await detailOf(inbox, delivery)
      expect([status, bodyState, body, headers]).toEqual(['dead', 'erased', undefined, {}])
      expect(events.map((one) => [one.event.id, one.event.data, one.status, one.notification])).toEqual([
        ['doorbell:a', undefined, 'dead', undefined],
      ])
      for (const [of, count] of [
        ['dead', 1],
        ['published', 0],
      ] as const) {
        expect(await inbox.countDeliveries({ status: of })).toBe(count)
        expect((await inbox.list({ status: of, limit: 9 })).length).toBe(count)
      }
      expect((await inbox.stats()).events.dead).toBe(0)
      const erased = { deliveries: [{ id: delivery.id, outcome: 'erased', events: [] }] }
      for (const asNew of [false, true]) {
        expect(await inbox.replay({ ids: [delivery.id] }, { asNew })).toEqual(erased)
        expect(await inbox.replay({ filter: { status: 'dead' }, limit: 9 }, { asNew })).toEqual(erased)
      }
      expect(await claimAll(inbox)).toEqual([])
      expect(await inbox.eraseBody(delivery.id)).toBe(true)
    })

    test('is new when it comes again, under the same key and with its new data', async (context) => {
      // It was once a duplicate that nothing published.
      const { inbox, now, advance, expect } = context
      const first = deliveryOf(now(), 'doorbell:a', 'doorbell:b')
      await inbox.record(first)
      const [a, b] = await claimAll(inbox)
      await inbox.settle('publish', [
        { id: 'doorbell:a', lease: a?.lease ?? '', outcome: dead },
        { id: 'doorbell:b', lease: b?.lease ?? '', outcome: { status: 'done' } },
      ])
      await inbox.eraseBody(first.id)
      expect(await inbox.known(['doorbell:a', 'doorbell:b'])).toEqual([false, true])
      advance(1000)
      const event = eventOf('doorbell:a', now(), { data: { door: 'back' } })
      const second = deliveryOf(now(), { event, notify: true }, 'doorbell:b', { event })
      const { events } = await inbox.record(second, { leaseMs: 1000 })
      expect(events.map(({ id, duplicate }) => [id, duplicate])).toEqual([
        ['doorbell:a', false],
        ['doorbell:b', true],
        ['doorbell:a', true],
      ])
      expect(await inbox.known(['doorbell:a'])).toEqual([true])
      const { status, bodyState, events: own } = await detailOf(inbox, second)
      expect([status, bodyState, own.length]).toEqual(['pending', 'stored', 1])
      expect(await claimAll(inbox)).toEqual([])
      advance(1000)
      const claimed = await claimAll(inbox)
      expect(claimed.map((one) => [one.event.id, one.event.data, one.event.source.deliveryId])).toEqual([
        ['doorbell:a', { door: 'back' }, second.id],
      ])
      const lease = claimed[0]?.lease ?? ''
      await inbox.settle('publish', [{ id: 'doorbell:a', lease, outcome: { status: 'done' } }])
      expect(idsOf(await claimAll(inbox, 'notify'))).toEqual(['doorbell:a'])
      expect(idsOf(await inbox.published({ limit: 9 }))).toEqual(['doorbell:b', 'doorbell:a'])
      expect((await inbox.record(deliveryOf(now(), 'doorbell:a'))).events[0]?.duplicate).toBe(true)
    })

    test('is new once, of many at the same time, and never lost to an erasure', async (context) => {
      const { inbox, now, reopen, expect } = context
      const inboxes = [inbox, await reopen()]
      const first = deliveryOf(now(), 'doorbell:a')
      await inbox.record(first)
      await settleAll(inbox, dead)
      const [results] = await Promise.all([
        Promise.all(
          Array.from({ length: 8 }, (_, index) =>
            (inboxes[index % 2] ?? inbox).record(deliveryOf(now(), 'doorbell:a')),
          ),
        ),
        inbox.eraseBody(first.id).catch(() => undefined),
      ])
      // None where one has revived it before.
      const fresh = results.filter(({ events }) => events[0]?.duplicate === false)
      expect(fresh.length <= 1).toBe(true)
      expect((await claimAll(inbox)).map(({ event }) => [event.id, event.data])).toEqual([
        ['doorbell:a', { door: 'front' }],
      ])
      await settleAll(inbox)
    })

    test('comes again as what a quarantined delivery is resolved to', async ({ inbox, now, expect }) => {
      const first = deliveryOf(now(), 'doorbell:a')
      await inbox.record(first)
      await settleAll(inbox, dead)
      await inbox.eraseBody(first.id)
      const delivery = { ...deliveryOf(now()), quarantine: { key: 'doorbell:q', reason: 'X' } }
      await inbox.record(delivery)
      const { events } = deliveryOf(now(), 'doorbell:a')
      expect((await inbox.resolve(delivery.id, events))?.events[0]?.duplicate).toBe(false)
      expect((await detailOf(inbox, delivery)).status).toBe('pending')
      expect(idsOf(await claimAll(inbox))).toEqual(['doorbell:a'])
    })

    test('goes with its key', async ({ inbox, now, advance, expect }) => {
      const delivery = deliveryOf(now(), 'doorbell:a')
      await inbox.record(delivery)
      await settleAll(inbox, dead)
      await inbox.eraseBody(delivery.id)
      const bounds = { publishedForMs: 14 * day, bodiesForMs: day, keysForMs: 90 * day }
      const nothing = { events: 0, deliveries: 0, bodies: 0, keys: 0 }
      advance(90 * day - 1)
      expect(await pruneAll(inbox, bounds)).toEqual(nothing)
      expect((await detailOf(inbox, delivery)).status).toBe('dead')
      advance(1)
      expect(await pruneAll(inbox, bounds)).toEqual({ ...nothing, events: 1, deliveries: 1, keys: 1 })
      expect(await inbox.list({ limit: 9 })).toEqual([])
    })
  })
}
