import type { DeliveryRecord, CompleteInbox } from '@sallyport/webhooks'
import { createEvent } from '@sallyport/webhooks/testing'
import { claimAll, createDelivery, listEventIds, settleAll, withProvider } from '../records.ts'
import type { InboxContext } from './context.ts'

const done = { status: 'done' } as const

export function testLeases({ describe, test, durableTest }: InboxContext): void {
  describe('leases', () => {
    test('are granted for due work, oldest first, up to the limit', async ({
      inbox,
      now,
      advance,
      expect,
    }) => {
      for (const id of ['doorbell:c', 'doorbell:a', 'doorbell:b']) {
        await inbox.record(createDelivery(now(), id))
        advance(1)
      }
      expect(await inbox.claim('publish', { limit: 0, leaseMs: 1000 })).toEqual([])
      expect(listEventIds(await inbox.claim('publish', { limit: 2, leaseMs: 1000 }))).toEqual([
        'doorbell:c',
        'doorbell:a',
      ])
      expect(listEventIds(await inbox.claim('publish', { limit: 2, leaseMs: 1000 }))).toEqual(['doorbell:b'])
      expect(await inbox.claim('publish', { limit: 2, leaseMs: 1000 })).toEqual([])
    })

    test('of a crashed process end within a lease after the clock was set back', async (context) => {
      const { inbox, now, advance, reopen, expect } = context
      await inbox.record(createDelivery(now(), 'doorbell:a'), { leaseMs: 1000 })
      await inbox.record(createDelivery(now(), 'doorbell:b'))
      advance(-24 * 3_600_000)
      const other = await reopen()
      expect(listEventIds(await other.claim('publish', { limit: 10, leaseMs: 1000 }))).toEqual(['doorbell:b'])
      advance(1000)
      expect(listEventIds(await other.claim('publish', { limit: 1, leaseMs: 1000 }))).toEqual(['doorbell:a'])
    })

    test('are granted for retries that the clock would reach a day late', async ({
      inbox,
      now,
      advance,
      expect,
    }) => {
      await inbox.record(createDelivery(now(), 'doorbell:a'))
      advance(2 * 24 * 3_600_000)
      await settleAll(inbox, { status: 'retry', afterMs: 60_000, error: 'It is down' })
      const asked = { limit: 10, leaseMs: 1000, longestDelayMs: 3_600_000 }
      expect(await inbox.claim('publish', asked)).toEqual([])
      advance(-24 * 3_600_000)
      expect(listEventIds(await inbox.claim('publish', asked))).toEqual(['doorbell:a'])
    })

    test('keep a retry waiting for its delay', async ({ inbox, now, advance, expect }) => {
      await inbox.record(createDelivery(now(), 'doorbell:a'))
      await settleAll(inbox, { status: 'retry', afterMs: 3_600_000, error: 'It is down' })
      const asked = { limit: 10, leaseMs: 1000, longestDelayMs: 3_600_000 }
      expect(await inbox.claim('publish', asked)).toEqual([])
      advance(3_599_999)
      expect(await inbox.claim('publish', asked)).toEqual([])
    })

    test('return the attempts and the age of the work', async ({ inbox, now, advance, expect }) => {
      const delivery = createDelivery(now(), { route: 'queue' })
      const since = now()
      await inbox.record(delivery)
      advance(5000)
      const [claimed] = await claimAll(inbox)
      const { lease, ...work } = claimed ?? { lease: undefined }
      expect(work).toEqual({ event: delivery.events[0]?.event, route: 'queue', attempts: 0, since })
      expect(typeof lease).toBe('string')
    })

    test('of a record exclude other processes until they end', async ({
      inbox,
      now,
      advance,
      reopen,
      expect,
    }) => {
      const { events } = await inbox.record(createDelivery(now(), 'doorbell:a', 'doorbell:b'), {
        leaseMs: 1000,
      })
      const other = await reopen()
      advance(999)
      expect(await claimAll(other)).toEqual([])
      const settled = await inbox.settle('publish', [
        { id: 'doorbell:a', lease: events[0]?.lease ?? '', outcome: done },
      ])
      expect(settled).toEqual([true])
      advance(1)
      expect(listEventIds(await claimAll(other))).toEqual(['doorbell:b'])
    })

    test('reject an old token after the work was claimed again', async (context) => {
      const { inbox, now, advance, reopen, expect } = context
      const other = await reopen()
      await inbox.record(createDelivery(now(), 'doorbell:a'))
      const [old] = await claimAll(inbox, 'publish', 1000)
      advance(1000)
      const [current] = await claimAll(other, 'publish', 1000)
      expect(old?.lease === current?.lease).toBe(false)
      const stale = { id: 'doorbell:a', lease: old?.lease ?? '' }
      for (const outcome of [
        done,
        { status: 'retry', afterMs: 0, error: 'x' },
        { status: 'dead', error: 'x' },
        { status: 'released' },
      ] as const) {
        expect(await inbox.settle('publish', [{ ...stale, outcome }])).toEqual([false])
      }
      expect(await claimAll(inbox)).toEqual([])
      expect(await inbox.published({ limit: 10 })).toEqual([])
      const ending = { id: 'doorbell:a', lease: current?.lease ?? '', outcome: done }
      expect(await other.settle('publish', [ending])).toEqual([true])
    })

    test('settle expired work that was not claimed again', async ({ inbox, now, advance, expect }) => {
      await inbox.record(createDelivery(now(), 'doorbell:a'))
      const [claimed] = await claimAll(inbox, 'publish', 1000)
      advance(5000)
      const settlement = { id: 'doorbell:a', lease: claimed?.lease ?? '', outcome: done }
      expect(await inbox.settle('publish', [settlement])).toEqual([true])
      expect(await claimAll(inbox)).toEqual([])
    })

    test('are never granted to two concurrent claims', async ({ inbox, now, reopen, expect }) => {
      const inboxes = [inbox, await reopen()]
      const ids = Array.from({ length: 50 }, (_, index) => `doorbell:${index}`)
      await inbox.record(createDelivery(now(), ...ids))
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (inboxes[index % 2] ?? inbox).claim('publish', { limit: 5, leaseMs: 1000 }),
        ),
      )
      const claimed = claims.flatMap(listEventIds)
      expect(claimed.length).toBe(50)
      expect(new Set(claimed).size).toBe(50)
    })

    durableTest(
      'of a stopped process end after their duration',
      async ({ inbox, now, advance, reopen, expect }) => {
        await inbox.record(createDelivery(now(), 'doorbell:a'), { leaseMs: 1000 })
        const other = await reopen()
        expect(await claimAll(other)).toEqual([])
        advance(1000)
        expect(await settleAll(other)).toEqual([true])
      },
    )
  })
}

