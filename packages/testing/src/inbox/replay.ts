import type { DeliveryPosition } from '@sallyport/webhooks'
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

const dead = { status: 'dead', error: 'the bus failed' } as const

export function testReplay({ describe, test }: InboxContext): void {
  describe('replay', () => {
    test('makes published and dead events due again with the same ids', async ({
      inbox,
      now,
      advance,
      expect,
    }) => {
      const delivery = createDelivery(now(), 'doorbell:a', 'doorbell:b')
      await inbox.record(delivery)
      const [a, b] = await claimAll(inbox)
      await inbox.settle('publish', [
        { id: 'doorbell:a', lease: a?.lease ?? '', outcome: { status: 'done' } },
        { id: 'doorbell:b', lease: b?.lease ?? '', outcome: dead },
      ])
      advance(500)
      expect(await inbox.replay({ ids: [delivery.id] })).toEqual({
        deliveries: [
          { id: delivery.id, outcome: 'replayed', events: ['doorbell:a', 'doorbell:b'], republished: 1 },
        ],
      })
      expect((await getDetail(inbox, delivery)).status).toBe('pending')
      const claimed = await claimAll(inbox)
      expect(claimed.map(({ event, attempts, since }) => [event.id, attempts, since])).toEqual([
        ['doorbell:a', 0, now()],
        ['doorbell:b', 0, now()],
      ])
      expect(claimed[0]?.event).toEqual(delivery.events[0]?.event)
    })

    test('leaves pending and leased events unchanged and replays queued ones', async (context) => {
      const { inbox, now, expect } = context
      const delivery = createDelivery(now(), 'doorbell:a')
      await inbox.record(delivery)
      const unchanged = { deliveries: [{ id: delivery.id, outcome: 'unchanged', events: [] }] }
      expect(await inbox.replay({ ids: [delivery.id] })).toEqual(unchanged)
      const [held] = await claimAll(inbox)
      expect(await inbox.replay({ ids: [delivery.id] })).toEqual(unchanged)
      const outcome = { status: 'queued', redeliverAfterMs: 60_000 } as const
      const settlement = { id: 'doorbell:a', lease: held?.lease ?? '', outcome }
      expect(await inbox.settle('publish', [settlement])).toEqual([true])
      const { deliveries } = await inbox.replay({ ids: [delivery.id] })
      expect(deliveries[0]?.outcome).toBe('replayed')
      expect((await getDetail(inbox, delivery)).status).toBe('pending')
      expect(listEventIds(await claimAll(inbox))).toEqual(['doorbell:a'])
    })

    test('replays a queued event only after its lease ends', async (context) => {
      const { inbox, now, advance, expect } = context
      const delivery = createDelivery(now(), 'doorbell:a')
      await inbox.record(delivery)
      await settleAll(inbox, { status: 'queued', redeliverAfterMs: 60_000 })
      advance(60_000)
      const [held] = await claimAll(inbox, 'publish', 15_000)
      advance(14_999)
      const { deliveries: unchanged } = await inbox.replay({ ids: [delivery.id] })
      expect(unchanged).toEqual([{ id: delivery.id, outcome: 'unchanged', events: [] }])
      advance(1)
      const { deliveries: replayed } = await inbox.replay({ ids: [delivery.id] })
      expect(replayed).toEqual([{ id: delivery.id, outcome: 'replayed', events: ['doorbell:a'] }])
      const settlement = { id: 'doorbell:a', lease: held?.lease ?? '', outcome: dead }
      expect(await inbox.settle('publish', [settlement])).toEqual([false])
      expect(listEventIds(await claimAll(inbox))).toEqual(['doorbell:a'])
    })

    test('keeps the place in the log and sends no second notification', async ({
      inbox,
      now,
      advance,
      expect,
    }) => {
      const delivery = createDelivery(now(), { event: createEvent('doorbell:a', now()), notify: true })
      await inbox.record(delivery)
      await settleAll(inbox)
      await settleAll(inbox, { status: 'done' }, 'notify')
      const before = await inbox.published({ limit: 10 })
      advance(1000)
      await inbox.replay({ ids: [delivery.id] })
      expect(await settleAll(inbox)).toEqual([true])
      expect(await claimAll(inbox, 'notify')).toEqual([])
      expect(await inbox.published({ limit: 10 })).toEqual(before)
      expect(await inbox.countPublished({})).toBe(1)
      expect((await inbox.record(createDelivery(now(), 'doorbell:a'))).events[0]?.duplicate).toBe(true)
    })

    test('sends one notification of a dead event that is published after a replay', async ({
      inbox,
      now,
      expect,
    }) => {
      const delivery = createDelivery(now(), { event: createEvent('doorbell:a', now()), notify: true })
      await inbox.record(delivery)
      await settleAll(inbox, dead)
      await inbox.replay({ ids: [delivery.id] })
      await settleAll(inbox)
      expect(listEventIds(await claimAll(inbox, 'notify'))).toEqual(['doorbell:a'])
    })

    test('makes a dead notification due again', async ({ inbox, now, expect }) => {
      // A dead notification once stayed dead, and only a copy of the event would have reached the operators.
      const delivery = createDelivery(now(), { event: createEvent('doorbell:a', now()), notify: true })
      await inbox.record(delivery)
      await settleAll(inbox)
      await settleAll(inbox, { status: 'dead', error: 'the operators are gone' }, 'notify')
      await inbox.replay({ ids: [delivery.id] })
      expect(await claimAll(inbox, 'notify')).toEqual([])
      await settleAll(inbox)
      const [owed] = await claimAll(inbox, 'notify')
      expect([owed?.event.id, owed?.attempts]).toEqual(['doorbell:a', 0])
    })

    test('reports erased and quarantined deliveries and omits unknown ids', async ({
      inbox,
      now,
      expect,
    }) => {
      const quarantined = createQuarantinedDelivery(now())
      await inbox.record(quarantined)
      const erased = createDelivery(now(), 'doorbell:a')
      await inbox.record(erased)
      await settleAll(inbox)
      await inbox.eraseBody(erased.id)
      expect(await inbox.replay({ ids: ['nobody', erased.id, quarantined.id, erased.id] })).toEqual({
        deliveries: [
          { id: erased.id, outcome: 'erased', events: [] },
          { id: quarantined.id, outcome: 'quarantined', events: [] },
        ],
      })
      expect(await claimAll(inbox)).toEqual([])
      expect(await inbox.replay({ ids: [] })).toEqual({ deliveries: [] })
    })

    test('replays a filter in portions, oldest first', async (context) => {
      const { inbox, now, advance, expect } = context
      const ids: string[] = []
      for (let index = 0; index < 7; index++) {
        const delivery = createDelivery(now(), `doorbell:bad:${index}`, `doorbell:good:${index}`)
        await inbox.record(delivery)
        ids.push(delivery.id)
        const claimed = await claimAll(inbox)
        await inbox.settle(
          'publish',
          claimed.map(({ event: { id }, lease }) => {
            const isBad = id.startsWith('doorbell:bad') && index !== 3
            return { id, lease, outcome: isBad ? dead : ({ status: 'done' } as const) }
          }),
        )
        advance(1)
      }
      const replayed: string[] = []
      const sizes: number[] = []
      let after: DeliveryPosition | undefined
      do {
        const portion = await inbox.replay({ filter: { status: 'dead' }, limit: 4, ...(after && { after }) })
        replayed.push(...portion.deliveries.map(({ id }) => id))
        sizes.push(portion.deliveries.length)
        after = portion.next
      } while (after)
      expect(replayed).toEqual(ids.filter((_, index) => index !== 3))
      expect(sizes).toEqual([4, 2])
      expect(listEventIds(await claimAll(inbox))).toEqual(
        [0, 1, 2, 4, 5, 6].map((index) => `doorbell:bad:${index}`),
      )
      expect(await inbox.countDeliveries({ status: 'dead' })).toBe(0)
    })
  })
}
