import type { DeliveryPosition } from '@sallyport/webhooks'
import { createEvent } from '@sallyport/webhooks/testing'
import {
  claimAll,
  createDelivery,
  createQuarantinedDelivery,
  getDetail,
  settleAll,
  withEndpoint,
} from '../records.ts'
import type { InboxContext } from './context.ts'
import { done, inLane, ordered, testLane } from './lane-context.ts'

export function testErasureByFilter({ describe, test }: InboxContext): void {
  describe('erase', () => {
    test('cancels pending events and erases the deliveries that match', async (context) => {
      const { inbox, now, expect } = context
      const delivery = withEndpoint('acme', createDelivery(now(), 'doorbell:a'))
      await inbox.record(delivery)
      await inbox.record(withEndpoint('other', createDelivery(now(), 'doorbell:b')))
      const selection = { filter: { endpoint: 'acme' }, limit: 10 }
      expect(await inbox.erase(selection)).toEqual({ deliveries: 1, cancelled: 1, busy: 0 })
      expect((await claimAll(inbox)).map(({ event }) => event.id)).toEqual(['doorbell:b'])
      const { bodyState, body, headers, events } = await getDetail(inbox, delivery)
      expect([bodyState, body, headers, events]).toEqual(['erased', undefined, {}, []])
      expect((await inbox.record(createDelivery(now(), 'doorbell:a'))).events[0]?.duplicate).toBe(true)
      expect(await inbox.erase(selection)).toEqual({ deliveries: 0, cancelled: 0, busy: 0 })
    })

    test('removes the subjects and the errors of published events, and cancels notifications', async (context) => {
      const { inbox, now, expect } = context
      const delivery = createDelivery(now(), { event: createEvent('doorbell:a', now()), notify: true })
      await inbox.record(delivery)
      await settleAll(inbox, { status: 'retry', afterMs: 0, error: 'front is broken' })
      await settleAll(inbox)
      expect(await inbox.erase({ filter: { subject: 'front' }, limit: 10 })).toEqual({
        ...{ deliveries: 1, cancelled: 0, busy: 0 },
      })
      expect(await claimAll(inbox, 'notify')).toEqual([])
      const detail = await getDetail(inbox, delivery)
      expect(detail.events.map(({ event, failures }) => [event.subject, event.data, failures])).toEqual([
        ['', undefined, []],
      ])
      expect(detail.events[0]?.notification?.status).toBe('dead')
      expect(await inbox.countDeliveries({ subject: 'front' })).toBe(0)
    })

    test('erases the deliveries with a value, and the value', async ({ inbox, now, expect }) => {
      const delivery = { ...createDelivery(now(), 'doorbell:a'), values: ['a@example.com', 'order-17'] }
      await inbox.record(delivery)
      await inbox.record({ ...createDelivery(now(), 'doorbell:b'), values: ['b@example.com'] })
      const erased = { deliveries: 1, cancelled: 1, busy: 0 }
      expect(await inbox.erase({ filter: { value: 'a@example.com' }, limit: 10 })).toEqual(erased)
      for (const value of ['a@example.com', 'order-17'])
        expect(await inbox.countDeliveries({ value })).toBe(0)
      expect(await inbox.countDeliveries({ value: 'b@example.com' })).toBe(1)
    })

    test('leaves a delivery whole whose work is under way', async ({ inbox, now, advance, expect }) => {
      const delivery = createDelivery(now(), 'doorbell:a', 'doorbell:b')
      await inbox.record(delivery)
      await inbox.claim('publish', { limit: 1, leaseMs: 15_000 })
      const busy = { deliveries: 0, cancelled: 0, busy: 1 }
      expect(await inbox.erase({ filter: {}, limit: 10 })).toEqual(busy)
      expect((await getDetail(inbox, delivery)).bodyState).toBe('stored')
      advance(15_000)
      await settleAll(inbox, { status: 'queued', redeliverAfterMs: 60_000 })
      expect(await inbox.erase({ filter: {}, limit: 10 })).toEqual(busy)
      await inbox.forwarded(['doorbell:a', 'doorbell:b'])
      expect(await inbox.erase({ filter: {}, limit: 10 })).toEqual({ deliveries: 1, cancelled: 0, busy: 0 })
    })

    testLane(test)('reaches a lane under a lease once it is released', async (context) => {
      const { inbox, now, lanes, expect } = context
      for (const id of ['doorbell:a', 'doorbell:b'])
        await inbox.record(withEndpoint('acme', inLane(ordered('acme'), createDelivery(now(), id))))
      const erase = () => inbox.erase({ filter: { endpoint: 'acme' }, limit: 10 })
      const [claimed] = await lanes.claim({ events: 1, leaseMs: 60_000 })
      expect(await erase()).toEqual({ deliveries: 0, cancelled: 0, busy: 2 })
      await lanes.settle(claimed, [done])
      expect(await lanes.claim()).toEqual([])
      expect(await erase()).toEqual({ deliveries: 2, cancelled: 1, busy: 0 })
    })

    test('erases in batches, oldest first, with quarantined deliveries', async (context) => {
      const { inbox, now, advance, expect } = context
      await inbox.record(createDelivery(now(), 'doorbell:a'))
      advance(1000)
      await inbox.record(createQuarantinedDelivery(now()))
      advance(1000)
      const last = createDelivery(now(), 'doorbell:b')
      await inbox.record(last)
      const first = await inbox.erase({ filter: {}, limit: 2 })
      expect([first.deliveries, first.cancelled]).toEqual([2, 1])
      expect((await getDetail(inbox, last)).bodyState).toBe('stored')
      const after = first.next as DeliveryPosition
      expect(await inbox.erase({ filter: {}, after, limit: 2 })).toEqual({
        deliveries: 1,
        cancelled: 1,
        busy: 0,
      })
      expect((await inbox.stats()).quarantined).toBe(0)
    })
  })
}
