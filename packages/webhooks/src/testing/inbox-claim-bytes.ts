import type { DeliveryRecord, Inbox } from '../ports/ports.ts'
import {
  claimAll,
  comingFrom,
  deliveryOf,
  eventOf,
  idsOf,
  settleAll,
  type InboxContext,
} from './inbox-context.ts'

export function testClaimBytes({ describe, test }: InboxContext): void {
  /** A delivery of one event, whose data takes about so many bytes, as the body does. */
  function sized(now: number, id: string, bytes: number): DeliveryRecord {
    const data = { text: 'x'.repeat(bytes) }
    const delivery = deliveryOf(now, { event: eventOf(id, now, { data }), notify: true })
    return { ...delivery, body: new TextEncoder().encode(JSON.stringify(data)) }
  }

  const claim = async (inbox: Inbox, maxBytes: number, work: 'publish' | 'notify' = 'publish') =>
    inbox.claim(work, { limit: 100, leaseMs: 60_000, maxBytes })

  describe('a claim of so many bytes', () => {
    test('takes as many events as have no more data together', async ({ inbox, now, advance, expect }) => {
      for (let index = 0; index < 5; index++) {
        await inbox.record(sized(now(), `doorbell:${index}`, 10_000))
        advance(1)
      }
      const first = await claim(inbox, 25_000)
      expect(idsOf(first)).toEqual(['doorbell:0', 'doorbell:1'])
      expect(first.map(({ bytes }) => Math.round((bytes ?? 0) / 1000))).toEqual([10, 10])
      expect(idsOf(await claim(inbox, 25_000))).toEqual(['doorbell:2', 'doorbell:3'])
      expect(idsOf(await claim(inbox, 25_000))).toEqual(['doorbell:4'])
      expect(await claim(inbox, 25_000)).toEqual([])
    })

    test('takes one that is larger alone, and whole in its turn', async ({ inbox, now, advance, expect }) => {
      for (const [id, bytes] of [
        ['doorbell:a', 100],
        ['doorbell:large', 50_000],
        ['doorbell:b', 100],
      ] as const) {
        await inbox.record(sized(now(), id, bytes))
        advance(1)
      }
      expect(idsOf(await claim(inbox, 1000))).toEqual(['doorbell:a'])
      expect(idsOf(await claim(inbox, 1000))).toEqual(['doorbell:large'])
      expect(idsOf(await claim(inbox, 1000))).toEqual(['doorbell:b'])
    })

    test('is taken in turns, and goes on where it stopped', async ({ inbox, now, advance, expect }) => {
      for (let index = 0; index < 4; index++) {
        await inbox.record(sized(now(), `doorbell:${index}`, 10_000))
        advance(1)
      }
      await inbox.record(comingFrom('intercom', sized(now(), 'intercom:0', 10_000)))
      await inbox.record(comingFrom('mailbox', sized(now(), 'mailbox:0', 10_000)))
      expect(idsOf(await claim(inbox, 25_000))).toEqual(['doorbell:0', 'intercom:0'])
      expect(idsOf(await claim(inbox, 25_000))).toEqual(['doorbell:1', 'mailbox:0'])
      expect(idsOf(await claim(inbox, 25_000))).toEqual(['doorbell:2', 'doorbell:3'])
    })

    test('is no larger than its limit', async ({ inbox, now, expect }) => {
      await inbox.record(deliveryOf(now(), 'doorbell:a', 'doorbell:b', 'doorbell:c'))
      const claimed = await inbox.claim('publish', { limit: 2, leaseMs: 1000, maxBytes: 1_000_000 })
      expect(claimed.length).toBe(2)
    })

    test('counts the data of a notification’s event', async ({ inbox, now, advance, expect }) => {
      for (let index = 0; index < 3; index++) {
        await inbox.record(sized(now(), `doorbell:${index}`, 10_000))
        await settleAll(inbox)
        advance(1)
      }
      expect(idsOf(await claim(inbox, 25_000, 'notify'))).toEqual(['doorbell:0', 'doorbell:1'])
      expect(idsOf(await claimAll(inbox, 'notify'))).toEqual(['doorbell:2'])
    })
  })
}
