import type { Inbox } from '../ports/ports.ts'
import { claimAll, comingFrom, deliveryOf, eventOf, settleAll, type InboxContext } from './inbox-context.ts'

export function testFairness({ describe, test }: InboxContext): void {
  const ids = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${prefix}:${index}`)

  async function providersOf(inbox: Inbox, limit: number, work: 'publish' | 'notify' = 'publish') {
    const claimed = await inbox.claim(work, { limit, leaseMs: 60_000 })
    const counts: Record<string, number> = {}
    for (const { event } of claimed) {
      counts[event.source.provider] = (counts[event.source.provider] ?? 0) + 1
    }
    return counts
  }

  describe('fairness', () => {
    test('gives what is new its turn beside a backlog of another provider', async (context) => {
      const { inbox, now, advance, expect } = context
      for (let part = 0; part < 20; part++) {
        await inbox.record(deliveryOf(now(), ...ids(`doorbell:${part}`, 500)))
      }
      advance(1000)
      await inbox.record(comingFrom('mailbox', deliveryOf(now(), ...ids('mailbox', 10))))
      expect(await providersOf(inbox, 100)).toEqual({ doorbell: 90, mailbox: 10 })
      expect(await providersOf(inbox, 100)).toEqual({ doorbell: 100 })
    })

    test('divides a claim among all that have work due', async ({ inbox, now, advance, expect }) => {
      for (const provider of ['doorbell', 'intercom', 'mailbox']) {
        await inbox.record(comingFrom(provider, deliveryOf(now(), ...ids(provider, 100))))
        advance(1)
      }
      expect(await providersOf(inbox, 30)).toEqual({ doorbell: 10, intercom: 10, mailbox: 10 })
      expect(await providersOf(inbox, 240)).toEqual({ doorbell: 80, intercom: 80, mailbox: 80 })
      expect(await providersOf(inbox, 100)).toEqual({ doorbell: 10, intercom: 10, mailbox: 10 })
    })

    test('reaches everybody with claims of one', async ({ inbox, now, expect }) => {
      for (const provider of ['doorbell', 'intercom', 'mailbox']) {
        await inbox.record(comingFrom(provider, deliveryOf(now(), ...ids(provider, 10))))
      }
      const served = new Set<string>()
      for (let turn = 0; turn < 3; turn++) {
        for (const provider of Object.keys(await providersOf(inbox, 1))) served.add(provider)
      }
      expect([...served].sort()).toEqual(['doorbell', 'intercom', 'mailbox'])
    })

    test('holds for notifications too', async ({ inbox, now, advance, expect }) => {
      const owed = (prefix: string, count: number) =>
        ids(prefix, count).map((id) => ({ event: eventOf(id, now()), notify: true }))
      await inbox.record(deliveryOf(now(), ...owed('doorbell', 300)))
      await settleAll(inbox)
      advance(1000)
      await inbox.record(comingFrom('mailbox', deliveryOf(now(), ...owed('mailbox', 3))))
      await settleAll(inbox)
      expect(await providersOf(inbox, 10, 'notify')).toEqual({ doorbell: 7, mailbox: 3 })
    })

    test('leaves what is not due alone', async ({ inbox, now, advance, expect }) => {
      await inbox.record(deliveryOf(now(), 'doorbell:a'))
      await settleAll(inbox, { status: 'retry', afterMs: 1000, error: 'the bus is away' })
      await inbox.record(comingFrom('mailbox', deliveryOf(now(), 'mailbox:a')))
      expect(await providersOf(inbox, 10)).toEqual({ mailbox: 1 })
      advance(1000)
      expect((await claimAll(inbox)).length).toBe(1)
    })
  })
}
