import type { CompleteInbox, DeliveryRecord, Settlement } from '@sallyport/webhooks'
import { createEvent } from '@sallyport/webhooks/testing'
import { createDelivery, settleAll, withEndpoint, withProvider } from '../records.ts'
import type { InboxContext } from './context.ts'

const dead = (error: string): Settlement['outcome'] => ({ status: 'dead', error })
const retry = (error: string): Settlement['outcome'] => ({ status: 'retry', afterMs: 60_000, error })

/** Records a delivery and settles its due events. */
async function fail(
  inbox: CompleteInbox,
  delivery: DeliveryRecord,
  outcome: Settlement['outcome'],
): Promise<DeliveryRecord> {
  await inbox.record(delivery)
  await settleAll(inbox, outcome)
  return delivery
}

export function testFailures({ describe, test }: InboxContext): void {
  describe('groups of failing events', () => {
    test('have events of the same status, provider, kind and error', async ({
      inbox,
      now,
      advance,
      expect,
    }) => {
      const start = now()
      const ofKind = (id: string, kind: string) =>
        createDelivery(now(), { event: { ...createEvent(id, now()), name: `doorbell/${kind}` } })
      await fail(inbox, ofKind('doorbell:1', 'bell.rung'), dead('refused'))
      advance(1)
      const second = await fail(inbox, ofKind('doorbell:2', 'bell.rung'), dead('refused'))
      advance(1)
      const other = await fail(inbox, ofKind('doorbell:3', 'bell.rung'), dead('too large'))
      advance(1)
      const opened = await fail(inbox, ofKind('doorbell:4', 'door.opened'), dead('refused'))
      advance(1)
      const mail = withProvider('mailbox', createDelivery(now(), 'mailbox:1'))
      await fail(inbox, mail, dead('refused'))
      advance(1)
      const waiting = await fail(inbox, createDelivery(now(), 'doorbell:5', 'doorbell:6'), retry('refused'))

      const doorbell = { provider: 'doorbell', kind: 'bell.rung', error: 'refused', endpoints: 0 } as const
      const at = (ms: number) => ({ firstReceivedAt: start + ms, lastReceivedAt: start + ms })
      expect(await inbox.failures({ limit: 100 })).toEqual({
        groups: [
          { ...doorbell, status: 'pending', events: 2, ...at(5), newestDelivery: waiting.id },
          { ...doorbell, status: 'dead', provider: 'mailbox', events: 1, ...at(4), newestDelivery: mail.id },
          {
            ...doorbell,
            status: 'dead',
            kind: 'door.opened',
            events: 1,
            ...at(3),
            newestDelivery: opened.id,
          },
          { ...doorbell, status: 'dead', error: 'too large', events: 1, ...at(2), newestDelivery: other.id },
          {
            ...{ ...doorbell, status: 'dead', events: 2, newestDelivery: second.id },
            ...{ firstReceivedAt: start, lastReceivedAt: start + 1 },
          },
        ],
        truncated: false,
      })
    })

    test('have the endpoint of the newest delivery, and the number of endpoints', async (context) => {
      const { inbox, now, advance, expect } = context
      for (const [index, endpoint] of ['acme', 'globex', 'acme'].entries()) {
        await fail(inbox, withEndpoint(endpoint, createDelivery(now(), `doorbell:${index}`)), dead('refused'))
        advance(1)
      }
      const { groups } = await inbox.failures({ limit: 100 })
      expect(groups.map((one) => [one.events, one.newestEndpoint, one.endpoints])).toEqual([[3, 'acme', 2]])
    })

    test('select by status, provider and endpoint', async ({ inbox, now, expect }) => {
      const acme = withEndpoint('acme', createDelivery(now(), 'doorbell@acme:1'))
      await fail(inbox, acme, dead('refused'))
      await fail(inbox, createDelivery(now(), 'doorbell:1'), dead('refused'))
      await fail(inbox, withProvider('mailbox', createDelivery(now(), 'mailbox:1')), retry('refused'))
      const count = async (filter: object) => {
        const { groups } = await inbox.failures({ ...filter, limit: 100 })
        return groups.map(({ status, provider, events }) => [status, provider, events])
      }
      expect(await count({ status: 'dead' })).toEqual([['dead', 'doorbell', 2]])
      expect(await count({ status: 'queued' })).toEqual([])
      expect(await count({ provider: 'mailbox' })).toEqual([['pending', 'mailbox', 1]])
      expect(await count({ endpoint: 'acme' })).toEqual([['dead', 'doorbell', 1]])
      expect(await count({ endpoint: 'acme', provider: 'mailbox' })).toEqual([])
    })

    test('follow the last error', async ({ inbox, now, advance, expect }) => {
      const record = createDelivery(now(), 'doorbell:1')
      await fail(inbox, record, retry('refused'))
      advance(60_000)
      await settleAll(inbox, retry('timed out'))
      const { groups } = await inbox.failures({ limit: 100 })
      expect(groups.map(({ error, events }) => [error, events])).toEqual([['timed out', 1]])
    })

    test('have no events that were published, never tried or replayed', async ({
      inbox,
      now,
      advance,
      expect,
    }) => {
      await fail(inbox, createDelivery(now(), 'doorbell:published'), retry('refused'))
      advance(60_000)
      await settleAll(inbox)
      const replayed = await fail(inbox, createDelivery(now(), 'doorbell:replayed'), dead('refused'))
      await inbox.replay({ ids: [replayed.id] })
      await inbox.record(createDelivery(now(), 'doorbell:new'))
      expect(await inbox.failures({ limit: 100 })).toEqual({ groups: [], truncated: false })
    })

    test('have events that the shared queue retries', async ({ inbox, now, expect }) => {
      const record = createDelivery(now(), 'doorbell:1')
      await fail(inbox, record, { status: 'queued', redeliverAfterMs: 3_600_000 })
      await inbox.postponed([{ id: 'doorbell:1', error: 'refused' }])
      const { groups } = await inbox.failures({ limit: 100 })
      expect(groups.map(({ status, error }) => [status, error])).toEqual([['queued', 'refused']])
    })

    test('stop at the limit, and have the newest events', async ({ inbox, now, advance, expect }) => {
      for (const error of ['oldest', 'older', 'new', 'newest']) {
        await fail(inbox, createDelivery(now(), `doorbell:${error}`), dead(error))
        advance(1)
      }
      const { groups, truncated } = await inbox.failures({ limit: 2 })
      // An inbox may read more.
      expect([groups[0]?.error, groups[1]?.error, truncated]).toEqual(['newest', 'new', true])
      expect((await inbox.failures({ limit: 4 })).truncated).toBe(false)
      const refused = await inbox.failures({ limit: 0 }).catch((error: unknown) => error)
      expect(refused instanceof TypeError).toBe(true)
    })

    test('have the error as it was reported', async ({ inbox, now, expect }) => {
      await fail(inbox, createDelivery(now(), 'doorbell:1'), dead('a \\ and a \0'))
      expect((await inbox.failures({ limit: 1 })).groups[0]?.error).toBe('a \\ and a \0')
    })
  })
}
