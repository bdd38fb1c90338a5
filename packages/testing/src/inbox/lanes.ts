import { createEvent } from '@sallyport/webhooks/testing'
import { claimAll, createDelivery, listEventIds } from '../records.ts'
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

export function testLanes({ describe, test }: InboxContext): void {
  const laneTest = testLane(test)

  describe('lanes', () => {
    laneTest('return their next events in order, apart from other events', async (context) => {
      const { inbox, now, advance, lanes, expect } = context
      const delivery = inLane(
        ordered('house:1\0\\'),
        createDelivery(now(), { route: 'queue', event: createEvent('doorbell:a', now()) }, 'doorbell:b'),
      )
      const since = now()
      await inbox.record(delivery)
      advance(10)
      await inbox.record(createDelivery(now(), 'doorbell:c'))
      expect(listEventIds(await claimAll(inbox))).toEqual(['doorbell:c'])
      const claimed = await lanes.claim()
      const lease = claimed[0]?.lease ?? ''
      expect(typeof lease).toBe('string')
      const works = delivery.events.map(({ event, route }) => ({ event, route, attempts: 0, since, lease }))
      expect(claimed).toEqual([{ name: 'house:1\0\\', lease, works }])
      expect(await lanes.claim()).toEqual([])
      expect(await lanes.settle(claimed[0], [done, done])).toEqual({ isSettled: true, isDue: false })
      expect(listEventIds(await inbox.published({ limit: 10 }))).toEqual(['doorbell:a', 'doorbell:b'])
      expect(await lanes.claim()).toEqual([])
    })

    laneTest('have names of 512 characters of any kind, and a place', async ({ lanes, expect }) => {
      const names = ['\\', '鐘', '🔔'].map((text) => `${text.repeat(512 / text.length)}#4294967295`)
      for (const [index, name] of names.entries()) await lanes.record(ordered(name), [`doorbell:${index}`])
      expect((await lanes.claim()).map(({ name }) => name).sort()).toEqual(names.toSorted())
    })

    laneTest('are claimed up to the limits, those that wait longest first', async (context) => {
      const { advance, lanes, expect } = context
      for (const name of ['c', 'a', 'b']) {
        await lanes.record(ordered(name), [`doorbell:${name}1`, `doorbell:${name}2`])
        advance(1)
      }
      expect(await lanes.claim({ limit: 0 })).toEqual([])
      expect(listLanes(await lanes.claim({ limit: 2, events: 1 }))).toEqual([
        ['c', ['doorbell:c1']],
        ['a', ['doorbell:a1']],
      ])
      expect(listLanes(await lanes.claim({ limit: 2, events: 2 }))).toEqual([
        ['b', ['doorbell:b1', 'doorbell:b2']],
      ])
    })

    laneTest('reject limits that are not integers', async ({ lanes, expect }) => {
      await lanes.record(ordered('a'), ['doorbell:a'])
      for (const options of [{ limit: NaN }, { limit: -1 }, { events: 0 }, { leaseMs: NaN }]) {
        const refused = await lanes.claim(options).catch((error: unknown) => error)
        expect(refused instanceof TypeError).toBe(true)
      }
      expect(listLanes(await lanes.claim())).toEqual([['a', ['doorbell:a']]])
    })

    laneTest('delay only themselves by a failed event', async ({ advance, lanes, expect }) => {
      await lanes.record(ordered('a'), ['doorbell:a1', 'doorbell:a2'])
      advance(1)
      await lanes.record(ordered('b'), ['doorbell:b1'])
      const [a, b] = await lanes.claim()
      expect(await lanes.settle(a, [retry(60_000)])).toEqual({ isSettled: true, isDue: false })
      expect(await lanes.settle(b, [done])).toEqual({ isSettled: true, isDue: false })
      await lanes.record(ordered('a'), ['doorbell:a3'])
      await lanes.record(ordered('b'), ['doorbell:b2'])
      const [next] = await lanes.claim()
      expect(listIds(next)).toEqual(['doorbell:b2'])
      await lanes.settle(next, [done])
      advance(59_999)
      expect(await lanes.claim()).toEqual([])
      advance(1)
      const [again] = await lanes.claim()
      expect(again?.works.map(({ event, attempts }) => [event.id, attempts])).toEqual([
        ['doorbell:a1', 1],
        ['doorbell:a2', 0],
        ['doorbell:a3', 0],
      ])
    })

    laneTest('without an order pass an event that waits', async ({ advance, lanes, expect }) => {
      await lanes.record(unordered('a'), ['doorbell:1', 'doorbell:2', 'doorbell:3'])
      const [claimed] = await lanes.claim()
      expect(listIds(claimed)).toEqual(['doorbell:1', 'doorbell:2', 'doorbell:3'])
      expect(await lanes.settle(claimed, [retry(60_000), done])).toEqual({ isSettled: true, isDue: true })
      await lanes.record(unordered('a'), ['doorbell:4'])
      const [next] = await lanes.claim()
      expect(listIds(next)).toEqual(['doorbell:3', 'doorbell:4'])
      expect(await lanes.settle(next, [done, done])).toEqual({ isSettled: true, isDue: false })
      advance(59_999)
      expect(await lanes.claim()).toEqual([])
      advance(1)
      const [last] = await lanes.claim()
      expect(last?.works.map(({ event, attempts }) => [event.id, attempts])).toEqual([['doorbell:1', 1]])
    })

    laneTest('go on after a dead letter', async ({ inbox, lanes, expect }) => {
      await lanes.record(ordered('a'), ['doorbell:1', 'doorbell:2'])
      const [claimed] = await lanes.claim({ events: 1 })
      expect(await lanes.settle(claimed, [dead])).toEqual({ isSettled: true, isDue: true })
      expect(listLanes(await lanes.claim())).toEqual([['a', ['doorbell:2']]])
      expect((await inbox.stats()).events).toEqual({ pending: 1, queued: 0, dead: 1 })
    })

    laneTest('are not claimed while they are paused', async ({ advance, lanes, expect }) => {
      await lanes.record(ordered('a'), ['doorbell:a1', 'doorbell:a2'])
      const [claimed] = await lanes.claim()
      const paused = await lanes.settle(claimed, [dead], { pauses: true })
      expect(paused).toEqual({ isSettled: true, isDue: false })
      await lanes.record(ordered('b'), ['doorbell:b1'])
      const { events } = await lanes.record(ordered('a'), ['doorbell:a3'], { leaseMs: 1000 })
      expect(events).toEqual([{ id: 'doorbell:a3', duplicate: false }])
      expect(listLanes(await lanes.claim())).toEqual([['b', ['doorbell:b1']]])
      advance(14_999)
      expect(await lanes.claim()).toEqual([])
    })

    laneTest('stay paused without open events', async ({ lanes, expect }) => {
      await lanes.record(ordered('a'), ['doorbell:a1'])
      const [claimed] = await lanes.claim()
      await lanes.settle(claimed, [dead], { pauses: true })
      expect(await lanes.claim()).toEqual([])
      const { events } = await lanes.record(ordered('a'), ['doorbell:a2'], { leaseMs: 1000 })
      expect(events).toEqual([{ id: 'doorbell:a2', duplicate: false }])
      expect(await lanes.claim()).toEqual([])
    })

    laneTest('wait behind the others after they were served', async ({ advance, lanes, expect }) => {
      const ids = Array.from({ length: 10 }, (_, index) => `doorbell:a${index}`)
      await lanes.record(ordered('a'), ids)
      for (const name of ['b', 'c']) {
        advance(1)
        await lanes.record(ordered(name), [`doorbell:${name}`])
      }
      const served: string[] = []
      for (let turn = 0; turn < 5; turn++) {
        advance(1)
        const [lane] = await lanes.claim({ limit: 1, events: 1 })
        served.push(...listIds(lane))
        await lanes.settle(lane, [done])
      }
      expect(served).toEqual(['doorbell:a0', 'doorbell:b', 'doorbell:c', 'doorbell:a1', 'doorbell:a2'])
    })

    laneTest('return about maxBytes of data, and at least one event', async (context) => {
      const { inbox, now, advance, lanes, expect } = context
      for (const [name, bytes] of [
        ['a', 10_000],
        ['b', 10_000],
        ['large', 50_000],
        ['c', 100],
      ] as const) {
        for (let index = 0; index < 2; index++) {
          const data = { text: 'x'.repeat(bytes) }
          const event = createEvent(`doorbell:${name}${index}`, now(), { data })
          const delivery = inLane(ordered(name), createDelivery(now(), { event }))
          await inbox.record({ ...delivery, body: new TextEncoder().encode(JSON.stringify(data)) })
        }
        advance(1)
      }
      const claim = async () => {
        const claimed = await lanes.claim({ maxBytes: 35_000 })
        const sizes = claimed.flatMap(({ works }) => works.map(({ bytes }) => bytes ?? 0))
        return [listLanes(claimed), sizes.map((bytes) => Math.round(bytes / 1000))]
      }
      const [a, b] = [
        ['a', ['doorbell:a0', 'doorbell:a1']],
        ['b', ['doorbell:b0']],
      ]
      expect(await claim()).toEqual([
        [a, b],
        [10, 10, 10],
      ])
      expect(await claim()).toEqual([[['large', ['doorbell:large0']]], [50]])
      expect(await claim()).toEqual([[['c', ['doorbell:c0', 'doorbell:c1']]], [0, 0]])
    })
  })
}
