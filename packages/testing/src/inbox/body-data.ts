import type { DeliveryRecord } from '@sallyport/webhooks'
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

/** Returns a delivery of one event whose data is the JSON of the body. */
function createBodyDelivery(now: number, id: string, json: string): DeliveryRecord {
  const event = createEvent(id, now, { data: JSON.parse(json) as unknown })
  return {
    ...createDelivery(now, { event, dataIsBody: true }),
    body: new TextEncoder().encode(json),
  }
}

const long = JSON.stringify({ text: 'x'.repeat(50_000), items: Array.from({ length: 500 }, (_, n) => n) })

export function testBodyData({ describe, test }: InboxContext): void {
  describe('event whose data is the body', () => {
    for (const [size, json] of [
      ['short', '{"door": "front",\n "bell": [1.0, "\\ud800"]}'],
      ['long', long],
      ['empty', 'null'],
    ] as const) {
      test(`has its data when it is claimed, shown and listed: ${size}`, async ({ inbox, now, expect }) => {
        const delivery = createBodyDelivery(now(), 'doorbell:a', json)
        await inbox.record(delivery)
        const data: unknown = JSON.parse(json)
        const [claimed] = await inbox.claim('publish', { limit: 1, leaseMs: 0, maxBytes: 1 })
        expect(claimed?.event.data).toEqual(data)
        expect((claimed?.bytes ?? 0) >= JSON.stringify(data).length).toBe(true)
        await settleAll(inbox)
        const [published] = await inbox.published({ limit: 1 })
        expect(published?.event.data).toEqual(data)
        const { body, events } = await getDetail(inbox, delivery)
        expect(events[0]?.event.data).toEqual(data)
        expect(body).toEqual(delivery.body)
      })
    }

    test('counts the data of a claim', async ({ inbox, now, advance, expect }) => {
      for (const id of ['doorbell:a', 'doorbell:b', 'doorbell:c']) {
        await inbox.record(createBodyDelivery(now(), id, long))
        advance(1)
      }
      const claimed = await inbox.claim('publish', {
        limit: 10,
        leaseMs: 60_000,
        maxBytes: 2 * long.length,
      })
      expect(claimed.map(({ event }) => event.id)).toEqual(['doorbell:a', 'doorbell:b'])
    })

    test('keeps the data after the body is pruned', async ({ inbox, now, advance, expect }) => {
      const delivery = createBodyDelivery(now(), 'doorbell:a', long)
      await inbox.record(delivery)
      await settleAll(inbox)
      advance(10)
      expect((await pruneAll(inbox, { bodiesForMs: 1 })).bodies).toBe(1)
      expect((await getDetail(inbox, delivery)).body).toBe(undefined)
      await inbox.replay({ ids: [delivery.id] })
      const [claimed] = await claimAll(inbox)
      expect(claimed?.event.data).toEqual(JSON.parse(long))
    })

    test('passes the data to its copy', async ({ inbox, now, expect }) => {
      const delivery = createBodyDelivery(now(), 'doorbell:a', long)
      await inbox.record(delivery)
      await settleAll(inbox)
      await inbox.replay({ ids: [delivery.id] }, { asNew: true })
      const [copied] = await claimAll(inbox)
      expect(copied?.event.id).not.toBe('doorbell:a')
      expect(copied?.event.data).toEqual(JSON.parse(long))
    })

    test('loses the data with the body at an erasure', async ({ inbox, now, expect }) => {
      const delivery = createBodyDelivery(now(), 'doorbell:a', long)
      await inbox.record(delivery)
      await settleAll(inbox)
      expect(await inbox.eraseBody(delivery.id)).toBe(true)
      const [published] = await inbox.published({ limit: 1 })
      expect([published?.event.id, published?.event.data]).toEqual(['doorbell:a', undefined])
    })

    test('has its data in a resolved delivery', async ({ inbox, now, expect }) => {
      const quarantined = createQuarantinedDelivery(now())
      await inbox.record(quarantined)
      await inbox.resolve(quarantined.id, createBodyDelivery(now(), 'doorbell:a', long).events)
      const [claimed] = await claimAll(inbox)
      expect(claimed?.event.data).toEqual(JSON.parse(long))
    })

    test('is claimed together with an event that has other data', async ({ inbox, now, expect }) => {
      const delivery = createBodyDelivery(now(), 'doorbell:a', long)
      const other = createDelivery(now(), 'doorbell:b')
      await inbox.record({ ...delivery, events: [...delivery.events, ...other.events] })
      const claimed = await claimAll(inbox)
      expect(claimed.map(({ event }) => event.data)).toEqual([JSON.parse(long), other.events[0]?.event.data])
    })
  })
}
