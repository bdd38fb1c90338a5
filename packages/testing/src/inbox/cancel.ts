import { claimAll, createDelivery, getDetail, listEventIds, settleAll, withEndpoint } from '../records.ts'
import type { InboxContext } from './context.ts'
import { done, listLanes, ordered, testLane } from './lane-context.ts'

const cancelled = 'Cancelled by an operator'

export function testCancel({ describe, test }: InboxContext): void {
  describe('cancel', () => {
    test('makes pending events dead letters, oldest first, in portions', async (context) => {
      const { inbox, now, expect } = context
      const [first, second] = [createDelivery(now(), 'doorbell:a'), createDelivery(now(), 'doorbell:b')]
      for (const delivery of [first, second]) await inbox.record(delivery)
      expect(await inbox.cancel({ filter: {}, limit: 1 })).toEqual({ events: 1, busy: 0 })
      expect(listEventIds(await claimAll(inbox, 'publish', 0))).toEqual(['doorbell:b'])
      expect(await inbox.cancel({ filter: {}, limit: 1 })).toEqual({ events: 1, busy: 0 })
      expect(await inbox.cancel({ filter: {}, limit: 1 })).toEqual({ events: 0, busy: 0 })
      expect(await claimAll(inbox)).toEqual([])
      const { status, lastError, attempts, events } = await getDetail(inbox, first)
      expect([status, lastError, attempts]).toEqual(['dead', cancelled, 0])
      expect(events[0]?.failures).toEqual([{ at: now(), error: cancelled }])
    })

    test('cancels only events that match', async ({ inbox, now, expect }) => {
      await inbox.record(withEndpoint('acme', createDelivery(now(), 'doorbell:a')))
      await inbox.record(withEndpoint('other', createDelivery(now(), 'doorbell:b')))
      for (const status of ['dead', 'quarantined'] as const)
        expect(await inbox.cancel({ filter: { status }, limit: 10 })).toEqual({ events: 0, busy: 0 })
      expect(await inbox.cancel({ filter: { endpoint: 'acme' }, limit: 10 })).toEqual({ events: 1, busy: 0 })
      expect(listEventIds(await claimAll(inbox))).toEqual(['doorbell:b'])
    })

    test('reports events under a lease as busy, until the lease ends', async (context) => {
      const { inbox, now, advance, expect } = context
      await inbox.record(createDelivery(now(), 'doorbell:a'))
      const [work] = await claimAll(inbox)
      expect(await inbox.cancel({ filter: {}, limit: 10 })).toEqual({ events: 0, busy: 1 })
      advance(15_000)
      expect(await inbox.cancel({ filter: {}, limit: 10 })).toEqual({ events: 1, busy: 0 })
      const late = { id: 'doorbell:a', lease: work?.lease ?? '', outcome: { status: 'done' } as const }
      expect(await inbox.settle('publish', [late])).toEqual([false])
    })

    testLane(test)('reaches a lane under a lease once it is released', async (context) => {
      const { inbox, advance, lanes, expect } = context
      await lanes.record(ordered('a'), ['doorbell:1', 'doorbell:2', 'doorbell:3'])
      const cancel = () => inbox.cancel({ filter: {}, limit: 10 })
      const [first] = await lanes.claim({ events: 1, leaseMs: 60_000 })
      expect(await cancel()).toEqual({ events: 0, busy: 3 })
      await lanes.settle(first, [done], { releases: false })
      expect(await cancel()).toEqual({ events: 0, busy: 2 })
      await lanes.settle(first, [])
      await lanes.record(ordered('a'), ['doorbell:4'], { leaseMs: 60_000 })
      expect(await lanes.claim()).toEqual([])
      expect(await cancel()).toEqual({ events: 3, busy: 0 })
      await lanes.record(ordered('a'), ['doorbell:5'])
      advance(5000)
      expect(listLanes(await lanes.claim())).toEqual([['a', ['doorbell:5']]])
    })

    test('cancelled events can be replayed', async ({ inbox, now, expect }) => {
      const delivery = createDelivery(now(), 'doorbell:a')
      await inbox.record(delivery)
      await inbox.cancel({ filter: {}, limit: 10 })
      await inbox.replay({ ids: [delivery.id] })
      expect(await settleAll(inbox)).toEqual([true])
      expect((await getDetail(inbox, delivery)).status).toBe('published')
    })
  })
}
