import type { DeliveryStatus } from '@sallyport/webhooks'
import {
  claimAll,
  createDelivery,
  createQuarantinedDelivery,
  getDetail,
  settleAll,
  withEndpoint,
  withProvider,
} from '../records.ts'
import type { InboxContext } from './context.ts'

export function testEndpoints({ describe, test }: InboxContext): void {
  describe('endpoints of an inbox', () => {
    test('returns the endpoint with each event and delivery', async ({ inbox, now, expect }) => {
      const delivery = withEndpoint('acme', createDelivery(now(), { notify: true }))
      await inbox.record(delivery)
      const getEndpoint = (found: readonly { readonly event: { readonly source: object } }[]) =>
        found.map(({ event }) => (event.source as { readonly endpoint?: string }).endpoint)
      expect(getEndpoint(await claimAll(inbox, 'publish', 0))).toEqual(['acme'])
      await settleAll(inbox)
      expect(getEndpoint(await claimAll(inbox, 'notify'))).toEqual(['acme'])
      expect(getEndpoint(await inbox.published({ limit: 10 }))).toEqual(['acme'])
      const detail = await getDetail(inbox, delivery)
      expect(detail.endpoint).toBe('acme')
      expect(getEndpoint(detail.events)).toEqual(['acme'])
      await inbox.replay({ ids: [delivery.id] }, { asNew: true })
      expect(getEndpoint(await claimAll(inbox))).toEqual(['acme'])
    })

    test('counts the deliveries of the newest events', async ({ inbox, now, advance, expect }) => {
      const start = now()
      for (const [index, endpoint] of ['old', 'beta', 'acme', undefined, 'beta', 'zeta'].entries()) {
        const delivery = createDelivery(now(), `doorbell:${index}`)
        await inbox.record(endpoint === undefined ? delivery : withEndpoint(endpoint, delivery))
        advance(1)
      }
      const mail = withProvider('mailbox', createDelivery(now(), 'mailbox:1'))
      await inbox.record(withEndpoint('post', mail))
      const count = (deliveries: number, first: number, last: number) => {
        return { deliveries, firstReceivedAt: start + first, lastReceivedAt: start + last }
      }
      const byEndpoint = [
        { provider: 'doorbell', endpoint: 'beta', ...count(2, 1, 4) },
        { provider: 'doorbell', endpoint: 'acme', ...count(1, 2, 2) },
        { provider: 'doorbell', endpoint: 'zeta', ...count(1, 5, 5) },
        { provider: 'mailbox', endpoint: 'post', ...count(1, 6, 6) },
      ]
      const newest = { by: 'endpoint', newest: 6, limit: 10 } as const
      expect(await inbox.newestCounts(newest)).toEqual(byEndpoint)
      expect(await inbox.newestCounts({ ...newest, limit: 1 })).toEqual(byEndpoint.slice(0, 1))
      expect(await inbox.newestCounts({ ...newest, newest: 1 })).toEqual(byEndpoint.slice(3))
      expect(await inbox.newestCounts({ by: 'provider', newest: 10, limit: 10 })).toEqual([
        { provider: 'doorbell', ...count(6, 0, 5) },
        { provider: 'mailbox', ...count(1, 6, 6) },
      ])
      expect(await inbox.newestCounts({ by: 'kind', newest: 10, limit: 10 })).toEqual([
        { provider: 'doorbell', kind: 'bell.rung', ...count(6, 0, 5) },
        { provider: 'mailbox', kind: 'bell.rung', ...count(1, 6, 6) },
      ])
    })

    test('returns the median time to the publication', async ({ inbox, now, advance, expect }) => {
      for (const waitMs of [10, 5000, 30]) {
        await inbox.record(createDelivery(now(), `doorbell:${waitMs}`))
        advance(waitMs)
        await settleAll(inbox)
      }
      await inbox.record(createDelivery(now(), 'doorbell:open'))
      const counts = await inbox.newestCounts({ by: 'provider', newest: 10, limit: 10 })
      expect(counts.map(({ deliveries, latencyMs }) => [deliveries, latencyMs])).toEqual([[4, 30]])
    })

    test('omits the endpoint of a delivery without one', async ({ inbox, now, expect }) => {
      const delivery = createDelivery(now(), 'doorbell:a')
      await inbox.record(delivery)
      const detail = await getDetail(inbox, delivery)
      expect('endpoint' in detail).toBe(false)
      expect(detail.events.map(({ event }) => 'endpoint' in event.source)).toEqual([false])
    })

    test('gives the events of a released quarantine their endpoint', async ({ inbox, now, expect }) => {
      const delivery = withEndpoint('acme', createQuarantinedDelivery(now()))
      await inbox.record(delivery)
      await inbox.resolve(delivery.id, withEndpoint('acme', createDelivery(now(), 'doorbell:a')).events)
      const [claimed] = await claimAll(inbox)
      expect(claimed?.event.source.endpoint).toBe('acme')
      await inbox.settle('publish', [
        { id: claimed?.event.id ?? '', lease: claimed?.lease ?? '', outcome: { status: 'done' } },
      ])
      expect((await inbox.published({ endpoint: 'acme', limit: 10 })).length).toBe(1)
    })

    test('filters by endpoint, provider and status', async (context) => {
      const { inbox, now, advance, expect } = context
      const record = async (endpoint: string | undefined, provider: string, id: string) => {
        const delivery = withProvider(provider, createDelivery(now(), id))
        await inbox.record(endpoint === undefined ? delivery : withEndpoint(endpoint, delivery))
        advance(10)
        return delivery.id
      }
      const published = await record('acme', 'doorbell', 'doorbell:1')
      await record('other', 'doorbell', 'doorbell:2')
      await settleAll(inbox)
      const dead = await record('acme', 'doorbell', 'doorbell:3')
      await settleAll(inbox, { status: 'dead', error: 'x' })
      const pending = await record('acme', 'mailbox', 'mailbox:4')
      await record(undefined, 'doorbell', 'doorbell:5')
      const quarantined = withEndpoint('acme', createQuarantinedDelivery(now()))
      await inbox.record(quarantined)

      const list = async (query: object) =>
        (await inbox.list({ endpoint: 'acme', limit: 10, ...query })).map(({ id }) => id)
      expect(await list({})).toEqual([quarantined.id, pending, dead, published])
      expect(await list({ order: 'oldest', limit: 2, offset: 1 })).toEqual([dead, pending])
      expect(await list({ provider: 'mailbox' })).toEqual([pending])
      expect(await inbox.list({ endpoint: 'nobody', limit: 10 })).toEqual([])
      const expected: Partial<Record<DeliveryStatus, readonly string[]>> = {
        published: [published],
        dead: [dead],
        pending: [pending],
        queued: [],
        quarantined: [quarantined.id],
      }
      for (const [status, ids] of Object.entries(expected)) {
        expect(await list({ status })).toEqual(ids)
        const filter = { endpoint: 'acme', status: status as DeliveryStatus }
        expect(await inbox.countDeliveries(filter)).toBe(ids.length)
      }
      expect(await inbox.countDeliveries({ endpoint: 'acme' })).toBe(4)
      expect((await inbox.published({ endpoint: 'acme', limit: 10 })).map(({ event }) => event.id)).toEqual([
        'doorbell:1',
      ])
      expect(await inbox.countPublished({ endpoint: 'other' })).toBe(1)
    })

    test('replays the deliveries of one endpoint', async ({ inbox, now, expect }) => {
      await inbox.record(withEndpoint('acme', createDelivery(now(), 'doorbell:1')))
      await inbox.record(withEndpoint('other', createDelivery(now(), 'doorbell:2')))
      await settleAll(inbox)
      const { deliveries } = await inbox.replay({ filter: { endpoint: 'acme' }, limit: 10 })
      expect(deliveries.map(({ events }) => events)).toEqual([['doorbell:1']])
    })
  })
}
