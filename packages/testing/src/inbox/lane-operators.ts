import type { CompleteInbox, LaneQuery, OperatorInbox } from '@sallyport/webhooks'
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
      const lane = { name: 'house:1\\', state: 'waiting', isOrdered: true, events: 2 }
      const list = () => inbox.listLanes({ order: 'oldest', limit: 10 })
      expect(await list()).toEqual([{ ...lane, state: 'running', leaseEndsAt: now() + 1000, first }])
      await lanes.settle(claimed, [retry(5000)])
      const failed = { ...first, attempts: 1, dueAt: now() + 5000, lastError: 'the handler failed' }
      expect(await list()).toEqual([{ ...lane, state: 'stuck', first: failed }])
      expect(await inbox.pauseLane('house:1\\')).toBe(true)
      expect(await list()).toEqual([{ ...lane, state: 'paused', pausedAt: now(), first: failed }])
    })

    operatorTest('are listed by their attempts, their age or their events', async (context) => {
      const { inbox, advance, lanes, expect } = context
      const list = async (query: Partial<LaneQuery> & Pick<LaneQuery, 'order'>) =>
        (await inbox.listLanes({ limit: 10, ...query })).map(({ name }) => name)
      expect(await list({ order: 'busiest' })).toEqual([])
      for (const [name, count] of [
        ['a', 1],
        ['b', 3],
        ['c', 2],
      ] as const) {
        const ids = Array.from({ length: count }, (_, index) => `doorbell:${name}${index}`)
        await lanes.record(ordered(name), ids)
        advance(1)
      }
      expect(await list({ order: 'oldest' })).toEqual(['a', 'b', 'c'])
      expect(await list({ order: 'busiest' })).toEqual(['b', 'c', 'a'])
      for (const lane of await lanes.claim())
        if (lane.name !== 'a') await lanes.settle(lane, [retry(lane.name === 'b' ? 1 : 60_000)])
      advance(1)
      const [b] = await lanes.claim()
      await lanes.settle(b, [retry(1)])
      expect(await list({ order: 'attempts' })).toEqual(['b', 'c', 'a'])
      expect(await list({ order: 'attempts', limit: 1 })).toEqual(['b'])
      expect(await list({ order: 'oldest', name: 'c' })).toEqual(['c'])
    })

    operatorTest('are listed and counted by their state', async (context) => {
      const { inbox, now, advance, lanes, expect } = context
      const states = ['stuck', 'paused', 'running', 'waiting'] as const
      const list = () =>
        Promise.all(
          states.map(async (state) => {
            const found = await inbox.listLanes({ order: 'busiest', state, limit: 10 })
            return found.map((lane) => [lane.name, lane.state === state])
          }),
        )
      expect((await inbox.stats()).lanes).toEqual({ open: 0, stuck: 0, paused: 0 })
      const since = now()
      for (const name of ['a', 'b', 'c', 'd']) {
        await lanes.record(ordered(name), [`doorbell:${name}`])
        advance(1)
      }
      await inbox.pauseLane('d')
      await inbox.pauseLane('empty')
      const claimed = await lanes.claim({ leaseMs: 1000 })
      for (const lane of claimed) {
        if (lane.name === 'a') await lanes.settle(lane, [retry(60_000)])
        if (lane.name === 'c') await inbox.renew?.([{ lane: 'c', lease: lane.lease }], { leaseMs: 0 })
      }
      expect(await list()).toEqual([[['a', true]], [['d', true]], [['b', true]], [['c', true]]])
      expect((await inbox.listLanes({ order: 'oldest', state: 'paused', limit: 10 })).length).toBe(2)
      const { lanes: counts } = await inbox.stats()
      expect(counts).toEqual({ open: 4, stuck: 1, paused: 2, oldestPendingAt: since })
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
      expect(await inbox.skipLaneHead('a', 'doorbell:1')).toEqual({ events: 0, isBusy: true })
      await lanes.settle(claimed, [retry(60_000)])
      expect(await inbox.skipLaneHead('a', 'doorbell:2')).toEqual({ events: 0, isBusy: false })
      expect(await inbox.skipLaneHead('a', 'doorbell:1')).toEqual({ events: 1, isBusy: false })
      expect(listLanes(await lanes.claim())).toEqual([['a', ['doorbell:2']]])
      const [skipped] = (await getDetail(inbox, delivery)).events
      expect([skipped?.status, skipped?.attempts]).toEqual(['dead', 1])
      expect(skipped?.failures.map(({ error }) => error)).toEqual([
        'the handler failed',
        'Skipped by an operator',
      ])
      expect(await inbox.skipLaneHead('b', 'doorbell:1')).toEqual({ events: 0, isBusy: false })
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

    operatorTest('stay free for an operator who found them busy, once they are released', async (context) => {
      const { inbox, advance, lanes, expect } = context
      await lanes.record(ordered('a'), ['doorbell:1', 'doorbell:2', 'doorbell:3'])
      const [claimed] = await lanes.claim({ events: 1, leaseMs: 60_000 })
      expect(await inbox.cancelLane('a', { limit: 1 })).toEqual({ events: 0, isBusy: true })
      await lanes.settle(claimed, [done])
      expect(await lanes.claim()).toEqual([])
      const [free] = await inbox.listLanes({ order: 'oldest', state: 'waiting', limit: 1 })
      expect([free?.name, free?.leaseEndsAt]).toEqual(['a', undefined])
      expect(await inbox.cancelLane('a', { limit: 1 })).toEqual({ events: 1, isBusy: false })
      expect(listLanes(await lanes.claim({ leaseMs: 1000 }))).toEqual([['a', ['doorbell:3']]])
      expect(await inbox.retryLaneHead('a')).toEqual({ events: 0, isBusy: true })
      advance(5000)
      expect(listLanes(await lanes.claim())).toEqual([['a', ['doorbell:3']]])
    })

    operatorTest('take no settlement of an owner whose lease ended before a change', async (context) => {
      const { inbox, advance, lanes, expect } = context
      await lanes.record(ordered('a'), ['doorbell:1'])
      const [claimed] = await lanes.claim({ leaseMs: 1000 })
      advance(1000)
      expect(await inbox.skipLaneHead('a', 'doorbell:1')).toEqual({ events: 1, isBusy: false })
      expect(await lanes.settle(claimed, [dead])).toEqual({ isSettled: false, isDue: false })
    })
  })
}
