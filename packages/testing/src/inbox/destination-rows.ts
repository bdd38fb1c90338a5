import type { DeliveryFilter } from '@sallyport/webhooks'
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
        const together = [delivery.id, 'unknown', delivery.id].map(async (id) => await inbox.getRequest?.(id))
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

    laneTest('show an event once in the list of published events', async ({ inbox, now, lanes, expect }) => {
      const record = async (ids: readonly string[]) => {
        const rows = createDelivery(now(), ...ids).events
        const lane = (id: string) => ({ name: `${id.slice(0, id.indexOf('/'))}/0`, isOrdered: false })
        const events = rows.map((row) =>
          row.event.id.startsWith('>') ? { ...row, lane: lane(row.event.id) } : row,
        )
        await inbox.record({ ...createDelivery(now(), ids[0] ?? ''), events })
      }
      await record(['doorbell:1', '>billing/doorbell:1', '>crm/doorbell:1'])
      await record(['>billing/doorbell:2', '>crm/doorbell:2'])
      await lanes.settleAll()
      await settleAll(inbox)
      const published = await inbox.published({ limit: 10 })
      const ids = published.map(({ event }) => event.id)
      expect(ids.length).toBe(2)
      expect(ids.filter((id) => id.endsWith('doorbell:1'))).toEqual(['doorbell:1'])
      expect(ids.filter((id) => id.endsWith('/doorbell:2')).length).toBe(1)
      expect(await inbox.countPublished({})).toBe(2)
    })

    laneTest(
      'are selected and listed by their destination',
      async ({ inbox, now, advance, lanes, expect }) => {
        const record = async (number: number) => {
          const billing = inLane(
            unordered('>billing/0'),
            createDelivery(now(), `>billing/doorbell:${number}`),
          )
          const crm = inLane(unordered('>crm/0'), createDelivery(now(), `>crm/doorbell:${number}`))
          const values = [`doorbell:${number}`]
          await inbox.record({ ...billing, values, events: [...billing.events, ...crm.events] })
          advance(1)
          return billing.id
        }
        const first = await record(1)
        const second = await record(2)
        for (const lane of await lanes.claim())
          await lanes.settle(
            lane,
            lane.works.map(() =>
              lane.name.startsWith('>crm')
                ? done
                : { status: 'dead', error: 'HTTP 400', response: { status: 400, durationMs: 1 } },
            ),
          )
        const third = await record(3)
        const list = async (filter: DeliveryFilter) =>
          (await inbox.list({ ...filter, order: 'oldest', limit: 10 })).map(({ id }) => id)
        expect(await list({ destination: 'billing' })).toEqual([first, second, third])
        expect(await list({ destination: 'billing', status: 'dead' })).toEqual([first, second])
        expect(await list({ destination: 'crm', status: 'dead' })).toEqual([])
        expect(await list({ destination: 'unknown' })).toEqual([])
        expect(await list({ eventId: 'doorbell:2' })).toEqual([second])
        expect(await list({ eventId: '>crm/doorbell:2' })).toEqual([second])
        expect(await inbox.countDeliveries({ destination: 'billing', status: 'dead' })).toBe(2)

        const rows = (await inbox.destinationEvents?.({ destination: 'billing', limit: 2 })) ?? []
        expect(rows.map(({ event, status }) => [event.id, status])).toEqual([
          ['>billing/doorbell:3', 'pending'],
          ['>billing/doorbell:2', 'dead'],
        ])
        expect(rows[1]?.failures.map(({ error, response }) => [error, response?.status])).toEqual([
          ['HTTP 400', 400],
        ])
        const dead = await inbox.destinationEvents?.({ destination: 'crm', status: 'dead', limit: 9 })
        expect(dead).toEqual([])

        const { groups } = await inbox.failures({ limit: 10 })
        expect(groups.map(({ destination, error, events }) => [destination, error, events])).toEqual([
          ['billing', 'HTTP 400', 2],
        ])
        const replayed = await inbox.replay({ filter: { destination: 'billing', status: 'dead' }, limit: 10 })
        expect(replayed.deliveries.flatMap(({ events }) => events)).toEqual([
          '>billing/doorbell:1',
          '>billing/doorbell:2',
        ])
        expect(
          await inbox.cancel({ filter: { destination: 'billing', eventId: 'doorbell:2' }, limit: 10 }),
        ).toEqual({
          events: 1,
          busy: 0,
        })
        expect(await inbox.cancel({ filter: { destination: 'billing' }, limit: 10 })).toEqual({
          events: 2,
          busy: 0,
        })
        expect((await inbox.destinationBacklogs?.())?.map(({ name }) => name)).toEqual(['crm'])
      },
    )

    laneTest('are selected by the id of an event that has another row', async ({ inbox, now, expect }) => {
      const delivery = inLane(unordered('>billing/0'), createDelivery(now(), '>billing/doorbell:1'))
      const own = createDelivery(now(), 'doorbell:1')
      await inbox.record({ ...delivery, events: [...own.events, ...delivery.events] })
      const filter = { eventId: 'doorbell:1', destination: 'billing' }
      expect(await inbox.cancel({ filter, limit: 10 })).toEqual({ events: 1, busy: 0 })
      expect((await inbox.stats()).events).toEqual({ pending: 1, queued: 0, dead: 1 })
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
