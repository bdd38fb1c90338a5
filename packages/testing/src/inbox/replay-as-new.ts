import type { CompleteInbox } from '@sallyport/webhooks'
import { createEvent } from '@sallyport/webhooks/testing'
import { claimAll, createDelivery, getDetail, listEventIds, settleAll } from '../records.ts'
import type { InboxContext } from './context.ts'

const asNew = { asNew: true } as const
const dead = { status: 'dead', error: 'the bus failed' } as const

export function testFreshIds({ describe, test }: InboxContext): void {
  const freshId = /^doorbell:replay:[^:]+:\d+$/
  const replayOne = async (inbox: CompleteInbox, id: string) =>
    (await inbox.replay({ ids: [id] }, asNew)).deliveries[0]?.events ?? []

  describe('replay as new', () => {
    test('publishes a copy with a new id and notifies', async ({ inbox, now, expect }) => {
      const trace = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' }
      const event = createEvent('doorbell:a', now(), { trace })
      const delivery = createDelivery(now(), { event, notify: true, route: 'queue' }, 'doorbell:b')
      await inbox.record(delivery)
      await settleAll(inbox)
      await settleAll(inbox, { status: 'done' }, 'notify')
      const fresh = await replayOne(inbox, delivery.id)
      expect([fresh.length, fresh.every((id) => freshId.test(id)), new Set(fresh).size]).toEqual([2, true, 2])
      const claimed = await claimAll(inbox, 'publish', 0)
      expect(claimed.map((work) => ({ ...work.event, route: work.route }))).toEqual(
        delivery.events.map(({ event, route }, index) => ({
          ...event,
          id: fresh[index],
          source: { ...event.source, replayOf: event.id },
          route,
        })),
      )
      expect(await settleAll(inbox)).toEqual([true, true])
      expect(listEventIds(await claimAll(inbox, 'notify'))).toEqual([fresh[0]])
      expect(listEventIds(await inbox.published({ limit: 10 }))).toEqual([
        'doorbell:a',
        'doorbell:b',
        ...fresh,
      ])
      expect((await inbox.record(createDelivery(now(), ...fresh))).events.every((one) => one.duplicate)).toBe(
        true,
      )
    })

    test('copies only the original and creates another id each time', async ({ inbox, now, expect }) => {
      const delivery = createDelivery(now(), 'doorbell:a')
      await inbox.record(delivery)
      await settleAll(inbox)
      const ids: string[] = []
      for (let round = 0; round < 3; round++) {
        const fresh = await replayOne(inbox, delivery.id)
        expect(fresh.length).toBe(1)
        ids.push(...fresh)
        expect((await claimAll(inbox, 'publish', 0)).map(({ event }) => event.source.replayOf)).toEqual([
          'doorbell:a',
        ])
        await settleAll(inbox)
      }
      expect(new Set(ids).size).toBe(3)
      expect((await getDetail(inbox, delivery)).events.map(({ event }) => event.id)).toEqual([
        'doorbell:a',
        ...ids,
      ])
    })

    test('ignores events that are not published', async ({ inbox, now, expect }) => {
      const delivery = createDelivery(now(), 'doorbell:a')
      await inbox.record(delivery)
      expect(await replayOne(inbox, delivery.id)).toEqual([])
      await settleAll(inbox, { status: 'queued', redeliverAfterMs: 60_000 })
      expect(await replayOne(inbox, delivery.id)).toEqual([])
      expect(await inbox.forwarded(['doorbell:a'])).toEqual([true])
    })

    test('replaces the id of a dead event and keeps the old key', async ({ inbox, now, expect }) => {
      const delivery = createDelivery(now(), { event: createEvent('doorbell:a', now()), notify: true })
      await inbox.record(delivery)
      await settleAll(inbox, dead)
      const [lost = ''] = await replayOne(inbox, delivery.id)
      await settleAll(inbox, dead)
      const [fresh = ''] = await replayOne(inbox, delivery.id)
      expect([freshId.test(lost), freshId.test(fresh)]).toEqual([true, true])
      expect((await getDetail(inbox, delivery)).events[0]?.event.source.replayOf).toBe('doorbell:a')
      expect((await getDetail(inbox, delivery)).status).toBe('pending')
      expect((await inbox.record(createDelivery(now(), 'doorbell:a'))).events[0]?.duplicate).toBe(true)
      const late = [{ id: 'doorbell:a', error: 'no answer' }]
      expect(await inbox.forwarded(['doorbell:a'])).toEqual([false])
      expect(await inbox.abandoned(late)).toEqual([false])
      expect(await inbox.postponed(late)).toEqual([false])
      expect(await settleAll(inbox)).toEqual([true])
      expect(listEventIds(await inbox.published({ limit: 10 }))).toEqual([fresh])
      expect(listEventIds(await claimAll(inbox, 'notify'))).toEqual([fresh])
      expect((await getDetail(inbox, delivery)).events.length).toBe(1)
    })

    test('restores a published event that died in a replay', async ({ inbox, now, expect }) => {
      const delivery = createDelivery(now(), 'doorbell:a')
      await inbox.record(delivery)
      await settleAll(inbox)
      await inbox.replay({ ids: [delivery.id] })
      await settleAll(inbox, dead)
      const fresh = await replayOne(inbox, delivery.id)
      const { events } = await getDetail(inbox, delivery)
      expect(events.map(({ event, status }) => [event.id, status])).toEqual([
        ['doorbell:a', 'published'],
        [fresh[0], 'pending'],
      ])
      expect(listEventIds(await inbox.published({ limit: 10 }))).toEqual(['doorbell:a'])
    })
  })
}

