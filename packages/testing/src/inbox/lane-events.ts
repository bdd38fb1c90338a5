import type { CompleteInbox, DeliveryRecord } from '@sallyport/webhooks'
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
import {
  dead,
  done,
  inLane,
  listIds,
  listLanes,
  ordered,
  retry,
  testLane,
  unordered,
} from './lane-context.ts'

/** Defines the tests of lanes that an event joins again, or leaves without a settlement of its lane. */
export function testLaneEvents({ describe, test }: InboxContext): void {
  const laneTest = testLane(test)

  const recordOne = async (inbox: CompleteInbox, now: number, id: string): Promise<DeliveryRecord> => {
    const delivery = inLane(ordered('a'), createDelivery(now, id))
    await inbox.record(delivery)
    return delivery
  }

  describe('events of lanes', () => {
    laneTest('are recorded once, and a duplicate leaves its lane idle', async (context) => {
      const { lanes, expect } = context
      const record = (...ids: readonly string[]) => lanes.record(ordered('a'), ids, { leaseMs: 1000 })
      await lanes.record(ordered('a'), ['doorbell:1'])
      expect((await record('doorbell:1')).events).toEqual([{ id: 'doorbell:1', duplicate: true }])
      expect(await lanes.settleAll()).toEqual([{ isSettled: true, isDue: false }])
      expect((await record('doorbell:1')).events).toEqual([{ id: 'doorbell:1', duplicate: true }])
      expect(await lanes.claim()).toEqual([])
      const { events } = await record('doorbell:1', 'doorbell:2')
      expect([events[0]?.lease, typeof events[1]?.lease]).toEqual([undefined, 'string'])
    })

    laneTest('precede later ones when a dead letter is delivered again', async (context) => {
      const { now, advance, lanes, expect } = context
      await lanes.record(ordered('a'), ['doorbell:1', 'doorbell:2', 'doorbell:3'])
      const [lane] = await lanes.claim()
      expect(await lanes.settle(lane, [dead, retry(3_600_000)])).toEqual({ isSettled: true, isDue: false })
      advance(1000)
      const { events } = await lanes.record(ordered('a'), ['doorbell:1', 'doorbell:4'], { leaseMs: 1000 })
      expect(events).toEqual([
        { id: 'doorbell:1', duplicate: true },
        { id: 'doorbell:4', duplicate: false },
      ])
      const [revived] = await lanes.claim()
      expect(revived?.works.map(({ event, attempts, since }) => [event.id, attempts, since])).toEqual([
        ['doorbell:1', 0, now()],
      ])
      expect(await lanes.settle(revived, [done])).toEqual({ isSettled: true, isDue: false })
      advance(3_600_000)
      expect(listIds((await lanes.claim())[0])).toEqual(['doorbell:2', 'doorbell:3', 'doorbell:4'])
    })

    laneTest('have no lease when a dead letter opens their lane again', async (context) => {
      const { lanes, expect } = context
      await lanes.record(ordered('a'), ['doorbell:1'])
      await lanes.settleAll(dead)
      const { events } = await lanes.record(ordered('a'), ['doorbell:1', 'doorbell:2'], { leaseMs: 1000 })
      expect(events.map(({ lease }) => lease)).toEqual([undefined, undefined])
      expect(listIds((await lanes.claim())[0])).toEqual(['doorbell:1', 'doorbell:2'])
    })

    laneTest('keep their place when they are replayed', async (context) => {
      const { inbox, now, lanes, expect } = context
      const [first, second] = [
        await recordOne(inbox, now(), 'doorbell:1'),
        await recordOne(inbox, now(), 'doorbell:2'),
      ]
      const [lane] = await lanes.claim()
      await lanes.settle(lane, [done, dead])
      await recordOne(inbox, now(), 'doorbell:3')
      const { deliveries } = await inbox.replay({ ids: [second.id, first.id] })
      expect(deliveries.map(({ events }) => events)).toEqual([['doorbell:2'], ['doorbell:1']])
      expect(await claimAll(inbox)).toEqual([])
      const [again] = await lanes.claim()
      expect(listIds(again)).toEqual(['doorbell:1', 'doorbell:2', 'doorbell:3'])
      expect(await lanes.settle(again, [done, done, done])).toEqual({ isSettled: true, isDue: false })
    })

    laneTest('without an order are due again when they are replayed', async (context) => {
      const { inbox, now, advance, lanes, expect } = context
      const delivery = inLane(unordered('a'), createDelivery(now(), 'doorbell:1'))
      await inbox.record(delivery)
      await lanes.settleAll()
      advance(1000)
      await lanes.record(unordered('a'), ['doorbell:2'])
      advance(1000)
      await inbox.replay({ ids: [delivery.id] })
      expect(listIds((await lanes.claim())[0])).toEqual(['doorbell:2', 'doorbell:1'])
    })

    laneTest('join their lane at the end when they are replayed as new', async (context) => {
      const { inbox, now, lanes, expect } = context
      const published = await recordOne(inbox, now(), 'doorbell:1')
      await lanes.settleAll()
      const failed = await recordOne(inbox, now(), 'doorbell:2')
      await lanes.settleAll(dead)
      await recordOne(inbox, now(), 'doorbell:3')
      const { deliveries } = await inbox.replay({ ids: [published.id, failed.id] }, { asNew: true })
      const [copy = '', renamed = ''] = deliveries.flatMap(({ events }) => events)
      expect(await claimAll(inbox)).toEqual([])
      const [lane] = await lanes.claim()
      expect(listIds(lane)).toEqual([renamed, 'doorbell:3', copy])
      expect(await lanes.settle(lane, [done, done, done])).toEqual({ isSettled: true, isDue: false })
    })

    laneTest('are recorded by the release of a delivery from quarantine', async (context) => {
      const { inbox, now, lanes, expect } = context
      const quarantined = createQuarantinedDelivery(now())
      await inbox.record(quarantined)
      await recordOne(inbox, now(), 'doorbell:dead')
      await lanes.settleAll(dead)
      const add = (name: string, ...ids: readonly string[]) =>
        inLane(ordered(name), createDelivery(now(), ...ids)).events
      const events = [...add('a', 'doorbell:a', 'doorbell:dead'), ...add('b', 'doorbell:b')]
      const result = await inbox.resolve(quarantined.id, events, { leaseMs: 1000 })
      expect(result?.events.map(({ duplicate, lease }) => [duplicate, typeof lease])).toEqual([
        [false, 'undefined'],
        [true, 'undefined'],
        [false, 'string'],
      ])
      expect(listLanes(await lanes.claim())).toEqual([['a', ['doorbell:dead', 'doorbell:a']]])
      const lease = result?.events[2]?.lease ?? ''
      const settlements = [{ id: 'doorbell:b', lease, outcome: done }]
      const settled = await inbox.settleLanes?.([{ name: 'b', lease, settlements, releases: true }])
      expect(settled).toEqual([{ isSettled: true, isDue: false }])
    })

    laneTest('that wait for a retry become due together', async (context) => {
      const { inbox, advance, lanes, expect } = context
      await lanes.record(ordered('a'), ['doorbell:a1', 'doorbell:a2'])
      advance(1)
      await lanes.record(unordered('b'), ['doorbell:b1'])
      for (const lane of await lanes.claim()) await lanes.settle(lane, [retry(3_600_000)])
      advance(10)
      expect(await lanes.claim()).toEqual([])
      expect(await inbox.makeDue?.({ limit: 10 })).toBe(2)
      const claimed = await lanes.claim()
      expect(listLanes(claimed)).toEqual([
        ['a', ['doorbell:a1', 'doorbell:a2']],
        ['b', ['doorbell:b1']],
      ])
      expect(claimed[1]?.works[0]?.attempts).toBe(1)
      expect(await inbox.makeDue?.({ limit: 10 })).toBe(0)
    })

    laneTest('that wait for a target become due with it', async (context) => {
      const { inbox, advance, lanes, expect } = context
      await lanes.record(ordered('a'), ['doorbell:a1', 'doorbell:a2'])
      await lanes.record(unordered('b'), ['doorbell:b1'])
      await lanes.record(ordered('c'), ['doorbell:c1'])
      for (const lane of await lanes.claim()) {
        const targets = lane.name === 'c' ? {} : { targets: ['doorbell/rung'] }
        await lanes.settle(lane, [{ ...retry(3_600_000), ...targets }])
      }
      advance(10)
      expect(await inbox.makeDue?.({ limit: 10, target: 'doorbell/rung' })).toBe(2)
      expect(listLanes(await lanes.claim()).toSorted()).toEqual([
        ['a', ['doorbell:a1', 'doorbell:a2']],
        ['b', ['doorbell:b1']],
      ])
    })

    laneTest('are released for a time without an attempt', async (context) => {
      const { now, advance, lanes, expect } = context
      const since = now()
      await lanes.record(ordered('a'), ['doorbell:1', 'doorbell:2'])
      const [lane] = await lanes.claim()
      const released = await lanes.settle(lane, [{ status: 'released', afterMs: 5000 }])
      expect(released).toEqual({ isSettled: true, isDue: false })
      advance(4999)
      expect(await lanes.claim()).toEqual([])
      advance(1)
      const [again] = await lanes.claim()
      const [work] = again?.works ?? []
      expect([work?.event.id, work?.attempts, work?.since]).toEqual(['doorbell:1', 0, since])
      expect(await lanes.settle(again, [{ status: 'released' }])).toEqual({ isSettled: true, isDue: true })
    })

    laneTest('make their notifications due', async (context) => {
      const { inbox, now, lanes, expect } = context
      const asked = { event: createEvent('doorbell:1', now()), notify: true }
      await inbox.record(inLane(ordered('a'), createDelivery(now(), asked, 'doorbell:2')))
      expect(await claimAll(inbox, 'notify')).toEqual([])
      await lanes.settleAll()
      expect(listEventIds(await claimAll(inbox, 'notify', 0))).toEqual(['doorbell:1'])
      expect(await settleAll(inbox, done, 'notify')).toEqual([true])
    })

    laneTest('leave their lane when the shared queue settles them', async (context) => {
      const { inbox, lanes, expect } = context
      await lanes.record(ordered('a'), ['doorbell:1', 'doorbell:2', 'doorbell:3'])
      expect(await inbox.forwarded(['doorbell:1'])).toEqual([true])
      expect(await inbox.abandoned([{ id: 'doorbell:2', error: 'no answer' }])).toEqual([true])
      expect(listIds((await lanes.claim({ leaseMs: 0 }))[0])).toEqual(['doorbell:3'])
      expect(await inbox.forwarded(['doorbell:3'])).toEqual([true])
      expect(await lanes.claim()).toEqual([])
      const { events } = await lanes.record(ordered('a'), ['doorbell:4'], { leaseMs: 1000 })
      expect(typeof events[0]?.lease).toBe('string')
    })

    laneTest('are never queued', async ({ lanes, expect }) => {
      await lanes.record(ordered('a'), ['doorbell:1'])
      const queued = { status: 'queued', redeliverAfterMs: 1000 } as const
      const refused = await lanes.settleAll(queued).catch((error: unknown) => error)
      expect(refused instanceof TypeError).toBe(true)
    })

    laneTest('are erased after they ended', async (context) => {
      const { inbox, now, lanes, expect } = context
      const delivery = await recordOne(inbox, now(), 'doorbell:1')
      const refused = await inbox.eraseBody(delivery.id).catch((error: unknown) => error)
      expect((refused as { code?: unknown }).code).toBe('CONFLICT')
      await lanes.settleAll(dead)
      expect(await inbox.eraseBody(delivery.id)).toBe(true)
      expect(await lanes.claim()).toEqual([])
    })

    laneTest('are in lists, counts and failures like others', async (context) => {
      const { inbox, now, advance, lanes, expect } = context
      const delivery = await recordOne(inbox, now(), 'doorbell:1')
      const [lane] = await lanes.claim()
      await lanes.settle(lane, [retry(60_000)])
      const [state] = (await getDetail(inbox, delivery)).events
      expect([state?.status, state?.attempts, state?.dueAt]).toEqual(['pending', 1, now() + 60_000])
      expect(state?.failures).toEqual([{ at: now(), error: 'the handler failed' }])
      expect((await inbox.stats()).events).toEqual({ pending: 1, queued: 0, dead: 0 })
      const [listed] = await inbox.list({ status: 'pending', error: 'the handler failed', limit: 10 })
      expect([listed?.id, listed?.attempts, listed?.lastError]).toEqual([
        delivery.id,
        1,
        'the handler failed',
      ])
      advance(60_000)
      await lanes.settleAll(dead)
      const { groups } = await inbox.failures({ limit: 10 })
      expect(groups.map(({ status, error, events }) => [status, error, events])).toEqual([
        ['dead', 'the handler failed for good', 1],
      ])
      expect((await inbox.stats()).events).toEqual({ pending: 0, queued: 0, dead: 1 })
    })
  })
}
