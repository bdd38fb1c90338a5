import type { DeliveryFilter, DeliveryStatus } from '@sallyport/webhooks'
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

    test('selects only what the endpoints of a list received, with every other filter', async (context) => {
      const { inbox, now, expect } = context
      const record = async (endpoint: string | undefined, id: string) => {
        const delivery = { ...createDelivery(now(), id), values: ['order-17'] }
        await inbox.record(endpoint === undefined ? delivery : withEndpoint(endpoint, delivery))
        return delivery.id
      }
      const others = Array.from({ length: 40 }, (_, index) => `other-${index}`)
      const fill = async (name: string) => [
        await record('acme', `doorbell:${name}:1`),
        await record('globex', `doorbell:${name}:2`),
        await record('initech', `doorbell:${name}:3`),
        await record(undefined, `doorbell:${name}:4`),
      ]
      const published = await fill('published')
      await settleAll(inbox)
      const dead = await fill('dead')
      await settleAll(inbox, { status: 'dead', error: 'refused' })
      const waiting = await fill('waiting')
      await settleAll(inbox, { status: 'retry', error: 'refused', afterMs: 60_000 })
      for (const endpoint of ['acme', 'initech'])
        await inbox.record(
          withEndpoint(endpoint, createQuarantinedDelivery(now(), `doorbell:bad:${endpoint}`)),
        )

      const filters: readonly DeliveryFilter[] = [
        ...[{}, { subject: 'front' }, { text: 'front' }, { value: 'order-17' }, { provider: 'doorbell' }],
        ...[{ kind: 'bell.rung' }, { kind: 'bell.*' }, { error: 'refused' }, { minAttempts: 1 }],
        ...[{ minAttempts: 2 }, { receivedAfter: 1 }, { outcome: 'accepted' }, { outcome: 'quarantined' }],
        ...(['published', 'dead', 'pending', 'quarantined'] as const).map((status) => ({ status })),
        ...[published[2], published[0], published[3]].map((id) => ({ id })),
        ...['doorbell:dead:3', 'doorbell:dead:1'].map((eventId) => ({ eventId })),
        ...['doorbell:dead:3', published[2]].map((text) => ({ text })),
        ...[{ endpoint: 'initech' }, { endpoint: 'acme' }],
      ] as DeliveryFilter[]
      const last = await inbox.lastRecorded()
      for (const endpoints of [['acme', 'globex'], ['acme', 'globex', ...others], []]) {
        for (const filter of filters) {
          const all = await inbox.list({ ...filter, limit: 100 })
          const wanted = all.filter(({ endpoint = '' }) => endpoints.includes(endpoint)).map(({ id }) => id)
          const found = await inbox.list({ ...filter, endpoints, limit: 100 })
          const name = JSON.stringify(filter)
          expect(found.map(({ id }) => id).toSorted(), name).toEqual(wanted.toSorted())
          expect(await inbox.countDeliveries({ ...filter, endpoints }), name).toBe(wanted.length)
          const recorded = await inbox.recorded({ ...filter, endpoints, after: 0, upTo: last, limit: 100 })
          expect(recorded.deliveries.map(({ id }) => id).toSorted(), name).toEqual(wanted.toSorted())
        }
      }

      const endpoints = ['acme', 'globex']
      const events = await inbox.published({ endpoints, limit: 100 })
      expect(events.map(({ event }) => event.id).toSorted()).toEqual([
        'doorbell:published:1',
        'doorbell:published:2',
      ])
      expect(await inbox.countPublished({ endpoints })).toBe(2)
      expect(await inbox.countPublished({ endpoints: [] })).toBe(0)
      const failures = await inbox.failures({ endpoints, limit: 100 })
      expect(failures.groups.map((one) => one.events)).toEqual([2, 2])
      expect((await inbox.failures({ endpoints: [], limit: 100 })).groups).toEqual([])
      expect(await inbox.makeDue?.({ filter: { endpoints: ['acme'] }, limit: 10 })).toBe(1)
      expect(await inbox.makeDue?.({ filter: { id: waiting[2] ?? '', endpoints }, limit: 10 })).toBe(0)
      expect(await inbox.cancel({ filter: { endpoints: ['globex'] }, limit: 10 })).toEqual({
        events: 1,
        busy: 0,
      })
      const { deliveries } = await inbox.replay({ filter: { status: 'dead', endpoints }, limit: 10 })
      expect(deliveries.map(({ id }) => id)).toEqual([dead[0], dead[1], waiting[1]])
      const erased = await inbox.erase({ filter: { endpoints: ['initech'], status: 'dead' }, limit: 10 })
      expect(erased.deliveries).toBe(1)
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
