import { claimAll, deliveryOf, idsOf, settleAll, type InboxContext } from './inbox-context.ts'

export function testSettle({ describe, test }: InboxContext): void {
  describe('settle', () => {
    test('ends published events for good', async ({ inbox, now, advance, expect }) => {
      await inbox.record(deliveryOf(now(), 'doorbell:a'))
      expect(await settleAll(inbox)).toEqual([true])
      advance(3_600_000)
      expect((await inbox.record(deliveryOf(now(), 'doorbell:a'))).events[0]?.duplicate).toBe(true)
      expect(await claimAll(inbox)).toEqual([])
    })

    test('makes a retry due after its delay, not before', async ({ inbox, now, advance, expect }) => {
      const since = now()
      await inbox.record(deliveryOf(now(), 'doorbell:a'))
      for (const [index, afterMs] of [2000, 2000, 3_600_000, 86_400_000].entries()) {
        await settleAll(inbox, { status: 'retry', afterMs, error: 'the bus is away' })
        advance(afterMs - 1)
        expect(await claimAll(inbox)).toEqual([])
        advance(1)
        const [claimed] = await claimAll(inbox, 'publish', 0)
        expect([claimed?.attempts, claimed?.since]).toEqual([index + 1, since])
      }
    })

    test('buries dead letters, and a redelivery revives them', async ({ inbox, now, advance, expect }) => {
      await inbox.record(deliveryOf(now(), 'doorbell:a'))
      await settleAll(inbox, { status: 'retry', afterMs: 0, error: 'the bus is away' })
      await settleAll(inbox, { status: 'dead', error: 'the bus is gone' })
      advance(3_600_000)
      expect(await claimAll(inbox)).toEqual([])
      expect(await inbox.record(deliveryOf(now(), 'doorbell:a'), { leaseMs: 1000 })).toEqual({
        events: [{ id: 'doorbell:a', duplicate: true }],
      })
      const [revived] = await claimAll(inbox)
      expect([revived?.event.id, revived?.attempts, revived?.since]).toEqual(['doorbell:a', 0, now()])
      expect(await inbox.published({ limit: 10 })).toEqual([])
    })

    test('gives released work back as it was', async ({ inbox, now, advance, expect }) => {
      const since = now()
      const { events } = await inbox.record(deliveryOf(now(), 'doorbell:a'), { leaseMs: 15_000 })
      advance(10)
      await inbox.settle('publish', [
        { id: 'doorbell:a', lease: events[0]?.lease ?? '', outcome: { status: 'released' } },
      ])
      const [claimed] = await claimAll(inbox)
      expect([claimed?.event.id, claimed?.attempts, claimed?.since]).toEqual(['doorbell:a', 0, since])
    })

    test('answers for each of a batch in its order', async ({ inbox, now, expect }) => {
      await inbox.record(deliveryOf(now(), 'doorbell:a', 'doorbell:b', 'doorbell:c'))
      const leases = new Map((await claimAll(inbox)).map(({ event, lease }) => [event.id, lease]))
      const done = (id: string, lease = leases.get(id) ?? '') => ({
        id,
        lease,
        outcome: { status: 'done' } as const,
      })
      const settled = await inbox.settle('publish', [
        done('doorbell:c'),
        done('doorbell:unknown', leases.get('doorbell:a')),
        done('doorbell:b', 'a token of nobody'),
        done('doorbell:a'),
        done('doorbell:a'),
      ])
      expect(settled).toEqual([true, false, false, true, false])
      expect(idsOf(await inbox.published({ limit: 10 }))).toEqual(['doorbell:c', 'doorbell:a'])
      expect(await inbox.settle('publish', [])).toEqual([])
    })
  })
}
