import type { DeliveryPosition, DeliveryQuery, DeliveryStatus, CompleteInbox } from '@sallyport/webhooks'
import { createEvent } from '@sallyport/webhooks/testing'
import { claimAll, createDelivery, createQuarantinedDelivery, settleAll, withProvider } from '../records.ts'
import type { InboxContext } from './context.ts'

const statuses: readonly DeliveryStatus[] = ['pending', 'queued', 'published', 'quarantined', 'dead']

export function testList({ describe, test }: InboxContext): void {
  /** Records one delivery and ends its events as they are named. */
  async function recordAs(
    inbox: CompleteInbox,
    now: number,
    ...states: readonly ('pending' | 'queued' | 'published' | 'dead')[]
  ): Promise<string> {
    const events = states.map((state, index) => ({
      event: createEvent(`doorbell:${state}:${now}:${index}`, now),
    }))
    const delivery = createDelivery(now, ...events)
    const { events: results } = await inbox.record(delivery, { leaseMs: 1_000_000 })
    await inbox.settle(
      'publish',
      states.flatMap((state, index) => {
        const { id = '', lease = '' } = results[index] ?? {}
        if (state === 'pending') return []
        if (state === 'dead') return { id, lease, outcome: { status: 'dead', error: 'x' } as const }
        const outcome =
          state === 'queued'
            ? ({ status: 'queued', redeliverAfterMs: 1_000_000 } as const)
            : ({ status: 'done' } as const)
        return { id, lease, outcome }
      }),
    )
    return delivery.id
  }

  const listEventIds = async (
    inbox: CompleteInbox,
    query: Omit<DeliveryQuery, 'limit'> & { readonly limit?: number },
  ) => (await inbox.list({ limit: 100, ...query })).map(({ id }) => id)

  describe('list', () => {
    test('lists deliveries, newest first', async ({ inbox, now, advance, expect }) => {
      const first = createDelivery(now(), 'doorbell:a', 'doorbell:b')
      await inbox.record(first)
      advance(10)
      const second = withProvider('mailbox', createDelivery(now(), 'mailbox:a'))
      await inbox.record(second)
      const [newest, oldest, ...others] = await inbox.list({ limit: 10 })
      const { sequence, ...summary } = oldest ?? { sequence: 0 }
      expect(summary).toEqual({
        id: first.id,
        provider: 'doorbell',
        receivedAt: first.receivedAt,
        status: 'pending',
        bodyState: 'stored',
        bodyBytes: first.body.byteLength,
        kind: 'bell.rung',
        subject: 'front',
        attempts: 0,
        events: { pending: 2, queued: 0, published: 0, dead: 0 },
      })
      expect([newest?.id, newest?.provider]).toEqual([second.id, 'mailbox'])
      expect((newest?.sequence ?? 0) > sequence).toBe(true)
      expect(others).toEqual([])
    })

    test('does not store a delivery of duplicates', async ({ inbox, now, expect }) => {
      await inbox.record(createDelivery(now(), 'doorbell:a'))
      await inbox.record(createDelivery(now(), 'doorbell:a'))
      expect(await inbox.countDeliveries({})).toBe(1)
    })

    test('derives the status: dead before pending, queued and published', async (context) => {
      const { inbox, now, advance, expect } = context
      const expected: Record<string, DeliveryStatus> = {}
      for (const [status, states] of [
        ['published', ['published', 'published']],
        ['queued', ['published', 'queued']],
        ['pending', ['queued', 'pending', 'published']],
        ['dead', ['published', 'pending', 'dead', 'queued']],
      ] as const) {
        expected[await recordAs(inbox, now(), ...states)] = status
        advance(1)
      }
      const quarantined = createQuarantinedDelivery(now())
      expected[quarantined.id] = 'quarantined'
      await inbox.record(quarantined)
      const all = await inbox.list({ limit: 10 })
      expect(Object.fromEntries(all.map(({ id, status }) => [id, status]))).toEqual(expected)
      expect(all.map(({ reason }) => reason)).toEqual([
        'NORMALIZER_FAILED',
        undefined,
        undefined,
        undefined,
        undefined,
      ])
      for (const status of statuses) {
        const found = await inbox.list({ status, limit: 10 })
        expect(found.map((one) => [one.id, one.status])).toEqual(
          Object.entries(expected).filter(([, its]) => its === status),
        )
        expect(await inbox.countDeliveries({ status })).toBe(1)
      }
      expect(await inbox.countDeliveries({})).toBe(5)
    })

    test('updates the status with the events', async ({ inbox, now, expect }) => {
      await inbox.record(createDelivery(now(), 'doorbell:a'))
      const count = () => Promise.all(statuses.map((status) => inbox.countDeliveries({ status })))
      expect(await count()).toEqual([1, 0, 0, 0, 0])
      await settleAll(inbox, { status: 'dead', error: 'x' })
      expect(await count()).toEqual([0, 0, 0, 0, 1])
      await inbox.record(createDelivery(now(), 'doorbell:a'))
      expect(await count()).toEqual([1, 0, 0, 0, 0])
      await claimAll(inbox, 'publish', 0)
      await settleAll(inbox)
      expect(await count()).toEqual([0, 0, 1, 0, 0])
    })

    test('filters by provider, time of receipt and status', async (context) => {
      const { inbox, now, advance, expect } = context
      const start = now()
      const ids: string[] = []
      for (let index = 0; index < 8; index++) {
        const provider = index % 2 === 0 ? 'doorbell' : 'mailbox'
        const delivery = withProvider(provider, createDelivery(now(), `${provider}:${index}`))
        await inbox.record(delivery)
        ids.push(delivery.id)
        advance(10)
      }
      const those = (...indexes: readonly number[]) => indexes.map((index) => ids[index])
      expect(await listEventIds(inbox, { provider: 'mailbox' })).toEqual(those(7, 5, 3, 1))
      expect(await listEventIds(inbox, { provider: 'nobody' })).toEqual([])
      expect(await listEventIds(inbox, { receivedAfter: start + 50 })).toEqual(those(7, 6))
      expect(await listEventIds(inbox, { receivedAfter: start + 49.5 })).toEqual(those(7, 6, 5))
      expect(await listEventIds(inbox, { receivedBefore: start + 20 })).toEqual(those(1, 0))
      const some = { provider: 'doorbell', receivedAfter: start, receivedBefore: start + 60 }
      expect(await listEventIds(inbox, some)).toEqual(those(4, 2))
      expect(await listEventIds(inbox, { ...some, status: 'pending', order: 'oldest' })).toEqual(those(2, 4))
      expect(await listEventIds(inbox, { ...some, status: 'dead' })).toEqual([])
      expect(await inbox.countDeliveries(some)).toBe(2)
      expect(await inbox.countDeliveries({ receivedAfter: start + 50 })).toBe(2)
      expect(await inbox.countDeliveries({ provider: 'mailbox', status: 'pending' })).toBe(4)
    })

    test('pages by position and offset in both orders with equal times', async (context) => {
      const { inbox, now, advance, expect } = context
      for (let index = 0; index < 12; index++) {
        const provider = ['doorbell', 'mailbox', 'intercom'][index % 3] ?? ''
        await inbox.record(
          withProvider(provider, createDelivery(now(), `${provider}:${index}`, `${provider}:b${index}`)),
        )
        if (index % 4 === 3) advance(1)
      }
      const all = await inbox.list({ limit: 100 })
      expect(all.length).toBe(12)
      for (const order of ['newest', 'oldest'] as const) {
        const expected = order === 'newest' ? all : all.toReversed()
        for (const status of [undefined, 'pending'] as const) {
          const seen: string[] = []
          let after: DeliveryPosition | undefined
          for (;;) {
            const page = await inbox.list({
              order,
              limit: 5,
              ...(status && { status }),
              ...(after && { after }),
            })
            seen.push(...page.map(({ id }) => id))
            after = page.at(-1)
            if (page.length < 5) break
          }
          expect(seen).toEqual(expected.map(({ id }) => id))
          const skipping = await inbox.list({ order, limit: 4, offset: 3, ...(status && { status }) })
          expect(skipping).toEqual(expected.slice(3, 7))
        }
      }
      expect(await inbox.list({ limit: 5, offset: 12 })).toEqual([])
      expect(await inbox.list({ limit: 0 })).toEqual([])
    })

    test('accepts a position without a delivery', async ({ inbox, now, advance, expect }) => {
      await inbox.record(createDelivery(now(), 'doorbell:a'))
      const [place] = await inbox.list({ limit: 1 })
      const { receivedAt, sequence } = place ?? { receivedAt: 0, sequence: 0 }
      advance(5)
      await inbox.record(createDelivery(now(), 'doorbell:b'))
      const nowhere = { receivedAt: receivedAt + 2, sequence }
      expect((await inbox.list({ limit: 5, after: nowhere })).length).toBe(1)
      expect((await inbox.list({ limit: 5, after: nowhere, order: 'oldest' })).length).toBe(1)
    })
  })
}
