import type { Inbox } from '../ports/ports.ts'
import {
  claimAll,
  deliveryOf,
  detailOf,
  eventOf,
  idsOf,
  settleAll,
  type InboxContext,
} from './inbox-context.ts'

const dead = { status: 'dead', error: 'the bus is gone' } as const
const away = { status: 'retry', afterMs: 0, error: 'the operator is away' } as const

/** That an event is published again does not concern whoever tells of the first time. */
export function testReplayedNotifications({ describe, test }: InboxContext): void {
  /** A delivery whose event is published, and whose notification is pending. */
  async function owing(inbox: Inbox, now: number) {
    const delivery = deliveryOf(now, { event: eventOf('doorbell:a', now), notify: true })
    await inbox.record(delivery)
    await settleAll(inbox)
    const replayed = {
      deliveries: [{ id: delivery.id, outcome: 'replayed', events: ['doorbell:a'], republished: 1 }],
    }
    const statuses = async () => {
      const [event] = (await detailOf(inbox, delivery)).events
      return [event?.status, event?.notification?.status]
    }
    return { ids: [delivery.id], replayed, statuses }
  }

  describe('replay of what is being told of', () => {
    // The memory inbox once left it unchanged until the notification was sent.
    test('takes it from nobody who holds its notification', async ({ inbox, now, expect }) => {
      const { ids, replayed, statuses } = await owing(inbox, now())
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

    test('goes on where it was told of meanwhile', async ({ inbox, now, expect }) => {
      const { ids, statuses } = await owing(inbox, now())
      await inbox.replay({ ids })
      expect(await settleAll(inbox, { status: 'done' }, 'notify')).toEqual([true])
      expect(await statuses()).toEqual(['pending', 'sent'])
      expect(await settleAll(inbox)).toEqual([true])
      expect(await claimAll(inbox, 'notify')).toEqual([])
      expect(await statuses()).toEqual(['published', 'sent'])
    })

    test('leaves the notification due, with the attempts that it had', async (context) => {
      const { inbox, now, advance, expect } = context
      const { ids } = await owing(inbox, now())
      const since = now()
      await settleAll(inbox, away, 'notify')
      advance(1000)
      await inbox.replay({ ids })
      await settleAll(inbox)
      const [owed, ...others] = await claimAll(inbox, 'notify')
      expect([owed?.event.id, owed?.attempts, owed?.since, others]).toEqual(['doorbell:a', 1, since, []])
    })

    // Nobody could claim it any more in the memory inbox, and it was neither pending nor dead.
    test('leaves the notification due also where the event is dead after it', async (context) => {
      const { inbox, now, expect } = context
      const { ids, statuses } = await owing(inbox, now())
      await inbox.replay({ ids })
      await settleAll(inbox, dead)
      expect(await statuses()).toEqual(['dead', 'pending'])
      expect((await inbox.stats()).notifications).toEqual({ pending: 1, dead: 0 })
      expect(idsOf(await claimAll(inbox, 'notify', 0))).toEqual(['doorbell:a'])
      expect(await settleAll(inbox, { status: 'done' }, 'notify')).toEqual([true])
      expect(await statuses()).toEqual(['dead', 'sent'])
    })
  })
}
