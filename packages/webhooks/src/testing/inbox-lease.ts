import { claimAll, deliveryOf, idsOf, settleAll, type InboxContext } from './inbox-context.ts'

const done = { status: 'done' } as const

export function testLeases({ describe, test, durableTest }: InboxContext): void {
  describe('leases', () => {
    test('are given for what is due, oldest first, up to the limit', async ({
      inbox,
      now,
      advance,
      expect,
    }) => {
      for (const id of ['doorbell:c', 'doorbell:a', 'doorbell:b']) {
        await inbox.record(deliveryOf(now(), id))
        advance(1)
      }
      expect(await inbox.claim('publish', { limit: 0, leaseMs: 1000 })).toEqual([])
      expect(idsOf(await inbox.claim('publish', { limit: 2, leaseMs: 1000 }))).toEqual([
        'doorbell:c',
        'doorbell:a',
      ])
      expect(idsOf(await inbox.claim('publish', { limit: 2, leaseMs: 1000 }))).toEqual(['doorbell:b'])
      expect(await inbox.claim('publish', { limit: 2, leaseMs: 1000 })).toEqual([])
    })

    test('of a process that died end within a lease after the clock was set back', async (context) => {
      const { inbox, now, advance, reopen, expect } = context
      await inbox.record(deliveryOf(now(), 'doorbell:a'), { leaseMs: 1000 })
      await inbox.record(deliveryOf(now(), 'doorbell:b'))
      advance(-24 * 3_600_000)
      const other = await reopen()
      expect(idsOf(await other.claim('publish', { limit: 10, leaseMs: 1000 }))).toEqual(['doorbell:b'])
      advance(1000)
      expect(idsOf(await other.claim('publish', { limit: 1, leaseMs: 1000 }))).toEqual(['doorbell:a'])
    })

    test('are given for retries that the clock would reach a day late', async ({
      inbox,
      now,
      advance,
      expect,
    }) => {
      await inbox.record(deliveryOf(now(), 'doorbell:a'))
      advance(2 * 24 * 3_600_000)
      await settleAll(inbox, { status: 'retry', afterMs: 60_000, error: 'It is down' })
      const asked = { limit: 10, leaseMs: 1000, longestDelayMs: 3_600_000 }
      expect(await inbox.claim('publish', asked)).toEqual([])
      advance(-24 * 3_600_000)
      expect(idsOf(await inbox.claim('publish', asked))).toEqual(['doorbell:a'])
    })

    test('keep a retry waiting for its delay', async ({ inbox, now, advance, expect }) => {
      await inbox.record(deliveryOf(now(), 'doorbell:a'))
      await settleAll(inbox, { status: 'retry', afterMs: 3_600_000, error: 'It is down' })
      const asked = { limit: 10, leaseMs: 1000, longestDelayMs: 3_600_000 }
      expect(await inbox.claim('publish', asked)).toEqual([])
      advance(3_599_999)
      expect(await inbox.claim('publish', asked)).toEqual([])
    })

    test('tell how work stands', async ({ inbox, now, advance, expect }) => {
      const delivery = deliveryOf(now(), { route: 'queue' })
      const since = now()
      await inbox.record(delivery)
      advance(5000)
      const [claimed] = await claimAll(inbox)
      const { lease, ...work } = claimed ?? { lease: undefined }
      expect(work).toEqual({ event: delivery.events[0]?.event, route: 'queue', attempts: 0, since })
      expect(typeof lease).toBe('string')
    })

    test('of a record keep everybody else away until they end', async ({
      inbox,
      now,
      advance,
      reopen,
      expect,
    }) => {
      const { events } = await inbox.record(deliveryOf(now(), 'doorbell:a', 'doorbell:b'), { leaseMs: 1000 })
      const other = await reopen()
      advance(999)
      expect(await claimAll(other)).toEqual([])
      const settled = await inbox.settle('publish', [
        { id: 'doorbell:a', lease: events[0]?.lease ?? '', outcome: done },
      ])
      expect(settled).toEqual([true])
      advance(1)
      expect(idsOf(await claimAll(other))).toEqual(['doorbell:b'])
    })

    test('fence: the old token ends nothing once another holds the work', async (context) => {
      const { inbox, now, advance, reopen, expect } = context
      const other = await reopen()
      await inbox.record(deliveryOf(now(), 'doorbell:a'))
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

    test('still end work after their time while nobody else has it', async ({
      inbox,
      now,
      advance,
      expect,
    }) => {
      await inbox.record(deliveryOf(now(), 'doorbell:a'))
      const [claimed] = await claimAll(inbox, 'publish', 1000)
      advance(5000)
      const settlement = { id: 'doorbell:a', lease: claimed?.lease ?? '', outcome: done }
      expect(await inbox.settle('publish', [settlement])).toEqual([true])
      expect(await claimAll(inbox)).toEqual([])
    })

    test('never go to two who claim at once', async ({ inbox, now, reopen, expect }) => {
      const inboxes = [inbox, await reopen()]
      const ids = Array.from({ length: 50 }, (_, index) => `doorbell:${index}`)
      await inbox.record(deliveryOf(now(), ...ids))
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (inboxes[index % 2] ?? inbox).claim('publish', { limit: 5, leaseMs: 1000 }),
        ),
      )
      const claimed = claims.flatMap(idsOf)
      expect(claimed.length).toBe(50)
      expect(new Set(claimed).size).toBe(50)
    })

    durableTest('end with the process that held them', async ({ inbox, now, advance, reopen, expect }) => {
      await inbox.record(deliveryOf(now(), 'doorbell:a'), { leaseMs: 1000 })
      const other = await reopen()
      expect(await claimAll(other)).toEqual([])
      advance(1000)
      expect(await settleAll(other)).toEqual([true])
    })
  })
}
