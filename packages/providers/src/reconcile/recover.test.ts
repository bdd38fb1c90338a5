import { createMemoryDatabase, createWebhooks, type Webhooks } from '@sallyport/webhooks/node'
import { expect, test, vi } from 'vitest'
import { createPublishedFetch } from '../../test/reconcile/published.ts'
import { github } from '../services/github.ts'
import { stripe } from '../services/stripe.ts'
import { reconcileGithub, reconcileStripe } from './index.ts'

const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))

/** Delivers to the gateway as the service does. */
async function push(
  webhooks: Webhooks,
  service: typeof github | typeof stripe,
  body: Uint8Array,
  id: string,
) {
  const named = { 'x-github-event': 'push', 'x-github-delivery': id, 'content-type': 'application/json' }
  const delivery = { method: 'POST', headers: new Headers(named), body }
  const signed = await service.signature.sign(delivery, 'secret', Date.now())
  const init = { method: 'POST', headers: { ...named, ...signed }, body: Buffer.from(body) }
  return await webhooks.fetch(new Request(`https://gateway.example/webhooks/${service.name}`, init))
}

async function untilListed(webhooks: Webhooks, name: string, expected: object): Promise<void> {
  const found = async () =>
    (await webhooks.operations.reconciliations?.list())?.find((one) => one.name === name)
  await vi.waitFor(async () => {
    expect(await found()).toMatchObject(expected)
  }, 10_000)
}

test('A failed delivery of GitHub is sent again, verified, and handled once', async () => {
  const toBody = (ref: string) =>
    encode({
      ...{ ref, before: 'a', after: 'b', compare: '', created: false, deleted: false, forced: false },
      ...{ base_ref: null, commits: [], head_commit: null, pusher: { name: 'ann' } },
      repository: { full_name: 'acme/web' },
    })
  const handle = vi.fn()
  const asked: string[] = []
  const fetch = createPublishedFetch('github', async (request, url) => {
    if (request.method === 'POST') {
      asked.push(url.pathname)
      expect((await push(webhooks, github, toBody('main'), 'guid-1')).status).toBe(200)
      return Response.json({}, { status: 202 })
    }
    const common = { redelivery: false, duration: 1, event: 'push', action: null, installation_id: null }
    const delivered_at = new Date().toISOString()
    const failed = { ...common, repository_id: 1, delivered_at, status: 'timed out', status_code: 504 }
    return Response.json([
      { ...failed, id: 2, guid: 'guid-2' },
      { ...failed, id: 1, guid: 'guid-1' },
    ])
  })
  const hook = { repository: 'acme/web', hook: 5 }
  const webhooks = createWebhooks({
    ...{ database: createMemoryDatabase(), providers: [github], secrets: { github: 'secret' } },
    // Deliveries arrive before the start.
    onError: () => undefined,
    on: { 'github/push': handle },
    reconcile: { sources: [reconcileGithub({ hook, token: () => 'token', fetch })], everyMs: 1000 },
  })
  // GitHub did not see the answer to this one.
  await push(webhooks, github, toBody('other'), 'guid-2')
  webhooks.start()
  await untilListed(webhooks, 'github', { state: { recovered: 1, asked: [] } })
  await vi.waitFor(() => {
    expect(handle).toHaveBeenCalledTimes(2)
  }, 5000)
  await webhooks.stop()
  expect(asked).toEqual(['/repos/acme/web/hooks/5/deliveries/1/attempts'])
})

test('An event of Stripe that is pushed and pulled in any order is handled once', async () => {
  const created = Math.floor(Date.now() / 1000) - 70
  const toEvent = (id: string) => ({
    ...{ id, object: 'event', type: 'charge.succeeded', created, livemode: false, pending_webhooks: 1 },
    ...{ api_version: null, request: null, data: { object: { id: 'ch_1', amount: 1200 } } },
  })
  const fetch = createPublishedFetch('stripe', () =>
    Response.json({
      ...{ object: 'list', url: '/v1/events', has_more: false },
      data: ['evt_pushed', 'evt_missed', 'evt_late'].map(toEvent),
    }),
  )
  const handled: string[] = []
  const webhooks = createWebhooks({
    ...{ database: createMemoryDatabase(), providers: [stripe], secrets: { stripe: 'secret' } },
    // A delivery arrives before the start.
    onError: () => undefined,
    on: {
      'stripe/charge.succeeded': ({ id }) => {
        handled.push(id)
      },
    },
    reconcile: { sources: [reconcileStripe({ token: () => 'token', fetch })] },
  })
  await push(webhooks, stripe, encode(toEvent('evt_pushed')), '')
  webhooks.start()
  await untilListed(webhooks, 'stripe', {
    state: { recovered: 2, last: { ids: ['evt_missed', 'evt_late'] } },
  })
  expect((await push(webhooks, stripe, encode(toEvent('evt_late')), '')).status).toBe(200)
  await vi.waitFor(() => {
    expect(handled).toHaveLength(3)
  })
  await webhooks.stop()
  expect(new Set(handled).size).toBe(3)
  const { inbox } = webhooks.operations
  expect(await inbox.list?.({ value: 'recovered:stripe', limit: 9 })).toHaveLength(2)
})
