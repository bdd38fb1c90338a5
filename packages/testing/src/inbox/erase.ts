import type { DeliverySummary } from '@sallyport/webhooks'
import { createEvent } from '@sallyport/webhooks/testing'
import { claimAll, createDelivery, createQuarantinedDelivery, getDetail, settleAll } from '../records.ts'
import type { InboxContext } from './context.ts'

export function testErasure({ describe, test }: InboxContext): void {
  describe('eraseBody', () => {
    test('erases the body, the headers, the query and the data of events', async ({ inbox, now, expect }) => {
      const recorded = createDelivery(now(), 'doorbell:a', {
        event: createEvent('doorbell:b', now()),
        notify: true,
      })
      const delivery = { ...recorded, query: 'door=front' }
      await inbox.record(delivery)
      await settleAll(inbox)
      await settleAll(inbox, { status: 'done' }, 'notify')
      expect(await inbox.eraseBody(delivery.id)).toBe(true)
      const detail = await getDetail(inbox, delivery)
      expect([detail.status, detail.bodyState, detail.body, detail.headers, detail.query]).toEqual([
        'published',
        'erased',
        undefined,
        {},
        undefined,
      ])
      expect(detail.events.map(({ event }) => [event.id, event.subject, event.data])).toEqual([
        ['doorbell:a', '', undefined],
        ['doorbell:b', '', undefined],
      ])
      const published = await inbox.published({ limit: 10 })
      expect(published.map(({ event }) => [event.id, event.data])).toEqual([
        ['doorbell:a', undefined],
        ['doorbell:b', undefined],
      ])
      expect(await inbox.eraseBody(delivery.id)).toBe(true)
      expect((await inbox.record(createDelivery(now(), 'doorbell:a'))).events[0]?.duplicate).toBe(true)
    })

    test('rejects with CONFLICT while the data is needed', async ({ inbox, now, expect }) => {
      const event = createEvent('doorbell:a', now())
      const delivery = createDelivery(now(), { event, notify: true }, 'doorbell:b')
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
      const { body, headers, events } = await getDetail(inbox, delivery)
      expect([body?.byteLength, headers, events[1]?.event.data]).toEqual([
        delivery.body.byteLength,
        delivery.headers,
        event.data,
      ])
      await settleAll(inbox, { status: 'done' }, 'notify')
      expect(await refusal()).toBe('none')
    })

    test('deletes dead events for good', async ({ inbox, now, expect }) => {
      const delivery = createDelivery(now(), 'doorbell:a')
      await inbox.record(delivery)
      await settleAll(inbox, { status: 'dead', error: 'x' })
      expect(await inbox.eraseBody(delivery.id)).toBe(true)
      expect(await inbox.countDeliveries({ status: 'dead' })).toBe(0)
      const { events, ...summary } = await getDetail(inbox, delivery)
      const [{ events: counts }] = (await inbox.list({ limit: 1 })) as [DeliverySummary]
      expect([summary.bodyState, events, counts]).toEqual([
        'erased',
        [],
        { pending: 0, queued: 0, published: 0, dead: 0 },
      ])
      expect((await inbox.record(createDelivery(now(), 'doorbell:a'))).events[0]?.duplicate).toBe(true)
      expect(await claimAll(inbox)).toEqual([])
      expect(await inbox.replay({ ids: [delivery.id] }, { asNew: true })).toEqual({
        deliveries: [{ id: delivery.id, outcome: 'erased', events: [] }],
      })
    })

    test('erases the log entry of an event that died in a replay', async (context) => {
      const { inbox, now, expect } = context
      const delivery = createDelivery(now(), 'doorbell:a')
      await inbox.record(delivery)
      await settleAll(inbox)
      await inbox.replay({ ids: [delivery.id] })
      await settleAll(inbox, { status: 'dead', error: 'x' })
      expect(await inbox.eraseBody(delivery.id)).toBe(true)
      const published = await inbox.published({ limit: 10 })
      expect(published.filter(({ event }) => event.data !== undefined)).toEqual([])
    })

    test('erases a quarantined delivery, which cannot be resolved afterwards', async (context) => {
      const { inbox, now, expect } = context
      const delivery = createQuarantinedDelivery(now())
      await inbox.record(delivery)
      expect(await inbox.eraseBody(delivery.id)).toBe(true)
      // An erased delivery must leave the quarantine, because its body is lost.
      const { status, reason } = await getDetail(inbox, delivery)
      expect([status, reason]).toEqual(['published', undefined])
      expect([
        (await inbox.stats()).quarantined,
        await inbox.countDeliveries({ status: 'quarantined' }),
      ]).toEqual([0, 0])
      expect(await inbox.replay({ ids: [delivery.id] })).toEqual({
        deliveries: [{ id: delivery.id, outcome: 'erased', events: [] }],
      })
      expect((await inbox.record(createQuarantinedDelivery(now()))).events[0]?.duplicate).toBe(true)
      expect(await inbox.resolve(delivery.id, createDelivery(now(), 'doorbell:a').events)).toBe(undefined)
      expect(await claimAll(inbox)).toEqual([])
    })

    test('returns false for an unknown id', async ({ inbox, expect }) => {
      expect(await inbox.eraseBody('nobody')).toBe(false)
    })
  })
}
