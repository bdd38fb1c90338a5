import type { DeliveryRecord } from '@sallyport/webhooks'
import { createEvent } from '@sallyport/webhooks/testing'
import {
  claimAll,
  createDelivery,
  createQuarantinedDelivery,
  getDetail,
  listEventIds,
  settleAll,
} from '../records.ts'
import type { InboxContext } from './context.ts'

export function testResolve({ describe, test }: InboxContext): void {
  /** Creates the events of a delivery from a corrected normalizer. */
  const eventsFor = ({ id }: DeliveryRecord, now: number, ...ids: readonly string[]) =>
    createDelivery(now, ...ids).events.map(({ event, ...record }) => ({
      ...record,
      event: { ...event, source: { ...event.source, deliveryId: id } },
    }))

  describe('resolve', () => {
    test('stores the events of a quarantined delivery', async ({ inbox, now, advance, expect }) => {
      const delivery = createQuarantinedDelivery(now())
      await inbox.record(delivery)
      const events = eventsFor(delivery, now(), 'doorbell:a', 'doorbell:b')
      advance(1000)
      expect(await inbox.resolve(delivery.id, events)).toEqual({
        events: [
          { id: 'doorbell:a', duplicate: false },
          { id: 'doorbell:b', duplicate: false },
        ],
      })
      const { status, reason, bodyState } = await getDetail(inbox, delivery)
      expect([status, reason, bodyState]).toEqual(['pending', undefined, 'stored'])
      expect(await inbox.countDeliveries({ status: 'quarantined' })).toBe(0)
      const claimed = await claimAll(inbox)
      expect(claimed.map(({ event }) => event)).toEqual(events.map(({ event }) => event))
      expect(claimed[0]?.since).toBe(now())
    })

    test('grants leases like record', async ({ inbox, now, expect }) => {
      const delivery = createQuarantinedDelivery(now())
      await inbox.record(delivery)
      const events = eventsFor(delivery, now(), 'doorbell:a')
      const result = await inbox.resolve(delivery.id, events, { leaseMs: 1000 })
      expect(await claimAll(inbox)).toEqual([])
      const lease = result?.events[0]?.lease ?? ''
      const settlement = { id: 'doorbell:a', lease, outcome: { status: 'done' } } as const
      expect(await inbox.settle('publish', [settlement])).toEqual([true])
    })

    test('makes later redeliveries duplicates', async ({ inbox, now, expect }) => {
      const delivery = createQuarantinedDelivery(now())
      await inbox.record(delivery)
      await inbox.resolve(delivery.id, eventsFor(delivery, now(), 'doorbell:a'))
      expect((await inbox.record(createDelivery(now(), 'doorbell:a'))).events[0]?.duplicate).toBe(true)
      expect((await inbox.record(createQuarantinedDelivery(now()))).events[0]?.duplicate).toBe(true)
      expect(await inbox.countDeliveries({})).toBe(1)
    })

    test('succeeds for one of many concurrent calls', async ({ inbox, now, reopen, expect }) => {
      const delivery = createQuarantinedDelivery(now())
      await inbox.record(delivery)
      const inboxes = [inbox, await reopen()]
      const results = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          (inboxes[index % 2] ?? inbox).resolve(delivery.id, eventsFor(delivery, now(), 'doorbell:a')),
        ),
      )
      expect(results.filter((result) => result !== undefined).length).toBe(1)
      expect(listEventIds(await claimAll(inbox))).toEqual(['doorbell:a'])
    })

    test('returns undefined for a delivery that is not quarantined', async ({ inbox, now, expect }) => {
      const delivery = createDelivery(now(), 'doorbell:a')
      await inbox.record(delivery)
      expect(await inbox.resolve(delivery.id, eventsFor(delivery, now(), 'doorbell:b'))).toBe(undefined)
      expect(await inbox.resolve('nobody', [])).toBe(undefined)
      expect(listEventIds(await claimAll(inbox))).toEqual(['doorbell:a'])
    })

    test('makes the delivery replayable', async ({ inbox, now, expect }) => {
      const delivery = createQuarantinedDelivery(now())
      await inbox.record(delivery)
      await inbox.resolve(delivery.id, eventsFor(delivery, now(), 'doorbell:a'))
      await settleAll(inbox)
      expect(await inbox.replay({ ids: [delivery.id] })).toEqual({
        deliveries: [{ id: delivery.id, outcome: 'replayed', events: ['doorbell:a'], republished: 1 }],
      })
    })

    test('accepts no events and duplicates', async ({ inbox, now, expect }) => {
      const empty = createQuarantinedDelivery(now())
      await inbox.record(empty)
      expect(await inbox.resolve(empty.id, [])).toEqual({ events: [] })
      const known = createQuarantinedDelivery(now(), 'doorbell:sha256:01')
      await inbox.record(known)
      await inbox.record(createDelivery(now(), { event: createEvent('doorbell:a', now()) }))
      await settleAll(inbox, { status: 'dead', error: 'x' })
      const again = eventsFor(known, now(), 'doorbell:a')
      expect(await inbox.resolve(known.id, again)).toEqual({
        events: [{ id: 'doorbell:a', duplicate: true }],
      })
      expect(listEventIds(await claimAll(inbox))).toEqual(['doorbell:a'])
      expect((await inbox.list({ status: 'published', limit: 9 })).map(({ id }) => id)).toEqual([
        known.id,
        empty.id,
      ])
    })
  })
}
