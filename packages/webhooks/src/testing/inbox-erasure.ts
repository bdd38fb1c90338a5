import type { DeliveryRecord } from '../ports.ts'
import {
  claimAll,
  deliveryOf,
  detailOf,
  eventOf,
  pruneAll,
  settleAll,
  type InboxContext,
} from './inbox-context.ts'

const day = 86_400_000

export function testErasure({ describe, test }: InboxContext): void {
  describe('eraseBody', () => {
    test('leaves nothing of what a delivery said', async ({ inbox, now, expect }) => {
      const delivery = deliveryOf(now(), 'doorbell:a', { event: eventOf('doorbell:b', now()), notify: true })
      await inbox.record(delivery)
      await settleAll(inbox)
      await settleAll(inbox, { status: 'done' }, 'notify')
      expect(await inbox.eraseBody(delivery.id)).toBe(true)
      const detail = await detailOf(inbox, delivery)
      expect([detail.status, detail.bodyState, detail.body, detail.headers]).toEqual([
        'published',
        'erased',
        undefined,
        {},
      ])
      expect(detail.events.map(({ event }) => [event.id, event.subject, event.data])).toEqual([
        ['doorbell:a', 'front', undefined],
        ['doorbell:b', 'front', undefined],
      ])
      const published = await inbox.published({ limit: 10 })
      expect(published.map(({ event }) => [event.id, event.data])).toEqual([
        ['doorbell:a', undefined],
        ['doorbell:b', undefined],
      ])
      expect(await inbox.eraseBody(delivery.id)).toBe(true)
      expect((await inbox.record(deliveryOf(now(), 'doorbell:a'))).events[0]?.duplicate).toBe(true)
    })

    test('refuses while the data is needed, and erases nothing then', async ({ inbox, now, expect }) => {
      const event = eventOf('doorbell:a', now())
      const delivery = deliveryOf(now(), { event, notify: true }, 'doorbell:b')
      await inbox.record(delivery)
      const refusal = () =>
        inbox.eraseBody(delivery.id).then(
          () => 'none',
          (error: unknown) => (error as { code?: unknown }).code,
        )
      expect(await refusal()).toBe('CONFLICT')
      await settleAll(inbox, { status: 'queued', redeliverAfterMs: 60_000 })
      expect(await refusal()).toBe('CONFLICT')
      await inbox.forwarded(['doorbell:a', 'doorbell:b'])
      expect(await refusal()).toBe('CONFLICT')
      const { body, headers, events } = await detailOf(inbox, delivery)
      expect([body?.byteLength, headers, events[1]?.event.data]).toEqual([
        delivery.body.byteLength,
        delivery.headers,
        event.data,
      ])
      await settleAll(inbox, { status: 'done' }, 'notify')
      expect(await refusal()).toBe('none')
    })

    test('leaves a dead letter published once the shared queue has brought it all the same', async (context) => {
      const { inbox, now, expect } = context
      const delivery = deliveryOf(now(), { event: eventOf('doorbell:a', now()), notify: true })
      await inbox.record(delivery)
      await settleAll(inbox, { status: 'dead', error: 'x' })
      await inbox.eraseBody(delivery.id)
      expect(await inbox.forwarded(['doorbell:a'])).toEqual([true])
      expect((await detailOf(inbox, delivery)).status).toBe('published')
      // What a message would tell is gone.
      expect(await claimAll(inbox, 'notify')).toEqual([])
      expect((await inbox.record(deliveryOf(now(), 'doorbell:a'))).events[0]?.duplicate).toBe(true)
    })

    test('leaves a failed replay of what was published as that', async ({ inbox, now, expect }) => {
      // It once went from what was published, or stayed there with its data.
      const delivery = deliveryOf(now(), 'doorbell:a')
      await inbox.record(delivery)
      await settleAll(inbox)
      await inbox.replay({ ids: [delivery.id] })
      await settleAll(inbox, { status: 'dead', error: 'x' })
      await inbox.eraseBody(delivery.id)
      expect((await detailOf(inbox, delivery)).status).toBe('published')
      const published = await inbox.published({ limit: 9 })
      expect(published.map(({ event }) => [event.id, event.data])).toEqual([['doorbell:a', undefined]])
      expect((await inbox.record(deliveryOf(now(), 'doorbell:a'))).events[0]?.duplicate).toBe(true)
    })

    test('tells what nobody has', async ({ inbox, expect }) => {
      expect(await inbox.eraseBody('nobody')).toBe(false)
    })
  })

  describe('a quarantined delivery that was erased', () => {
    const quarantined = (now: number): DeliveryRecord => ({
      ...deliveryOf(now),
      quarantine: { key: 'doorbell:q', reason: 'X' },
    })

    test('cannot be resolved any more', async ({ inbox, now, expect }) => {
      const delivery = quarantined(now())
      await inbox.record(delivery)
      expect(await inbox.eraseBody(delivery.id)).toBe(true)
      expect((await detailOf(inbox, delivery)).status).toBe('quarantined')
      expect(await inbox.resolve(delivery.id, deliveryOf(now(), 'doorbell:a').events)).toBe(undefined)
      expect(await claimAll(inbox)).toEqual([])
    })

    test('is kept again when it comes again, once', async ({ inbox, now, advance, reopen, expect }) => {
      // It was once told as quarantined, and kept nowhere.
      const inboxes = [inbox, await reopen()]
      const recordMany = async () => {
        const deliveries = Array.from({ length: 6 }, () => quarantined(now()))
        const results = await Promise.all(
          deliveries.map((one, index) => (inboxes[index % 2] ?? inbox).record(one)),
        )
        const kept = deliveries.filter((_, index) => results[index]?.events[0]?.duplicate === false)
        expect(kept.length).toBe(1)
        const [delivery = quarantined(now())] = kept
        const { status, bodyState, body } = await detailOf(inbox, delivery)
        expect([status, bodyState, body]).toEqual(['quarantined', 'stored', delivery.body])
        expect((await inbox.record(quarantined(now()))).events[0]?.duplicate).toBe(true)
        return delivery
      }
      await inbox.eraseBody((await recordMany()).id)
      await inbox.eraseBody((await recordMany()).id)
      advance(14 * day)
      await pruneAll(inbox, { publishedForMs: 14 * day, keysForMs: 90 * day })
      expect(await inbox.countDeliveries({})).toBe(0)
      const delivery = await recordMany()
      expect((await inbox.list({ status: 'quarantined', limit: 9 })).map(({ id }) => id)).toEqual([
        delivery.id,
      ])
      const { events } = deliveryOf(now(), 'doorbell:a')
      expect(await inbox.resolve(delivery.id, events)).toEqual({
        events: [{ id: 'doorbell:a', duplicate: false }],
      })
    })
  })
}
