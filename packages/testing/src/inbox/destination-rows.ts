import { createDelivery, getDetail, listEventIds, settleAll } from '../records.ts'
import type { InboxContext } from './context.ts'
import { done, inLane, listLanes, ordered, testLane, unordered } from './lane-context.ts'

/** Defines the tests of the rows and lanes of destinations, whose names begin with `>name/`. */
export function testDestinationRows({ describe, test }: InboxContext): void {
  const laneTest = testLane(test)

  describe('rows of destinations', () => {
    laneTest('wait in a lane for the delay of its release', async ({ advance, lanes, expect }) => {
      await lanes.record(ordered('>billing/a'), ['>billing/doorbell:1', '>billing/doorbell:2'])
      const [claimed] = await lanes.claim()
      expect(await lanes.settle(claimed, [done], { afterMs: 60_000 })).toEqual({
        isSettled: true,
        isDue: false,
      })
      await lanes.record(ordered('>billing/a'), ['>billing/doorbell:3'])
      await lanes.record(unordered('>billing/b'), ['>billing/doorbell:4'])
      const [other] = await lanes.claim()
      await lanes.settle(other, [], { afterMs: 60_000 })
      await lanes.record(unordered('>billing/b'), ['>billing/doorbell:5'])
      advance(59_999)
      expect(await lanes.claim()).toEqual([])
      advance(1)
      expect(new Map(listLanes(await lanes.claim()))).toEqual(
        new Map([
          ['>billing/a', ['>billing/doorbell:2', '>billing/doorbell:3']],
          ['>billing/b', ['>billing/doorbell:4', '>billing/doorbell:5']],
        ]),
      )
    })

    laneTest('are due when the delays of their destination end', async (context) => {
      const { inbox, advance, lanes, expect } = context
      const names = ['>billing/0', '>billing/1', '>billing/2', '>crm/0']
      for (const [index, name] of names.entries()) await lanes.record(unordered(name), [`doorbell:${index}`])
      const claimed = await lanes.claim()
      for (const lane of claimed) await lanes.settle(lane, [], { afterMs: 60_000 })
      expect(await inbox.makeLanesDue?.({ prefix: '>billing/', limit: 2 })).toBe(2)
      expect((await lanes.claim({ leaseMs: 100_000 })).length).toBe(2)
      expect(await inbox.makeLanesDue?.({ prefix: '>billing/', limit: 9 })).toBe(1)
      expect((await lanes.claim({ leaseMs: 100_000 })).length).toBe(1)
      expect(await inbox.makeLanesDue?.({ prefix: '>billing/', limit: 9 })).toBe(0)
      advance(60_000)
      expect(listLanes(await lanes.claim())).toEqual([['>crm/0', ['doorbell:3']]])
    })

    laneTest('wait for their retries in a lane that is due', async ({ inbox, advance, lanes, expect }) => {
      await lanes.record(ordered('>billing/a'), ['doorbell:1'])
      const [claimed] = await lanes.claim()
      await lanes.settle(claimed, [{ status: 'retry', afterMs: 1000, error: 'no' }], { afterMs: 5000 })
      expect(await inbox.makeLanesDue?.({ prefix: '>billing/', limit: 9 })).toBe(1)
      expect(await lanes.claim()).toEqual([])
      // A process that wakes lanes until there are no more must reach an end.
      expect(await inbox.makeLanesDue?.({ prefix: '>billing/', limit: 9 })).toBe(0)
      advance(1000)
      expect(listLanes(await lanes.claim())).toEqual([['>billing/a', ['doorbell:1']]])
    })

    laneTest(
      'have the request of their delivery until its body is erased',
      async ({ inbox, now, expect }) => {
        const delivery = { ...createDelivery(now(), 'doorbell:1'), headers: { 'x-a': '1' }, query: 'b=2' }
        await inbox.record(delivery)
        expect(await inbox.getRequest?.('unknown')).toBe(undefined)
        const request = await inbox.getRequest?.(delivery.id)
        expect(request).toEqual({ headers: { 'x-a': '1' }, query: 'b=2', body: delivery.body })
        const together = [delivery.id, 'unknown', delivery.id].map((id) => inbox.getRequest?.(id))
        expect(await Promise.all(together)).toEqual([request, undefined, request])
        await settleAll(inbox)
        await inbox.eraseBody(delivery.id)
        expect(await inbox.getRequest?.(delivery.id)).toBe(undefined)
      },
    )

    laneTest('are replayed apart from other rows', async ({ inbox, now, lanes, expect }) => {
      const delivery = inLane(unordered('>billing/0'), createDelivery(now(), '>billing/doorbell:1'))
      const other = inLane(unordered('>crm/0'), createDelivery(now(), '>crm/doorbell:1'))
      await inbox.record({ ...delivery, events: [...delivery.events, ...other.events] })
      await lanes.settleAll()
      const replayed = await inbox.replay({ ids: [delivery.id] }, { destination: 'crm' })
      expect(replayed.deliveries[0]?.events).toEqual(['>crm/doorbell:1'])
      expect(listLanes(await lanes.claim())).toEqual([['>crm/0', ['>crm/doorbell:1']]])
    })

    laneTest('keep what their destination answered', async ({ inbox, now, advance, lanes, expect }) => {
      const delivery = inLane(unordered('>billing/0'), createDelivery(now(), 'doorbell:1'))
      await inbox.record(delivery)
      const response = { status: 503, durationMs: 12, body: 'down \0 \ud800' }
      const [first] = await lanes.claim()
      await lanes.settle(first, [{ status: 'retry', afterMs: 1000, error: 'HTTP 503', response }])
      advance(1000)
      const [again] = await lanes.claim()
      await lanes.settle(again, [{ status: 'dead', error: 'timeout', response: { durationMs: 30_000 } }])
      const [state] = (await getDetail(inbox, delivery)).events
      expect(state?.failures.map(({ error, response }) => [error, response])).toEqual([
        ['HTTP 503', response],
        ['timeout', { durationMs: 30_000 }],
      ])
    })

    laneTest('are counted by their destination', async ({ inbox, advance, now, lanes, expect }) => {
      const oldestAt = now()
      await lanes.record(ordered('>billing/a'), ['doorbell:1', 'doorbell:2'])
      advance(10)
      await lanes.record(ordered('>billing/b'), ['doorbell:3'])
      await lanes.record(ordered('>crm/a/b'), ['doorbell:4'])
      await lanes.record(ordered('>>crm/a'), ['doorbell:5'])
      const [first] = await lanes.claim({ limit: 1 })
      const count = async () =>
        [...((await inbox.destinationBacklogs?.()) ?? [])].sort((a, b) => (a.name < b.name ? -1 : 1))
      expect(await count()).toEqual([
        { name: 'billing', events: 3, oldestAt },
        { name: 'crm', events: 1, oldestAt: now() },
      ])
      await lanes.settle(first, [done, done])
      expect((await count()).map(({ name, events }) => [name, events])).toEqual([
        ['billing', 1],
        ['crm', 1],
      ])
    })

    laneTest('keep their destination in a replay as new', async ({ inbox, now, lanes, expect }) => {
      const delivery = inLane(unordered('>billing/0'), createDelivery(now(), '>billing/doorbell:1'))
      const own = createDelivery(now(), 'doorbell:1')
      await inbox.record({ ...delivery, events: [...delivery.events, ...own.events] })
      await settleAll(inbox)
      await lanes.settleAll()
      const replayed = await inbox.replay({ ids: [delivery.id] }, { asNew: true })
      const [first = '', second = ''] = replayed.deliveries[0]?.events ?? []
      expect(first.startsWith('>billing/doorbell:replay:')).toBe(true)
      expect(second.startsWith('doorbell:replay:')).toBe(true)
      const [lane] = await lanes.claim()
      expect(listEventIds(lane?.works ?? [])).toEqual([first])
      expect(lane?.works[0]?.event.source.replayOf).toBe('>billing/doorbell:1')
      // A copy is not copied again.
      expect((await lanes.settle(lane, [done])).isSettled).toBe(true)
      const again = await inbox.replay({ ids: [delivery.id] }, { asNew: true })
      expect(again.deliveries[0]?.events.filter((id) => id.startsWith('>')).length).toBe(1)
    })
  })
}
