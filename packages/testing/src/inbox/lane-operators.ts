import type { CompleteInbox, OperatorInbox } from '@sallyport/webhooks'
import { createDelivery, getDetail } from '../records.ts'
import type { InboxContext } from './context.ts'
import { dead, done, inLane, listIds, listLanes, ordered, retry, testLane } from './lane-context.ts'

type Operators = Required<
  Pick<
    OperatorInbox,
    'listLanes' | 'pauseLane' | 'resumeLane' | 'skipLaneHead' | 'retryLaneHead' | 'cancelLane'
  >
>

const isOperated = (inbox: CompleteInbox): inbox is CompleteInbox & Operators => inbox.listLanes !== undefined

/** Defines the tests of the operations of operators on lanes. */
export function testLaneOperators({ describe, test }: InboxContext): void {
  const laneTest = testLane(test)
  type Context = Parameters<Parameters<typeof laneTest>[1]>[0]

  /** Declares a test that an inbox without these operations passes. */
  const operatorTest = (
    name: string,
    body: (context: Omit<Context, 'inbox'> & { readonly inbox: CompleteInbox & Operators }) => Promise<void>,
  ) => {
    laneTest(name, async (context) => {
      const { inbox } = context
      if (isOperated(inbox)) await body({ ...context, inbox })
    })
  }

  describe('operated lanes', () => {
    operatorTest('are listed with their first events', async (context) => {
      const { inbox, now, advance, lanes, expect } = context
      const since = now()
      const delivery = inLane(ordered('house:1\\'), createDelivery(now(), 'doorbell:1', 'doorbell:2'))
      await inbox.record(delivery)
      advance(10)
      const [claimed] = await lanes.claim({ leaseMs: 1000 })
      const first = {
        ...{ id: 'doorbell:1', name: delivery.events[0]?.event.name, deliveryId: delivery.id },
        ...{ attempts: 0, since, dueAt: since },
      }
      const lane = { name: 'house:1\\', isOrdered: true, events: 2 }
      const list = () => inbox.listLanes({ order: 'oldest', limit: 10 })
      expect(await list()).toEqual([{ ...lane, leaseEndsAt: now() + 1000, first }])
      await lanes.settle(claimed, [retry(5000)])
      const failed = { ...first, attempts: 1, dueAt: now() + 5000, lastError: 'the handler failed' }
      expect(await list()).toEqual([{ ...lane, first: failed }])
      expect(await inbox.pauseLane('house:1\\')).toBe(true)
      expect(await list()).toEqual([{ ...lane, pausedAt: now(), first: failed }])
    })

    operatorTest('are listed by their trouble, their age or their events', async (context) => {
      const { inbox, advance, lanes, expect } = context
      const list = async (order: 'stuck' | 'oldest' | 'busiest', limit = 10) =>
        (await inbox.listLanes({ order, limit })).map(({ name }) => name)
      expect(await list('busiest')).toEqual([])
      for (const [name, count] of [
        ['a', 1],
        ['b', 3],
        ['c', 2],
      ] as const) {
        const ids = Array.from({ length: count }, (_, index) => `doorbell:${name}${index}`)
        await lanes.record(ordered(name), ids)
        advance(1)
      }
      expect(await list('stuck')).toEqual([])
      expect(await list('oldest')).toEqual(['a', 'b', 'c'])
      expect(await list('busiest')).toEqual(['b', 'c', 'a'])
      for (const lane of await lanes.claim())
        if (lane.name !== 'a') await lanes.settle(lane, [retry(lane.name === 'b' ? 1 : 60_000)])
      advance(1)
      const [b] = await lanes.claim()
      await lanes.settle(b, [retry(1)])
      expect(await list('stuck')).toEqual(['b', 'c'])
      await inbox.pauseLane('d')
      expect(await list('stuck')).toEqual(['d', 'b', 'c'])
      expect(await list('stuck', 1)).toEqual(['d'])
      expect(await list('busiest')).toEqual(['b', 'c', 'a'])
    })

    operatorTest('are paused until they are resumed', async (context) => {
      const { inbox, advance, lanes, expect } = context
      await lanes.record(ordered('a'), ['doorbell:1', 'doorbell:2'])
      const [claimed] = await lanes.claim()
      expect([await inbox.pauseLane('a'), await inbox.pauseLane('a')]).toEqual([true, false])
      expect(await lanes.settle(claimed, [done])).toEqual({ isSettled: true, isDue: false })
      advance(60_000)
      expect(await lanes.claim()).toEqual([])
      expect([await inbox.resumeLane('a'), await inbox.resumeLane('a')]).toEqual([true, false])
      const [again] = await lanes.claim()
      expect(listIds(again)).toEqual(['doorbell:2'])
      await lanes.settle(again, [done])
      expect(await inbox.resumeLane('a')).toBe(false)
    })

    operatorTest(
      'are paused before their first event, and forgotten when they are resumed',
      async (context) => {
        const { inbox, lanes, expect } = context
        await inbox.pauseLane('a')
        await inbox.pauseLane('b')
        expect((await lanes.record(ordered('a'), ['doorbell:1'], { leaseMs: 1000 })).events).toEqual([
          { id: 'doorbell:1', duplicate: false },
        ])
        expect(await lanes.claim()).toEqual([])
        await inbox.resumeLane('a')
        await inbox.resumeLane('b')
        expect(listLanes(await lanes.claim())).toEqual([['a', ['doorbell:1']]])
        const { events } = await lanes.record(ordered('b'), ['doorbell:2'], { leaseMs: 1000 })
        expect(typeof events[0]?.lease).toBe('string')
      },
    )

    operatorTest('go on when their first event is skipped', async (context) => {
      const { inbox, now, lanes, expect } = context
      const delivery = inLane(ordered('a'), createDelivery(now(), 'doorbell:1', 'doorbell:2'))
      await inbox.record(delivery)
      const [claimed] = await lanes.claim()
      expect(await inbox.skipLaneHead('a')).toEqual({ events: 0, isBusy: true })
      await lanes.settle(claimed, [retry(60_000)])
      expect(await inbox.skipLaneHead('a')).toEqual({ events: 1, isBusy: false })
      expect(listLanes(await lanes.claim())).toEqual([['a', ['doorbell:2']]])
      const [skipped] = (await getDetail(inbox, delivery)).events
      expect([skipped?.status, skipped?.attempts]).toEqual(['dead', 1])
      expect(skipped?.failures.map(({ error }) => error)).toEqual([
        'the handler failed',
        'Skipped by an operator',
      ])
      expect(await inbox.skipLaneHead('b')).toEqual({ events: 0, isBusy: false })
    })

    operatorTest('are due when their first event is to be retried', async (context) => {
      const { inbox, now, advance, lanes, expect } = context
      const since = now()
      await lanes.record(ordered('a'), ['doorbell:1', 'doorbell:2'])
      const [claimed] = await lanes.claim()
      await lanes.settle(claimed, [retry(3_600_000)])
      advance(10)
      expect(await lanes.claim()).toEqual([])
      expect(await inbox.retryLaneHead('a')).toEqual({ events: 1, isBusy: false })
      const [again] = await lanes.claim()
      expect(again?.works.map(({ event, attempts, since: from }) => [event.id, attempts, from])).toEqual([
        ['doorbell:1', 1, since],
        ['doorbell:2', 0, since],
      ])
      expect(await inbox.retryLaneHead('a')).toEqual({ events: 0, isBusy: true })
    })

    operatorTest('lose their events when they are cancelled', async (context) => {
      const { inbox, now, lanes, expect } = context
      const delivery = inLane(ordered('a'), createDelivery(now(), 'doorbell:1', 'doorbell:2', 'doorbell:3'))
      await inbox.record(delivery)
      await lanes.record(ordered('b'), ['doorbell:4'])
      expect(await inbox.cancelLane('a', { limit: 2 })).toEqual({ events: 2, isBusy: false })
      expect(await inbox.cancelLane('a', { limit: 2 })).toEqual({ events: 1, isBusy: false })
      expect((await inbox.stats()).events).toEqual({ pending: 1, queued: 0, dead: 3 })
      const errors = (await getDetail(inbox, delivery)).events.map(({ failures }) => failures[0]?.error)
      expect(errors).toEqual(Array(3).fill('Cancelled by an operator'))
      expect(listLanes(await lanes.claim())).toEqual([['b', ['doorbell:4']]])
      const { events } = await lanes.record(ordered('a'), ['doorbell:5'], { leaseMs: 1000 })
      expect(typeof events[0]?.lease).toBe('string')
    })

    operatorTest('take no settlement of an owner whose lease ended before a change', async (context) => {
      const { inbox, advance, lanes, expect } = context
      await lanes.record(ordered('a'), ['doorbell:1'])
      const [claimed] = await lanes.claim({ leaseMs: 1000 })
      advance(1000)
      expect(await inbox.skipLaneHead('a')).toEqual({ events: 1, isBusy: false })
      expect(await lanes.settle(claimed, [dead])).toEqual({ isSettled: false, isDue: false })
    })
  })
}
