import {
  claimAll,
  deliveryOf,
  detailOf,
  eventOf,
  idsOf,
  settleAll,
  type InboxContext,
} from './inbox-context.ts'

export function testNotifications({ describe, test }: InboxContext): void {
  const asked = (id: string, now: number) => ({ event: eventOf(id, now), notify: true })

  describe('notifications', () => {
    test('are due once the event is published, where they were asked for', async (context) => {
      const { inbox, now, advance, expect } = context
      await inbox.record(deliveryOf(now(), asked('doorbell:a', now()), 'doorbell:b'))
      expect(await claimAll(inbox, 'notify')).toEqual([])
      advance(10_000)
      await settleAll(inbox)
      advance(500)
      const since = now() - 500
      const [claimed, ...others] = await claimAll(inbox, 'notify')
      expect([claimed?.event.id, claimed?.attempts, claimed?.since]).toEqual(['doorbell:a', 0, since])
      expect(others).toEqual([])
    })

    test('are not due for an event that is dead, until it was revived and published', async (context) => {
      const { inbox, now, expect } = context
      await inbox.record(deliveryOf(now(), asked('doorbell:a', now())))
      await settleAll(inbox, { status: 'dead', error: 'the bus is gone' })
      expect(await claimAll(inbox, 'notify')).toEqual([])
      await inbox.record(deliveryOf(now(), asked('doorbell:a', now())))
      await settleAll(inbox)
      expect(idsOf(await claimAll(inbox, 'notify'))).toEqual(['doorbell:a'])
    })

    test('are retried, released and fenced like events', async ({ inbox, now, advance, expect }) => {
      await inbox.record(deliveryOf(now(), asked('doorbell:a', now())))
      await settleAll(inbox)
      await settleAll(inbox, { status: 'retry', afterMs: 3_600_000, error: 'the operator is away' }, 'notify')
      advance(3_599_999)
      expect(await claimAll(inbox, 'notify')).toEqual([])
      advance(1)
      await settleAll(inbox, { status: 'released' }, 'notify')
      const [old] = await claimAll(inbox, 'notify', 1000)
      expect(old?.attempts).toBe(1)
      advance(1000)
      const [current] = await claimAll(inbox, 'notify', 1000)
      const done = { id: 'doorbell:a', outcome: { status: 'done' } } as const
      const settled = [
        await inbox.settle('notify', [{ ...done, lease: old?.lease ?? '' }]),
        await inbox.settle('publish', [{ ...done, lease: current?.lease ?? '' }]),
        await inbox.settle('notify', [{ ...done, lease: current?.lease ?? '' }]),
      ]
      expect(settled).toEqual([[false], [false], [true]])
      advance(3_600_000)
      expect(await claimAll(inbox, 'notify')).toEqual([])
    })

    test('stay due while their event is due again, and when its replay fails', async (context) => {
      // Operators were once never told of what was published, where its replay was refused.
      const { inbox, now, advance, expect } = context
      const delivery = deliveryOf(now(), asked('doorbell:a', now()))
      await inbox.record(delivery)
      await settleAll(inbox)
      await settleAll(inbox, { status: 'retry', afterMs: 0, error: 'the operator is away' }, 'notify')
      const since = now()
      advance(500)
      expect((await inbox.replay({ ids: [delivery.id] })).deliveries[0]?.outcome).toBe('replayed')
      const owed = async () =>
        (await claimAll(inbox, 'notify', 1000)).map((one) => [one.event.id, one.attempts, one.since])
      expect(await owed()).toEqual([['doorbell:a', 1, since]])
      advance(1000)
      expect(await settleAll(inbox, { status: 'dead', error: 'the bus is gone' })).toEqual([true])
      const { status, events } = await detailOf(inbox, delivery)
      expect([status, events[0]?.notification?.status]).toEqual(['dead', 'pending'])
      expect((await inbox.stats()).notifications.pending).toBe(1)
      const erased = await inbox.eraseBody(delivery.id).catch((error: unknown) => error)
      expect((erased as { code?: unknown }).code).toBe('CONFLICT')
      expect(await owed()).toEqual([['doorbell:a', 1, since]])
      advance(1000)
      expect(await settleAll(inbox, { status: 'done' }, 'notify')).toEqual([true])
      expect(await inbox.eraseBody(delivery.id)).toBe(true)
    })

    test('stay due once when their event is published again', async ({ inbox, now, advance, expect }) => {
      const delivery = deliveryOf(now(), asked('doorbell:a', now()))
      await inbox.record(delivery)
      await settleAll(inbox)
      await inbox.replay({ ids: [delivery.id] })
      advance(500)
      expect(await settleAll(inbox)).toEqual([true])
      const claimed = await claimAll(inbox, 'notify', 1000)
      expect(claimed.map(({ event, since }) => [event.id, since])).toEqual([['doorbell:a', now() - 500]])
      advance(1000)
      expect(await settleAll(inbox, { status: 'done' }, 'notify')).toEqual([true])
      expect(await claimAll(inbox, 'notify')).toEqual([])
    })

    test('stay with whoever holds them while their event is replayed', async (context) => {
      const { inbox, now, advance, expect } = context
      const delivery = deliveryOf(now(), asked('doorbell:a', now()))
      await inbox.record(delivery)
      await settleAll(inbox)
      const [held] = await claimAll(inbox, 'notify', 1000)
      expect((await inbox.replay({ ids: [delivery.id] })).deliveries).toEqual([
        { id: delivery.id, outcome: 'replayed', events: ['doorbell:a'] },
      ])
      expect(await claimAll(inbox, 'notify')).toEqual([])
      const [event] = await claimAll(inbox)
      const done = { id: 'doorbell:a', outcome: { status: 'done' } } as const
      expect(await inbox.settle('notify', [{ ...done, lease: held?.lease ?? '' }])).toEqual([true])
      expect(await inbox.settle('publish', [{ ...done, lease: event?.lease ?? '' }])).toEqual([true])
      advance(1000)
      expect(await claimAll(inbox, 'notify')).toEqual([])
      expect((await detailOf(inbox, delivery)).events[0]?.notification?.status).toBe('sent')
    })

    test('that failed for good leave the event as it is', async ({ inbox, now, expect }) => {
      await inbox.record(deliveryOf(now(), asked('doorbell:a', now())))
      await settleAll(inbox)
      await settleAll(inbox, { status: 'dead', error: 'the operator is gone' }, 'notify')
      await inbox.record(deliveryOf(now(), asked('doorbell:a', now())))
      expect(await claimAll(inbox, 'notify')).toEqual([])
      expect(await claimAll(inbox)).toEqual([])
      expect(await inbox.countPublished({})).toBe(1)
    })
  })
}
