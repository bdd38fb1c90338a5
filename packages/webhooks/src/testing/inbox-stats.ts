import {
  comingFrom,
  deliveryOf,
  eventOf,
  quarantinedOf,
  settleAll,
  type InboxContext,
} from './inbox-context.ts'

export function testStats({ describe, test }: InboxContext): void {
  describe('stats', () => {
    test('are of nothing at the beginning', async ({ inbox, expect }) => {
      expect(await inbox.stats()).toEqual({
        events: { pending: 0, queued: 0, dead: 0 },
        notifications: { pending: 0, dead: 0 },
        quarantined: 0,
        published: 0,
      })
    })

    test('count what there is, up to a limit, and tell since when it waits', async (context) => {
      const { inbox, now, advance, expect } = context
      const owing = (id: string) => ({ event: eventOf(id, now()), notify: true })
      await inbox.record(deliveryOf(now(), 'doorbell:dead:1', 'doorbell:dead:2'))
      await settleAll(inbox, { status: 'dead', error: 'x' })
      const queuedAt = now()
      await inbox.record(deliveryOf(queuedAt, 'doorbell:queued'))
      await settleAll(inbox, { status: 'queued', redeliverAfterMs: 1_000_000 })
      await inbox.record(deliveryOf(now(), owing('doorbell:a')))
      await settleAll(inbox)
      await settleAll(inbox, { status: 'dead', error: 'x' }, 'notify')
      await inbox.record(deliveryOf(now(), owing('doorbell:b'), owing('doorbell:c')))
      await settleAll(inbox)
      await inbox.record(quarantinedOf(now()))
      advance(1000)
      const oldest = now()
      await inbox.record(comingFrom('mailbox', deliveryOf(oldest, 'mailbox:a', 'mailbox:b')))
      advance(1000)
      await inbox.record(deliveryOf(now(), 'doorbell:d'))
      const stats = {
        events: { pending: 3, queued: 1, dead: 2 },
        notifications: { pending: 2, dead: 1 },
        quarantined: 1,
        oldestPendingAt: oldest,
        oldestQueuedAt: queuedAt,
        published: 3,
      }
      expect(await inbox.stats()).toEqual(stats)
      expect(await inbox.stats({ countUpTo: 1 })).toEqual({
        ...stats,
        events: { pending: 1, queued: 1, dead: 1 },
        notifications: { pending: 1, dead: 1 },
      })
      expect(await inbox.stats({ countUpTo: 0 })).toEqual({
        ...stats,
        events: { pending: 0, queued: 0, dead: 0 },
        notifications: { pending: 0, dead: 0 },
        quarantined: 0,
      })
    })

    test('have the age of the oldest queued event without a failed attempt', async (context) => {
      const { inbox, now, advance, expect } = context
      const times: number[] = []
      for (const id of ['doorbell:a', 'doorbell:b']) {
        advance(1000)
        times.push(now())
        await inbox.record(deliveryOf(now(), id))
        await settleAll(inbox, { status: 'queued', redeliverAfterMs: 1_000_000 })
      }
      expect((await inbox.stats()).oldestQueuedAt).toBe(times[0])
      await inbox.postponed([{ id: 'doorbell:a', error: 'no answer' }])
      expect((await inbox.stats()).oldestQueuedAt).toBe(times[1])
      await inbox.forwarded(['doorbell:b'])
      expect((await inbox.stats()).oldestQueuedAt).toBe(undefined)
    })

    test('count no quarantine that is over, and no notification before its event is published', async (context) => {
      const { inbox, now, expect } = context
      const delivery = quarantinedOf(now())
      await inbox.record(delivery)
      const events = deliveryOf(now(), { event: eventOf('doorbell:a', now()), notify: true }).events
      await inbox.resolve(delivery.id, events)
      const { quarantined, notifications } = await inbox.stats()
      expect([quarantined, notifications]).toEqual([0, { pending: 0, dead: 0 }])
    })
  })
}
