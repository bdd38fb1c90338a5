import type { CompleteInbox, Settlement } from '@sallyport/webhooks'
import { createEvent } from '@sallyport/webhooks/testing'
import { claimAll, createDelivery, getDetail, listEventIds, pruneAll, settleAll } from '../records.ts'
import type { InboxContext } from './context.ts'

const done = { status: 'done' } as const
const failed = { status: 'retry', afterMs: 1000, error: 'the notifier failed' } as const
const ids = ['doorbell:a', 'doorbell:b', 'doorbell:c']

/** Defines the tests of notifications that one settlement leases together, in inboxes that implement `settlePublished`. */
export function testNotificationLeases({ describe, test, durableTest }: InboxContext): void {
  /** Publishes three events together, of which the first two have notifications. Returns the delivery and the lease. */
  async function publish(inbox: CompleteInbox, now: number) {
    const events = ids.map((id) => ({ event: createEvent(id, now), notify: id !== 'doorbell:c' }))
    const delivery = createDelivery(now, ...events)
    const { events: recorded } = await inbox.record(delivery, { leaseMs: 15_000 })
    const settlements = recorded.map(({ id, lease = '' }): Settlement => ({ id, lease, outcome: done }))
    const results = await inbox.settlePublished?.(settlements, { leaseMs: 15_000 })
    return { delivery, lease: results?.[0]?.notificationLease ?? '' }
  }
  const leaseTest = (name: string, body: Parameters<InboxContext['test']>[1], declare = test) => {
    declare(name, async (context) => {
      if (context.inbox.settlePublished) await body(context)
    })
  }

  describe('notifications under the lease of one settlement', () => {
    leaseTest('end together', async ({ inbox, now, advance, expect }) => {
      const { delivery, lease } = await publish(inbox, now())
      expect((await inbox.stats()).notifications).toEqual({ pending: 2, dead: 0 })
      const [first, second, third] = (await getDetail(inbox, delivery)).events
      expect([first?.notification, second?.notification?.status, third?.notification]).toEqual([
        { status: 'pending', attempts: 0, dueAt: now(), failures: [] },
        'pending',
        undefined,
      ])
      const sent = ids.slice(0, 2).map((id) => ({ id, lease, outcome: done }))
      expect(await inbox.settle('notify', [...sent, ...sent])).toEqual([true, true, false, false])
      expect(await inbox.settle('notify', sent)).toEqual([false, false])
      advance(15_000)
      expect(await claimAll(inbox, 'notify')).toEqual([])
      expect((await inbox.stats()).notifications).toEqual({ pending: 0, dead: 0 })
      expect((await getDetail(inbox, delivery)).events[0]?.notification).toEqual({
        ...{ status: 'sent', attempts: 0, failures: [] },
      })
    })

    leaseTest('end one after another', async ({ inbox, now, advance, expect }) => {
      const { lease } = await publish(inbox, now())
      for (const id of ['doorbell:b', 'doorbell:a'])
        expect(await inbox.settle('notify', [{ id, lease, outcome: done }])).toEqual([true])
      advance(15_000)
      expect(await claimAll(inbox, 'notify')).toEqual([])
    })

    leaseTest('end at the same time in separate settlements', async ({ inbox, now, advance, expect }) => {
      const { lease } = await publish(inbox, now())
      const settle = (id: string) => inbox.settle('notify', [{ id, lease, outcome: done }])
      expect(await Promise.all([settle('doorbell:a'), settle('doorbell:b')])).toEqual([[true], [true]])
      advance(15_000)
      expect(await claimAll(inbox, 'notify')).toEqual([])
    })

    leaseTest('fail one by one', async ({ inbox, now, advance, expect }) => {
      const { delivery, lease } = await publish(inbox, now())
      const settled = await inbox.settle('notify', [
        { id: 'doorbell:a', lease, outcome: done },
        { id: 'doorbell:b', lease, outcome: failed },
      ])
      expect(settled).toEqual([true, true])
      const states = (await getDetail(inbox, delivery)).events.map(({ notification }) => notification?.status)
      expect(states).toEqual(['sent', 'pending', undefined])
      advance(1000)
      const [claimed, ...others] = await claimAll(inbox, 'notify')
      expect([claimed?.event.id, claimed?.attempts, others]).toEqual(['doorbell:b', 1, []])
    })

    leaseTest('are released one by one', async ({ inbox, now, advance, expect }) => {
      const { lease } = await publish(inbox, now())
      await inbox.settle('notify', [{ id: 'doorbell:a', lease, outcome: { status: 'released' } }])
      expect(listEventIds(await claimAll(inbox, 'notify', 60_000))).toEqual(['doorbell:a'])
      advance(15_000)
      expect(listEventIds(await claimAll(inbox, 'notify'))).toEqual(['doorbell:b'])
    })

    leaseTest(
      'are due again after a crash of their process',
      async ({ inbox, now, advance, reopen, expect }) => {
        const { lease } = await publish(inbox, now())
        advance(10_000)
        const other = await reopen()
        expect(await claimAll(other, 'notify')).toEqual([])
        advance(5000)
        expect(listEventIds(await claimAll(other, 'notify'))).toEqual(['doorbell:a', 'doorbell:b'])
        expect(await inbox.settle('notify', [{ id: 'doorbell:a', lease, outcome: done }])).toEqual([false])
        expect(await claimAll(other)).toEqual([])
      },
      durableTest,
    )

    leaseTest('are due after the clock was set back', async ({ inbox, now, advance, expect }) => {
      await publish(inbox, now())
      advance(-86_400_000)
      const claim = () => inbox.claim('notify', { limit: 10, leaseMs: 15_000, longestDelayMs: 3_600_000 })
      await claim()
      advance(15_000)
      expect(listEventIds(await claim())).toEqual(['doorbell:a', 'doorbell:b'])
    })

    leaseTest('keep their delivery whole', async ({ inbox, now, advance, expect }) => {
      const { delivery } = await publish(inbox, now())
      const selection = { filter: { id: delivery.id }, limit: 10 }
      expect(await inbox.erase(selection)).toEqual({ deliveries: 0, cancelled: 0, busy: 1 })
      const refused: unknown = await inbox.eraseBody(delivery.id).catch((error: unknown) => error)
      expect(refused instanceof Error).toBe(true)
      advance(10_000)
      expect((await pruneAll(inbox, { publishedForMs: 0 })).events).toBe(1)
      expect(listEventIds(await inbox.published({ limit: 10 }))).toEqual(['doorbell:a', 'doorbell:b'])
    })

    leaseTest('are cancelled by an erasure after their lease', async ({ inbox, now, advance, expect }) => {
      const { delivery } = await publish(inbox, now())
      advance(15_000)
      const selection = { filter: { id: delivery.id }, limit: 10 }
      expect(await inbox.erase(selection)).toEqual({ deliveries: 1, cancelled: 0, busy: 0 })
      expect(await claimAll(inbox, 'notify')).toEqual([])
      expect((await getDetail(inbox, delivery)).events[0]?.notification?.status).toBe('dead')
    })

    leaseTest('that are dead belong to no later settlement', async ({ inbox, now, advance, expect }) => {
      const { delivery, lease } = await publish(inbox, now())
      const dead = { status: 'dead', error: 'the notifier failed for good' } as const
      await inbox.settle('notify', [{ id: 'doorbell:a', lease, outcome: dead }])
      expect((await inbox.stats()).notifications).toEqual({ pending: 1, dead: 1 })
      await inbox.replay({ ids: [delivery.id] })
      expect((await inbox.stats()).notifications).toEqual({ pending: 1, dead: 0 })
      await settleAll(inbox)
      expect(listEventIds(await claimAll(inbox, 'notify'))).toEqual(['doorbell:a'])
      advance(15_000)
      expect(listEventIds(await claimAll(inbox, 'notify')).toSorted()).toEqual(['doorbell:a', 'doorbell:b'])
    })
  })
}
