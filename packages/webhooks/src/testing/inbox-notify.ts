import { claimAll, deliveryOf, eventOf, idsOf, settleAll, type InboxContext } from './inbox-context.ts'

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
