import type { Inbox } from '../ports/ports.ts'
import {
  claimAll,
  deliveryOf,
  detailOf,
  eventOf,
  idsOf,
  settleAll,
  type InboxContext,
} from './inbox-context.ts'

const asNew = { asNew: true } as const
const dead = { status: 'dead', error: 'the bus is gone' } as const

export function testFreshIds({ describe, test }: InboxContext): void {
  const freshId = /^doorbell:replay:[^:]+:\d+$/
  const replayOne = async (inbox: Inbox, id: string) =>
    (await inbox.replay({ ids: [id] }, asNew)).deliveries[0]?.events ?? []

  describe('replay as new', () => {
    test('publishes a copy under a fresh id, and tells of it', async ({ inbox, now, expect }) => {
      const trace = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' }
      const event = eventOf('doorbell:a', now(), { trace })
      const delivery = deliveryOf(now(), { event, notify: true, route: 'queue' }, 'doorbell:b')
      await inbox.record(delivery)
      await settleAll(inbox)
      await settleAll(inbox, { status: 'done' }, 'notify')
      const fresh = await replayOne(inbox, delivery.id)
      expect([fresh.length, fresh.every((id) => freshId.test(id)), new Set(fresh).size]).toEqual([2, true, 2])
      const claimed = await claimAll(inbox, 'publish', 0)
      expect(claimed.map((work) => ({ ...work.event, route: work.route }))).toEqual(
        delivery.events.map((record, index) => ({ ...record.event, id: fresh[index], route: record.route })),
      )
      expect(await settleAll(inbox)).toEqual([true, true])
      expect(idsOf(await claimAll(inbox, 'notify'))).toEqual([fresh[0]])
      expect(idsOf(await inbox.published({ limit: 10 }))).toEqual(['doorbell:a', 'doorbell:b', ...fresh])
      expect((await inbox.record(deliveryOf(now(), ...fresh))).events.every((one) => one.duplicate)).toBe(
        true,
      )
    })

    test('makes no copies of copies, and another id every time', async ({ inbox, now, expect }) => {
      const delivery = deliveryOf(now(), 'doorbell:a')
      await inbox.record(delivery)
      await settleAll(inbox)
      const ids: string[] = []
      for (let round = 0; round < 3; round++) {
        const fresh = await replayOne(inbox, delivery.id)
        expect(fresh.length).toBe(1)
        ids.push(...fresh)
        await settleAll(inbox)
      }
      expect(new Set(ids).size).toBe(3)
      expect((await detailOf(inbox, delivery)).events.map(({ event }) => event.id)).toEqual([
        'doorbell:a',
        ...ids,
      ])
    })

    test('leaves what has not been published yet', async ({ inbox, now, expect }) => {
      const delivery = deliveryOf(now(), 'doorbell:a')
      await inbox.record(delivery)
      expect(await replayOne(inbox, delivery.id)).toEqual([])
      await settleAll(inbox, { status: 'queued', redeliverAfterMs: 60_000 })
      expect(await replayOne(inbox, delivery.id)).toEqual([])
      expect(await inbox.forwarded(['doorbell:a'])).toEqual([true])
    })

    test('gives a dead event the fresh id for its own; the old one stays known', async ({
      inbox,
      now,
      expect,
    }) => {
      const delivery = deliveryOf(now(), { event: eventOf('doorbell:a', now()), notify: true })
      await inbox.record(delivery)
      await settleAll(inbox, dead)
      const [fresh = ''] = await replayOne(inbox, delivery.id)
      expect(freshId.test(fresh)).toBe(true)
      expect((await detailOf(inbox, delivery)).status).toBe('pending')
      expect((await inbox.record(deliveryOf(now(), 'doorbell:a'))).events[0]?.duplicate).toBe(true)
      const late = [{ id: 'doorbell:a', error: 'no answer' }]
      expect(await inbox.forwarded(['doorbell:a'])).toEqual([false])
      expect(await inbox.abandoned(late)).toEqual([false])
      expect(await inbox.postponed(late)).toEqual([false])
      expect(await settleAll(inbox)).toEqual([true])
      expect(idsOf(await inbox.published({ limit: 10 }))).toEqual([fresh])
      expect(idsOf(await claimAll(inbox, 'notify'))).toEqual([fresh])
      expect((await detailOf(inbox, delivery)).events.length).toBe(1)
    })

    test('restores what was published before and died in a replay', async ({ inbox, now, expect }) => {
      const delivery = deliveryOf(now(), 'doorbell:a')
      await inbox.record(delivery)
      await settleAll(inbox)
      await inbox.replay({ ids: [delivery.id] })
      await settleAll(inbox, dead)
      const fresh = await replayOne(inbox, delivery.id)
      const { events } = await detailOf(inbox, delivery)
      expect(events.map(({ event, status }) => [event.id, status])).toEqual([
        ['doorbell:a', 'published'],
        [fresh[0], 'pending'],
      ])
      expect(idsOf(await inbox.published({ limit: 10 }))).toEqual(['doorbell:a'])
    })
  })
}