const away = { status: 'retry', afterMs: 0, error: 'the notifier failed' } as const

/** Defines the tests of notifications that are pending during a replay: the replay does not affect them. */
export function testReplayedNotifications({ describe, test }: InboxContext): void {
  /** A delivery whose event is published, and whose notification is pending. */
  async function recordPendingNotification(inbox: CompleteInbox, now: number) {
    const delivery = createDelivery(now, { event: createEvent('doorbell:a', now), notify: true })
    await inbox.record(delivery)
    await settleAll(inbox)
    const replayed = {
      deliveries: [{ id: delivery.id, outcome: 'replayed', events: ['doorbell:a'], republished: 1 }],
    }
    const statuses = async () => {
      const [event] = (await getDetail(inbox, delivery)).events
      return [event?.status, event?.notification?.status]
    }
    return { ids: [delivery.id], replayed, statuses }
  }

  describe('replay of an event with a pending notification', () => {
    // The memory inbox once left it unchanged until the notification was sent.
    test('keeps the lease of the notification', async ({ inbox, now, expect }) => {
      const { ids, replayed, statuses } = await recordPendingNotification(inbox, now())
      const [held] = await claimAll(inbox, 'notify')
      expect(await inbox.replay({ ids })).toEqual(replayed)
      expect(await statuses()).toEqual(['pending', 'pending'])
      expect(await settleAll(inbox)).toEqual([true])
      expect(await claimAll(inbox, 'notify')).toEqual([])
      const sent = { id: 'doorbell:a', lease: held?.lease ?? '', outcome: { status: 'done' } } as const
      expect(await inbox.settle('notify', [sent])).toEqual([true])
      expect(await statuses()).toEqual(['published', 'sent'])
      expect(await inbox.countPublished({})).toBe(1)
    })

    test('accepts a notification that was sent after the replay', async ({ inbox, now, expect }) => {
      const { ids, statuses } = await recordPendingNotification(inbox, now())
      await inbox.replay({ ids })
      expect(await settleAll(inbox, { status: 'done' }, 'notify')).toEqual([true])
      expect(await statuses()).toEqual(['pending', 'sent'])
      expect(await settleAll(inbox)).toEqual([true])
      expect(await claimAll(inbox, 'notify')).toEqual([])
      expect(await statuses()).toEqual(['published', 'sent'])
    })

    test('keeps the attempts of a due notification', async (context) => {
      const { inbox, now, advance, expect } = context
      const { ids } = await recordPendingNotification(inbox, now())
      const since = now()
      await settleAll(inbox, away, 'notify')
      advance(1000)
      await inbox.replay({ ids })
      await settleAll(inbox)
      const [claimed, ...others] = await claimAll(inbox, 'notify')
      expect([claimed?.event.id, claimed?.attempts, claimed?.since, others]).toEqual([
        'doorbell:a',
        1,
        since,
        [],
      ])
    })

    test('keeps the notification due after the event is dead', async (context) => {
      const { inbox, now, expect } = context
      const { ids, statuses } = await recordPendingNotification(inbox, now())
      await inbox.replay({ ids })
      await settleAll(inbox, dead)
      expect(await statuses()).toEqual(['dead', 'pending'])
      expect((await inbox.stats()).notifications).toEqual({ pending: 1, dead: 0 })
      expect(listEventIds(await claimAll(inbox, 'notify', 0))).toEqual(['doorbell:a'])
      expect(await settleAll(inbox, { status: 'done' }, 'notify')).toEqual([true])
      expect(await statuses()).toEqual(['dead', 'sent'])
    })
  })
}
