import type { CompleteInbox } from '@sallyport/webhooks'
import { claimAll, createDelivery } from '../records.ts'
import type { InboxContext } from './context.ts'
import { done, inLane, listIds, listLanes, ordered, retry, testLane } from './lane-context.ts'

const lost = { isSettled: false, isDue: false }

export function testLaneLeases({ describe, test, durableTest }: InboxContext): void {
  const laneTest = testLane(test)

  describe('leases of lanes', () => {
    laneTest('are kept by a settlement that does not release them', async (context) => {
      const { inbox, lanes, reopenLanes, expect } = context
      const other = await reopenLanes()
      await lanes.record(ordered('a'), ['doorbell:1', 'doorbell:2'])
      const [lane] = await lanes.claim()
      expect(await lanes.settle(lane, [done], { releases: false })).toEqual({ isSettled: true, isDue: true })
      expect((await inbox.stats()).published).toBe(1)
      expect(await other.claim()).toEqual([])
      expect(await lanes.settle(lane, [], { releases: true })).toEqual({ isSettled: true, isDue: true })
      expect(await lanes.settle(lane, [])).toEqual(lost)
      expect(listLanes(await other.claim())).toEqual([['a', ['doorbell:2']]])
    })

    laneTest('settle nothing after another process has the lane', async (context) => {
      const { inbox, advance, lanes, reopenLanes, expect } = context
      const other = await reopenLanes()
      await lanes.record(ordered('a'), ['doorbell:1'])
      const [old] = await lanes.claim({ leaseMs: 1000 })
      advance(999)
      expect(await other.claim()).toEqual([])
      advance(1)
      const [current] = await other.claim({ leaseMs: 1000 })
      expect(old?.lease === current?.lease).toBe(false)
      for (const outcome of [done, retry(0), { status: 'dead', error: 'x' }, { status: 'released' }] as const)
        expect(await lanes.settle(old, [outcome], { pauses: true })).toEqual(lost)
      expect(await lanes.renew([{ lane: 'a', lease: old?.lease ?? '' }], 60_000)).toEqual([false])
      expect(await inbox.published({ limit: 10 })).toEqual([])
      expect(await other.settle(current, [done])).toEqual({ isSettled: true, isDue: false })
    })

    laneTest('settle after they ended while no other process has the lane', async (context) => {
      const { advance, lanes, expect } = context
      await lanes.record(ordered('a'), ['doorbell:1'])
      const [lane] = await lanes.claim({ leaseMs: 1000 })
      advance(5000)
      expect(await lanes.settle(lane, [done])).toEqual({ isSettled: true, isDue: false })
      expect(await lanes.claim()).toEqual([])
    })

    laneTest('settle only events of the lane, and no other lease settles them', async (context) => {
      const { inbox, now, lanes, expect } = context
      await lanes.record(ordered('a'), ['doorbell:a'])
      await lanes.record(ordered('b'), ['doorbell:b'])
      await inbox.record(createDelivery(now(), 'doorbell:c'))
      const [free] = await claimAll(inbox)
      const [a] = await lanes.claim({ limit: 1 })
      const lease = a?.lease ?? ''
      const ids = ['doorbell:b', 'doorbell:c', 'doorbell:unknown']
      const settlements = ids.map((id) => ({ id, lease, outcome: done }))
      const stray = { name: 'a', lease, settlements, releases: false }
      const unknown = { ...stray, name: 'unknown' }
      const results = await inbox.settleLanes?.([unknown, stray])
      expect(results).toEqual([lost, { isSettled: true, isDue: true }])
      expect(await inbox.settle('publish', [{ id: 'doorbell:a', lease, outcome: done }])).toEqual([false])
      expect(await inbox.published({ limit: 10 })).toEqual([])
      const settlement = { id: 'doorbell:c', lease: free?.lease ?? '', outcome: done }
      expect(await inbox.settle('publish', [settlement])).toEqual([true])
    })

    laneTest('are never granted to two concurrent claims', async (context) => {
      const { lanes, reopenLanes, expect } = context
      const other = await reopenLanes()
      for (let index = 0; index < 40; index++)
        await lanes.record(ordered(`house:${index}`), [`doorbell:${index}:1`, `doorbell:${index}:2`])
      const claims = await Promise.all(
        Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? lanes : other).claim({ limit: 5 })),
      )
      // A claim skips lanes that another transaction has locked.
      const claimed = [...claims.flat(), ...(await lanes.claim())].map(({ name }) => name)
      expect([claimed.length, new Set(claimed).size]).toEqual([40, 40])
    })

    laneTest('are renewed while their owner has them', async ({ advance, lanes, reopenLanes, expect }) => {
      const other = await reopenLanes()
      await lanes.record(ordered('a'), ['doorbell:1'])
      const [lane] = await lanes.claim({ leaseMs: 1000 })
      const lease = lane?.lease ?? ''
      advance(900)
      const held = { lane: 'a', lease }
      const renewed = await lanes.renew([{ lane: 'b', lease }, held, { ...held, lease: 'other' }], 1000)
      expect(renewed).toEqual([false, true, false])
      advance(999)
      expect(await other.claim()).toEqual([])
      expect(await lanes.settle(lane, [done])).toEqual({ isSettled: true, isDue: false })
      expect(await lanes.renew([held], 1000)).toEqual([false])
      expect(await lanes.renew([], 1000)).toEqual([])
    })

    laneTest('end after their renewal', async ({ advance, lanes, reopenLanes, expect }) => {
      const other = await reopenLanes()
      await lanes.record(ordered('a'), ['doorbell:1'])
      const [lane] = await lanes.claim({ leaseMs: 60_000 })
      expect(await lanes.renew([{ lane: 'a', lease: lane?.lease ?? '' }], 1000)).toEqual([true])
      advance(1000)
      expect(listLanes(await other.claim())).toEqual([['a', ['doorbell:1']]])
    })

    laneTest('of events without a lane are renewed', async ({ inbox, now, advance, lanes, expect }) => {
      await inbox.record(createDelivery(now(), 'doorbell:1'))
      const [work] = await claimAll(inbox, 'publish', 1000)
      const held = { id: 'doorbell:1', lease: work?.lease ?? '' }
      advance(900)
      const renewed = await lanes.renew([{ ...held, lease: 'other' }, held, { ...held, id: 'none' }], 1000)
      expect(renewed).toEqual([false, true, false])
      advance(999)
      expect(await claimAll(inbox)).toEqual([])
      advance(1)
      const [again] = await claimAll(inbox)
      expect(again?.event.id).toBe('doorbell:1')
      expect(await lanes.renew([held], 1000)).toEqual([false])
    })

    laneTest('are granted by the record of an idle lane', async (context) => {
      const { inbox, now, advance, reopenLanes, expect } = context
      const other = await reopenLanes()
      const { events: rows } = createDelivery(
        now(),
        'doorbell:a1',
        'doorbell:a2',
        'doorbell:b1',
        'doorbell:c1',
      )
      const places = [ordered('a'), ordered('a'), ordered('b'), undefined]
      const events = rows.map((row, index) => ({ ...row, lane: places[index] }))
      const recorded = await inbox.record({ ...createDelivery(now()), events }, { leaseMs: 1000 })
      expect(recorded.events.map((event) => typeof event.lease)).toEqual(Array(4).fill('string'))
      const [a] = recorded.events
      advance(999)
      expect(await other.claim()).toEqual([])
      const lease = a?.lease ?? ''
      const settlements = [{ id: 'doorbell:a1', lease, outcome: done }]
      const settled = await inbox.settleLanes?.([{ name: 'a', lease, settlements, releases: true }])
      expect(settled).toEqual([{ isSettled: true, isDue: true }])
      expect(listLanes(await other.claim())).toEqual([['a', ['doorbell:a2']]])
      advance(1)
      expect(listLanes(await other.claim())).toEqual([['b', ['doorbell:b1']]])
    })

    laneTest('are not granted by the record of a lane with open events', async (context) => {
      const { inbox, now, advance, lanes, expect } = context
      const isLeased = async (id: string) => {
        const delivery = inLane(ordered('a'), createDelivery(now(), id))
        const { events } = await inbox.record(delivery, { leaseMs: 15_000 })
        return events[0]?.lease !== undefined
      }
      await lanes.record(ordered('a'), ['doorbell:1'])
      expect(await isLeased('doorbell:2')).toBe(false)
      const [lane] = await lanes.claim()
      expect(await isLeased('doorbell:3')).toBe(false)
      expect(await lanes.settle(lane, [done, retry(60_000)])).toEqual({ isSettled: true, isDue: false })
      expect(await isLeased('doorbell:4')).toBe(false)
      advance(60_000)
      const [again] = await lanes.claim()
      expect(listIds(again)).toEqual(['doorbell:2', 'doorbell:3', 'doorbell:4'])
      expect(await lanes.settle(again, [done, done, done])).toEqual({ isSettled: true, isDue: false })
      expect(await isLeased('doorbell:5')).toBe(true)
    })

    laneTest('of a record can be renewed, and then include later events', async (context) => {
      const { advance, lanes, expect } = context
      const { events } = await lanes.record(ordered('a'), ['doorbell:1'], { leaseMs: 1000 })
      await lanes.record(ordered('a'), ['doorbell:2'])
      advance(900)
      expect(await lanes.renew([{ lane: 'a', lease: events[0]?.lease ?? '' }], 1000)).toEqual([true])
      advance(999)
      expect(await lanes.claim()).toEqual([])
      advance(1)
      expect(listLanes(await lanes.claim())).toEqual([['a', ['doorbell:1', 'doorbell:2']]])
    })

    laneTest('end within a lease after the clock was set back', async (context) => {
      const { advance, lanes, reopenLanes, expect } = context
      await lanes.record(ordered('a'), ['doorbell:a1', 'doorbell:a2'], { leaseMs: 1000 })
      advance(1)
      await lanes.record(ordered('b'), ['doorbell:b1', 'doorbell:b2'])
      advance(-24 * 3_600_000)
      const other = await reopenLanes()
      const [b, ...none] = await other.claim({ leaseMs: 1000, events: 1 })
      expect(listIds(b)).toEqual(['doorbell:b1'])
      expect(none).toEqual([])
      expect(await other.settle(b, [done])).toEqual({ isSettled: true, isDue: true })
      const [again] = await other.claim({ leaseMs: 1000 })
      expect(listIds(again)).toEqual(['doorbell:b2'])
      expect(await other.settle(again, [done])).toEqual({ isSettled: true, isDue: false })
      advance(1000)
      expect(listLanes(await other.claim({ leaseMs: 1000 }))).toEqual([['a', ['doorbell:a1', 'doorbell:a2']]])
    })

    laneTest('are granted for retries that the clock would reach a day late', async (context) => {
      const { advance, lanes, expect } = context
      await lanes.record(ordered('a'), ['doorbell:1', 'doorbell:2'])
      advance(2 * 24 * 3_600_000)
      const [lane] = await lanes.claim()
      await lanes.settle(lane, [retry(60_000)])
      const asked = { longestDelayMs: 3_600_000 }
      expect(await lanes.claim(asked)).toEqual([])
      advance(-24 * 3_600_000)
      expect(listLanes(await lanes.claim(asked))).toEqual([['a', ['doorbell:1', 'doorbell:2']]])
    })

    testLane(durableTest)('of a stopped process end after their duration', async (context) => {
      const { advance, lanes, reopenLanes, expect } = context
      await lanes.record(ordered('a'), ['doorbell:1'], { leaseMs: 1000 })
      const other = await reopenLanes()
      expect(await other.claim()).toEqual([])
      advance(1000)
      expect(await other.settleAll()).toEqual([{ isSettled: true, isDue: false }])
    })

    laneTest('keep the events of concurrent records in one order', async (context) => {
      const { inbox, now, lanes, reopen, expect } = context
      const inboxes: readonly CompleteInbox[] = [inbox, await reopen()]
      const handled: string[] = []
      const waves = Array.from({ length: 10 }, (_, wave) => wave)
      for (const wave of waves) {
        await Promise.all(
          inboxes.map((one, index) =>
            one.record(inLane(ordered('a'), createDelivery(now(), `doorbell:${wave}:${index}`))),
          ),
        )
        if (wave % 3 !== 2) continue
        const [lane] = await lanes.claim({ events: 4 })
        handled.push(...listIds(lane))
        await lanes.settle(lane, lane?.works.map(() => done) ?? [])
      }
      for (let [lane] = await lanes.claim(); lane !== undefined; [lane] = await lanes.claim()) {
        handled.push(...listIds(lane))
        await lanes.settle(
          lane,
          lane.works.map(() => done),
        )
      }
      expect(handled.map((id) => Number(id.split(':')[1]))).toEqual(waves.flatMap((wave) => [wave, wave]))
    })
  })
}