export function testFairness({ describe, test }: InboxContext): void {
  const ids = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${prefix}:${index}`)

  async function getProviders(inbox: CompleteInbox, limit: number, work: 'publish' | 'notify' = 'publish') {
    const claimed = await inbox.claim(work, { limit, leaseMs: 60_000 })
    const counts: Record<string, number> = {}
    for (const { event } of claimed) {
      counts[event.source.provider] = (counts[event.source.provider] ?? 0) + 1
    }
    return counts
  }

  describe('fairness', () => {
    test('claims new work of one provider despite the backlog of another', async (context) => {
      const { inbox, now, advance, expect } = context
      for (let part = 0; part < 20; part++) {
        await inbox.record(createDelivery(now(), ...ids(`doorbell:${part}`, 500)))
      }
      advance(1000)
      await inbox.record(withProvider('mailbox', createDelivery(now(), ...ids('mailbox', 10))))
      expect(await getProviders(inbox, 100)).toEqual({ doorbell: 90, mailbox: 10 })
      expect(await getProviders(inbox, 100)).toEqual({ doorbell: 100 })
    })

    test('divides a claim among the providers with due work', async ({ inbox, now, advance, expect }) => {
      for (const provider of ['doorbell', 'intercom', 'mailbox']) {
        await inbox.record(withProvider(provider, createDelivery(now(), ...ids(provider, 100))))
        advance(1)
      }
      expect(await getProviders(inbox, 30)).toEqual({ doorbell: 10, intercom: 10, mailbox: 10 })
      expect(await getProviders(inbox, 240)).toEqual({ doorbell: 80, intercom: 80, mailbox: 80 })
      expect(await getProviders(inbox, 100)).toEqual({ doorbell: 10, intercom: 10, mailbox: 10 })
    })

    test('reaches every provider with claims of one event', async ({ inbox, now, expect }) => {
      for (const provider of ['doorbell', 'intercom', 'mailbox']) {
        await inbox.record(withProvider(provider, createDelivery(now(), ...ids(provider, 10))))
      }
      const served = new Set<string>()
      for (let turn = 0; turn < 3; turn++) {
        for (const provider of Object.keys(await getProviders(inbox, 1))) served.add(provider)
      }
      expect([...served].sort()).toEqual(['doorbell', 'intercom', 'mailbox'])
    })

    test('applies to notifications', async ({ inbox, now, advance, expect }) => {
      const owed = (prefix: string, count: number) =>
        ids(prefix, count).map((id) => ({ event: createEvent(id, now()), notify: true }))
      await inbox.record(createDelivery(now(), ...owed('doorbell', 300)))
      await settleAll(inbox)
      advance(1000)
      await inbox.record(withProvider('mailbox', createDelivery(now(), ...owed('mailbox', 3))))
      await settleAll(inbox)
      expect(await getProviders(inbox, 10, 'notify')).toEqual({ doorbell: 7, mailbox: 3 })
    })

    test('does not claim work that is not due', async ({ inbox, now, advance, expect }) => {
      await inbox.record(createDelivery(now(), 'doorbell:a'))
      await settleAll(inbox, { status: 'retry', afterMs: 1000, error: 'the bus failed' })
      await inbox.record(withProvider('mailbox', createDelivery(now(), 'mailbox:a')))
      expect(await getProviders(inbox, 10)).toEqual({ mailbox: 1 })
      advance(1000)
      expect((await claimAll(inbox)).length).toBe(1)
    })
  })
}

export function testClaimBytes({ describe, test }: InboxContext): void {
  /** Creates a delivery with one event, whose data and body have about the given size. */
  function sized(now: number, id: string, bytes: number): DeliveryRecord {
    const data = { text: 'x'.repeat(bytes) }
    const delivery = createDelivery(now, { event: createEvent(id, now, { data }), notify: true })
    return { ...delivery, body: new TextEncoder().encode(JSON.stringify(data)) }
  }

  const claim = async (inbox: CompleteInbox, maxBytes: number, work: 'publish' | 'notify' = 'publish') =>
    inbox.claim(work, { limit: 100, leaseMs: 60_000, maxBytes })

  describe('claim with maxBytes', () => {
    test('returns events with at most maxBytes of data', async ({ inbox, now, advance, expect }) => {
      for (let index = 0; index < 5; index++) {
        await inbox.record(sized(now(), `doorbell:${index}`, 10_000))
        advance(1)
      }
      const first = await claim(inbox, 25_000)
      expect(listEventIds(first)).toEqual(['doorbell:0', 'doorbell:1'])
      expect(first.map(({ bytes }) => Math.round((bytes ?? 0) / 1000))).toEqual([10, 10])
      expect(listEventIds(await claim(inbox, 25_000))).toEqual(['doorbell:2', 'doorbell:3'])
      expect(listEventIds(await claim(inbox, 25_000))).toEqual(['doorbell:4'])
      expect(await claim(inbox, 25_000)).toEqual([])
    })

    test('returns an event larger than maxBytes alone in its order', async ({
      inbox,
      now,
      advance,
      expect,
    }) => {
      for (const [id, bytes] of [
        ['doorbell:a', 100],
        ['doorbell:large', 50_000],
        ['doorbell:b', 100],
      ] as const) {
        await inbox.record(sized(now(), id, bytes))
        advance(1)
      }
      expect(listEventIds(await claim(inbox, 1000))).toEqual(['doorbell:a'])
      expect(listEventIds(await claim(inbox, 1000))).toEqual(['doorbell:large'])
      expect(listEventIds(await claim(inbox, 1000))).toEqual(['doorbell:b'])
    })

    test('alternates between providers and continues after the last claim', async ({
      inbox,
      now,
      advance,
      expect,
    }) => {
      // The turn passes from the last provider to the first, also where an earlier inbox of the store had another turn.
      await inbox.record(withProvider('workshop', sized(now(), 'workshop:0', 10_000)))
      expect(listEventIds(await claim(inbox, 25_000))).toEqual(['workshop:0'])
      for (let index = 0; index < 4; index++) {
        await inbox.record(sized(now(), `doorbell:${index}`, 10_000))
        advance(1)
      }
      await inbox.record(withProvider('intercom', sized(now(), 'intercom:0', 10_000)))
      await inbox.record(withProvider('mailbox', sized(now(), 'mailbox:0', 10_000)))
      expect(listEventIds(await claim(inbox, 25_000))).toEqual(['doorbell:0', 'intercom:0'])
      expect(listEventIds(await claim(inbox, 25_000))).toEqual(['doorbell:1', 'mailbox:0'])
      expect(listEventIds(await claim(inbox, 25_000))).toEqual(['doorbell:2', 'doorbell:3'])
    })

    test('returns at most the limit', async ({ inbox, now, expect }) => {
      await inbox.record(createDelivery(now(), 'doorbell:a', 'doorbell:b', 'doorbell:c'))
      const claimed = await inbox.claim('publish', { limit: 2, leaseMs: 1000, maxBytes: 1_000_000 })
      expect(claimed.length).toBe(2)
    })

    test('counts the data of the event of a notification', async ({ inbox, now, advance, expect }) => {
      for (let index = 0; index < 3; index++) {
        await inbox.record(sized(now(), `doorbell:${index}`, 10_000))
        await settleAll(inbox)
        advance(1)
      }
      expect(listEventIds(await claim(inbox, 25_000, 'notify'))).toEqual(['doorbell:0', 'doorbell:1'])
      expect(listEventIds(await claimAll(inbox, 'notify'))).toEqual(['doorbell:2'])
    })
  })
}
