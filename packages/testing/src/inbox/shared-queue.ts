import { createEvent } from '@sallyport/webhooks/testing'
import { claimAll, createDelivery, getDetail, listEventIds, settleAll } from '../records.ts'
import type { InboxContext } from './context.ts'

const redeliverAfterMs = 3_600_000
const queued = { status: 'queued', redeliverAfterMs } as const

export function testSharedQueue({ describe, test }: InboxContext): void {
  describe('events in the shared queue', () => {
    test('are queued until they are forwarded', async ({ inbox, now, advance, expect }) => {
      const delivery = createDelivery(now(), {
        event: createEvent('doorbell:a', now()),
        route: 'queue',
        notify: true,
      })
      await inbox.record(delivery)
      expect((await getDetail(inbox, delivery)).status).toBe('pending')
      expect(await settleAll(inbox, queued)).toEqual([true])
      const [state] = (await getDetail(inbox, delivery)).events
      expect([state?.status, state?.dueAt]).toEqual(['queued', now() + redeliverAfterMs])
      expect(await claimAll(inbox)).toEqual([])
      expect(await claimAll(inbox, 'notify')).toEqual([])
      advance(1000)
      expect(await inbox.forwarded(['doorbell:a'])).toEqual([true])
      expect((await getDetail(inbox, delivery)).status).toBe('published')
      const [published, ...others] = await inbox.published({ limit: 10 })
      expect([published?.event.id, published?.route, published?.publishedAt]).toEqual([
        'doorbell:a',
        'queue',
        now(),
      ])
      expect(others).toEqual([])
      expect(listEventIds(await claimAll(inbox, 'notify'))).toEqual(['doorbell:a'])
      advance(redeliverAfterMs)
      expect(await claimAll(inbox)).toEqual([])
    })

    test('are forwarded once, and unknown ids are ignored', async (context) => {
      const { inbox, now, expect } = context
      await inbox.record(createDelivery(now(), 'doorbell:a', 'doorbell:b'))
      await settleAll(inbox, queued)
      expect(await inbox.forwarded(['doorbell:b', 'doorbell:unknown', 'doorbell:b', 'doorbell:a'])).toEqual([
        true,
        false,
        false,
        true,
      ])
      expect(await inbox.forwarded(['doorbell:a', 'doorbell:b'])).toEqual([false, false])
      expect(await inbox.forwarded([])).toEqual([])
      expect(listEventIds(await inbox.published({ limit: 10 }))).toEqual(['doorbell:b', 'doorbell:a'])
    })

    test('can be forwarded before they are settled as queued', async ({ inbox, now, expect }) => {
      await inbox.record(createDelivery(now(), 'doorbell:a'))
      const [claimed] = await claimAll(inbox)
      expect(await inbox.forwarded(['doorbell:a'])).toEqual([true])
      const settlement = { id: 'doorbell:a', lease: claimed?.lease ?? '', outcome: queued }
      expect(await inbox.settle('publish', [settlement])).toEqual([false])
      expect((await inbox.published({ limit: 10 })).length).toBe(1)
      expect(await claimAll(inbox)).toEqual([])
    })

    test('are published when they are forwarded after they were dead', async ({ inbox, now, expect }) => {
      await inbox.record(createDelivery(now(), 'doorbell:a'))
      await settleAll(inbox, { status: 'dead', error: 'no answer' })
      expect(await inbox.forwarded(['doorbell:a'])).toEqual([true])
      expect(await inbox.countDeliveries({ status: 'published' })).toBe(1)
      expect(await inbox.countDeliveries({ status: 'dead' })).toBe(0)
    })

    test('are due again without attempts and with their first time after the queue lost them', async (context) => {
      const { inbox, now, advance, expect } = context
      const delivery = createDelivery(now(), 'doorbell:a')
      const since = now()
      await inbox.record(delivery)
      await settleAll(inbox, { status: 'retry', afterMs: 0, error: 'the queue failed' })
      await settleAll(inbox, queued)
      advance(redeliverAfterMs - 1)
      expect(await claimAll(inbox)).toEqual([])
      advance(1)
      const [again] = await claimAll(inbox, 'publish', 1000)
      expect([again?.event.id, again?.attempts, again?.since]).toEqual(['doorbell:a', 0, since])
      expect((await getDetail(inbox, delivery)).status).toBe('queued')
      const settlement = { id: 'doorbell:a', lease: again?.lease ?? '', outcome: queued }
      expect(await inbox.settle('publish', [settlement])).toEqual([true])
      expect(await inbox.forwarded(['doorbell:a'])).toEqual([true])
    })

    test('are dead letters after they were abandoned and can be replayed', async (context) => {
      const { inbox, now, advance, expect } = context
      const delivery = createDelivery(
        now(),
        { event: createEvent('doorbell:a', now()), route: 'queue' },
        { event: createEvent('doorbell:b', now()), route: 'queue' },
      )
      await inbox.record(delivery)
      await settleAll(inbox, queued)
      advance(10)
      const failure = { id: 'doorbell:a', error: 'no answer' }
      expect(await inbox.abandoned([failure, { ...failure, id: 'doorbell:unknown' }, failure])).toEqual([
        true,
        false,
        false,
      ])
      expect(await inbox.abandoned([failure])).toEqual([false])
      expect(await inbox.abandoned([])).toEqual([])
      const [a, b] = (await getDetail(inbox, delivery)).events
      expect([a?.status, a?.attempts, b?.status]).toEqual(['dead', 1, 'queued'])
      expect(a?.failures).toEqual([{ at: now(), error: 'no answer' }])
      advance(redeliverAfterMs)
      expect(listEventIds(await claimAll(inbox))).toEqual(['doorbell:b'])
      await inbox.replay({ ids: [delivery.id] })
      const [again] = await claimAll(inbox)
      expect([again?.event.id, again?.route, again?.attempts]).toEqual(['doorbell:a', 'queue', 0])
    })

    test('store the error of a postponed attempt', async (context) => {
      const { inbox, now, advance, expect } = context
      const delivery = createDelivery(now(), ...['a', 'b', 'c', 'd'].map((name) => `doorbell:${name}`))
      await inbox.record(delivery)
      const [a, b, c] = await claimAll(inbox)
      const settled = [
        { id: 'doorbell:a', lease: a?.lease ?? '', outcome: queued },
        { id: 'doorbell:b', lease: b?.lease ?? '', outcome: { status: 'done' } },
        { id: 'doorbell:c', lease: c?.lease ?? '', outcome: { status: 'dead', error: 'no answer' } },
      ] as const
      await inbox.settle('publish', settled)
      const before = (await getDetail(inbox, delivery)).events
      advance(10)
      const failures = ['a', 'b', 'c', 'd', 'e'].map((name) => ({
        id: `doorbell:${name}`,
        error: 'too busy',
      }))
      expect(await inbox.postponed(failures)).toEqual([true, false, false, true, false])
      expect(await inbox.postponed([])).toEqual([])
      // One that is queued, and one that is still held: in all else they are as they were.
      const noted = { attempts: 1, failures: [{ at: now(), error: 'too busy' }] }
      const expected = before.map((event, place) => (place % 3 === 0 ? { ...event, ...noted } : event))
      expect((await getDetail(inbox, delivery)).events).toEqual(expected)
      advance(15_000)
      expect(listEventIds(await claimAll(inbox))).toEqual(['doorbell:d'])
      expect(await inbox.forwarded(['doorbell:a'])).toEqual([true])
      const [arrived] = (await getDetail(inbox, delivery)).events
      expect([arrived?.status, arrived?.attempts, arrived?.failures]).toEqual([
        'published',
        noted.attempts,
        noted.failures,
      ])
    })

    test('can be abandoned under a lease unless they were published', async ({ inbox, now, expect }) => {
      await inbox.record(createDelivery(now(), 'doorbell:a', 'doorbell:b'))
      const [claimed] = await claimAll(inbox)
      await inbox.forwarded(['doorbell:b'])
      const error = 'no answer'
      expect(
        await inbox.abandoned([
          { id: 'doorbell:b', error },
          { id: 'doorbell:a', error },
        ]),
      ).toEqual([false, true])
      const settlement = { id: 'doorbell:a', lease: claimed?.lease ?? '', outcome: queued }
      expect(await inbox.settle('publish', [settlement])).toEqual([false])
      expect((await inbox.stats()).events).toEqual({ pending: 0, queued: 0, dead: 1 })
      expect(await inbox.forwarded(['doorbell:a'])).toEqual([true])
      expect((await inbox.stats()).events).toEqual({ pending: 0, queued: 0, dead: 0 })
    })

    test('reject a queued notification', async ({ inbox, now, expect }) => {
      await inbox.record(createDelivery(now(), { notify: true }))
      await settleAll(inbox)
      const refused = await settleAll(inbox, queued, 'notify').catch((error: unknown) => error)
      expect(refused instanceof TypeError).toBe(true)
    })
  })
}
