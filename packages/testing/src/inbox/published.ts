import type { CompleteInbox, PublishedQuery } from '@sallyport/webhooks'
import { createEvent } from '@sallyport/webhooks/testing'
import {
  claimAll,
  createDelivery,
  createQuarantinedDelivery,
  listEventIds,
  settleAll,
  withProvider,
} from '../records.ts'
import type { InboxContext } from './context.ts'

export function testPublished({ describe, test, durableTest }: InboxContext): void {
  describe('published', () => {
    test('returns only published events', async ({ inbox, now, advance, expect }) => {
      const delivery = createDelivery(now(), { event: createEvent('doorbell:a', now()), route: 'queue' })
      await inbox.record(delivery)
      await inbox.record(createDelivery(now(), 'doorbell:waiting'), { leaseMs: 60_000 })
      advance(250)
      await settleAll(inbox)
      await inbox.record(createDelivery(now(), 'doorbell:dead'))
      await settleAll(inbox, { status: 'dead', error: 'the bus failed' })
      const [published, ...others] = await inbox.published({ limit: 10 })
      const { sequence, ...rest } = published ?? { sequence: 0 }
      expect(rest).toEqual({ event: delivery.events[0]?.event, route: 'queue', publishedAt: now() })
      expect(sequence > 0).toBe(true)
      expect(others).toEqual([])
    })

    test('orders by publication and pages by sequence and offset', async ({ inbox, now, expect }) => {
      await inbox.record(createDelivery(now(), 'doorbell:a', 'doorbell:b', 'doorbell:c', 'doorbell:d'))
      const claimed = await claimAll(inbox)
      for (const { event, lease } of claimed.toReversed()) {
        await inbox.settle('publish', [{ id: event.id, lease, outcome: { status: 'done' } }])
      }
      const all = await inbox.published({ limit: 10 })
      expect(listEventIds(all)).toEqual(['doorbell:d', 'doorbell:c', 'doorbell:b', 'doorbell:a'])
      const page = async (query: PublishedQuery) => listEventIds(await inbox.published(query))
      expect(await page({ limit: 2 })).toEqual(['doorbell:d', 'doorbell:c'])
      expect(await page({ limit: 2, after: all[1]?.sequence ?? 0 })).toEqual(['doorbell:b', 'doorbell:a'])
      expect(await page({ limit: 2, offset: 1 })).toEqual(['doorbell:c', 'doorbell:b'])
      expect(await page({ limit: 2, after: all[0]?.sequence ?? 0, offset: 2 })).toEqual(['doorbell:a'])
      expect(await page({ limit: 2, after: all[3]?.sequence ?? 0 })).toEqual([])
      expect(await page({ limit: 2, before: Number.MAX_SAFE_INTEGER })).toEqual(['doorbell:a', 'doorbell:b'])
      expect(await page({ limit: 9, before: all[2]?.sequence ?? 0 })).toEqual(['doorbell:c', 'doorbell:d'])
      expect(await page({ limit: 9, before: all[3]?.sequence ?? 0, after: all[0]?.sequence ?? 0 })).toEqual([
        'doorbell:b',
        'doorbell:c',
      ])
      expect(await page({ limit: 2, before: all[0]?.sequence ?? 0 })).toEqual([])
    })

    test('filters and counts by provider and name', async ({ inbox, now, expect }) => {
      const rung = createDelivery(now(), 'doorbell:a', 'doorbell:b', {
        event: createEvent('doorbell:c', now(), { name: 'doorbell/bell.broken' }),
      })
      const parcel = createDelivery(now(), {
        event: createEvent('mailbox:a', now(), { name: 'mailbox/parcel.left' }),
      })
      const source = {
        ...rung.events[0]?.event.source,
        provider: 'mailbox',
        deliveryId: parcel.id,
        receivedAt: now(),
      }
      await inbox.record(rung)
      await inbox.record({
        ...parcel,
        provider: 'mailbox',
        events: parcel.events.map((record) => ({ ...record, event: { ...record.event, source } })),
      })
      await settleAll(inbox)
      for (const [filter, ids] of [
        [{}, ['doorbell:a', 'doorbell:b', 'doorbell:c', 'mailbox:a']],
        [{ provider: 'doorbell' }, ['doorbell:a', 'doorbell:b', 'doorbell:c']],
        [{ provider: 'mailbox' }, ['mailbox:a']],
        [{ name: 'doorbell/bell.broken' }, ['doorbell:c']],
        [{ provider: 'doorbell', name: 'doorbell/bell.rung' }, ['doorbell:a', 'doorbell:b']],
        [{ provider: 'mailbox', name: 'doorbell/bell.rung' }, []],
      ] as const) {
        expect(listEventIds(await inbox.published({ ...filter, limit: 10 }))).toEqual(ids)
        expect(await inbox.countPublished(filter)).toBe(ids.length)
      }
      expect(listEventIds(await inbox.published({ provider: 'doorbell', offset: 1, limit: 1 }))).toEqual([
        'doorbell:b',
      ])
    })

    test('returns each event once to a reader that follows the sequence', async ({
      inbox,
      now,
      reopen,
      expect,
    }) => {
      const other = await reopen()
      const ids = Array.from({ length: 60 }, (_, index) => `doorbell:${index}`)
      await inbox.record(createDelivery(now(), ...ids))
      const seen: string[] = []
      let writing = true
      const write = async (own: CompleteInbox) => {
        let claimed
        while ((claimed = await own.claim('publish', { limit: 3, leaseMs: 60_000 })).length > 0) {
          await Promise.all(
            claimed.map(({ event, lease }) =>
              own.settle('publish', [{ id: event.id, lease, outcome: { status: 'done' } }]),
            ),
          )
        }
      }
      const follow = async () => {
        let after = 0
        for (;;) {
          const last = !writing
          const page = await inbox.published({ after, limit: 7 })
          for (const { sequence, event } of page) {
            expect(sequence > after).toBe(true)
            after = sequence
            seen.push(event.id)
          }
          if (last && page.length === 0) return
        }
      }
      const writers = Promise.all([write(inbox), write(other)]).finally(() => {
        writing = false
      })
      await Promise.all([writers, follow()])
      expect(seen.length).toBe(60)
      expect(new Set(seen).size).toBe(60)
    })

    durableTest(
      'continues the sequence after a restart of the process',
      async ({ inbox, now, reopen, expect }) => {
        await inbox.record(createDelivery(now(), 'doorbell:a'))
        await settleAll(inbox)
        const other = await reopen()
        const [first] = await other.published({ limit: 1 })
        await other.record(createDelivery(now(), 'doorbell:b'))
        await settleAll(other)
        expect(listEventIds(await other.published({ limit: 1, after: first?.sequence ?? 0 }))).toEqual([
          'doorbell:b',
        ])
      },
    )
  })
}

