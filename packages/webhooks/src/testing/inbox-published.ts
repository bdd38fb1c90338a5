import type { Inbox, PublishedQuery } from '../ports/ports.ts'
import { claimAll, deliveryOf, eventOf, idsOf, settleAll, type InboxContext } from './inbox-context.ts'

export function testPublished({ describe, test, durableTest }: InboxContext): void {
  describe('published', () => {
    test('tells what was published, and nothing else', async ({ inbox, now, advance, expect }) => {
      const delivery = deliveryOf(now(), { event: eventOf('doorbell:a', now()), route: 'queue' })
      await inbox.record(delivery)
      await inbox.record(deliveryOf(now(), 'doorbell:waiting'), { leaseMs: 60_000 })
      advance(250)
      await settleAll(inbox)
      await inbox.record(deliveryOf(now(), 'doorbell:dead'))
      await settleAll(inbox, { status: 'dead', error: 'the bus is gone' })
      const [published, ...others] = await inbox.published({ limit: 10 })
      const { sequence, ...rest } = published ?? { sequence: 0 }
      expect(rest).toEqual({ event: delivery.events[0]?.event, route: 'queue', publishedAt: now() })
      expect(sequence > 0).toBe(true)
      expect(others).toEqual([])
    })

    test('is ordered by publication, and pages by sequence and by offset', async ({ inbox, now, expect }) => {
      await inbox.record(deliveryOf(now(), 'doorbell:a', 'doorbell:b', 'doorbell:c', 'doorbell:d'))
      const claimed = await claimAll(inbox)
      for (const { event, lease } of claimed.toReversed()) {
        await inbox.settle('publish', [{ id: event.id, lease, outcome: { status: 'done' } }])
      }
      const all = await inbox.published({ limit: 10 })
      expect(idsOf(all)).toEqual(['doorbell:d', 'doorbell:c', 'doorbell:b', 'doorbell:a'])
      const page = async (query: PublishedQuery) => idsOf(await inbox.published(query))
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

    test('filters by provider and by name, and counts what matches', async ({ inbox, now, expect }) => {
      const rung = deliveryOf(now(), 'doorbell:a', 'doorbell:b', {
        event: eventOf('doorbell:c', now(), { name: 'doorbell/bell.broken' }),
      })
      const parcel = deliveryOf(now(), {
        event: eventOf('mailbox:a', now(), { name: 'mailbox/parcel.left' }),
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
        expect(idsOf(await inbox.published({ ...filter, limit: 10 }))).toEqual(ids)
        expect(await inbox.countPublished(filter)).toBe(ids.length)
      }
      expect(idsOf(await inbox.published({ provider: 'doorbell', offset: 1, limit: 1 }))).toEqual([
        'doorbell:b',
      ])
    })

    test('shows a reader that follows it every event once', async ({ inbox, now, reopen, expect }) => {
      const other = await reopen()
      const ids = Array.from({ length: 60 }, (_, index) => `doorbell:${index}`)
      await inbox.record(deliveryOf(now(), ...ids))
      const seen: string[] = []
      let writing = true
      const write = async (own: Inbox) => {
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

    durableTest('counts on where it was', async ({ inbox, now, reopen, expect }) => {
      await inbox.record(deliveryOf(now(), 'doorbell:a'))
      await settleAll(inbox)
      const other = await reopen()
      const [first] = await other.published({ limit: 1 })
      await other.record(deliveryOf(now(), 'doorbell:b'))
      await settleAll(other)
      expect(idsOf(await other.published({ limit: 1, after: first?.sequence ?? 0 }))).toEqual(['doorbell:b'])
    })
  })
}