/** An inbox without lanes returns no counts of lanes. */
const noLanes = { open: 0, stuck: 0, paused: 0 }

export function testStats({ describe, test }: InboxContext): void {
  describe('stats', () => {
    test('are zero for an empty inbox', async ({ inbox, expect }) => {
      expect({ lanes: noLanes, ...(await inbox.stats()) }).toEqual({
        lanes: noLanes,
        events: { pending: 0, queued: 0, dead: 0 },
        notifications: { pending: 0, dead: 0 },
        quarantined: 0,
        published: 0,
      })
    })

    test('count up to a limit and return the age of the oldest event', async (context) => {
      const { inbox, now, advance, expect } = context
      const owing = (id: string) => ({ event: createEvent(id, now()), notify: true })
      await inbox.record(createDelivery(now(), 'doorbell:dead:1', 'doorbell:dead:2'))
      await settleAll(inbox, { status: 'dead', error: 'x' })
      const queuedAt = now()
      await inbox.record(createDelivery(queuedAt, 'doorbell:queued'))
      await settleAll(inbox, { status: 'queued', redeliverAfterMs: 1_000_000 })
      await inbox.record(createDelivery(now(), owing('doorbell:a')))
      await settleAll(inbox)
      await settleAll(inbox, { status: 'dead', error: 'x' }, 'notify')
      await inbox.record(createDelivery(now(), owing('doorbell:b'), owing('doorbell:c')))
      await settleAll(inbox)
      await inbox.record(createQuarantinedDelivery(now()))
      advance(1000)
      const oldest = now()
      await inbox.record(withProvider('mailbox', createDelivery(oldest, 'mailbox:a', 'mailbox:b')))
      advance(1000)
      await inbox.record(createDelivery(now(), 'doorbell:d'))
      const stats = {
        lanes: noLanes,
        events: { pending: 3, queued: 1, dead: 2 },
        notifications: { pending: 2, dead: 1 },
        quarantined: 1,
        oldestPendingAt: oldest,
        oldestQueuedAt: queuedAt,
        published: 3,
      }
      expect({ lanes: noLanes, ...(await inbox.stats()) }).toEqual(stats)
      expect({ lanes: noLanes, ...(await inbox.stats({ countUpTo: 1 })) }).toEqual({
        ...stats,
        events: { pending: 1, queued: 1, dead: 1 },
        notifications: { pending: 1, dead: 1 },
      })
      expect({ lanes: noLanes, ...(await inbox.stats({ countUpTo: 0 })) }).toEqual({
        ...stats,
        events: { pending: 0, queued: 0, dead: 0 },
        notifications: { pending: 0, dead: 0 },
        quarantined: 0,
      })
    })

    test('return the age of the oldest queued event without a failed attempt', async (context) => {
      const { inbox, now, advance, expect } = context
      const times: number[] = []
      for (const id of ['doorbell:a', 'doorbell:b']) {
        advance(1000)
        times.push(now())
        await inbox.record(createDelivery(now(), id))
        await settleAll(inbox, { status: 'queued', redeliverAfterMs: 1_000_000 })
      }
      expect((await inbox.stats()).oldestQueuedAt).toBe(times[0])
      await inbox.postponed([{ id: 'doorbell:a', error: 'no answer' }])
      expect((await inbox.stats()).oldestQueuedAt).toBe(times[1])
      await inbox.forwarded(['doorbell:b'])
      expect((await inbox.stats()).oldestQueuedAt).toBe(undefined)
    })

    test('ignore resolved quarantines and notifications of unpublished events', async (context) => {
      const { inbox, now, expect } = context
      const delivery = createQuarantinedDelivery(now())
      await inbox.record(delivery)
      const events = createDelivery(now(), { event: createEvent('doorbell:a', now()), notify: true }).events
      await inbox.resolve(delivery.id, events)
      const { quarantined, notifications } = await inbox.stats()
      expect([quarantined, notifications]).toEqual([0, { pending: 0, dead: 0 }])
    })
  })
}
