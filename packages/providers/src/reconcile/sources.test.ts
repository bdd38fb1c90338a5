import type { Missed, ReconcileWindow } from '@sallyport/webhooks/reconcile'
import { expect, test, vi } from 'vitest'
import { createPublishedFetch } from '../../test/reconcile/published.ts'
import {
  reconcileGithub,
  reconcileGitlab,
  reconcilePaddle,
  reconcilePaypal,
  reconcilePolar,
  reconcileStripe,
} from './index.ts'

const until = Date.UTC(2026, 10, 29, 12)
const since = until - 3_600_000
const iso = (ageMs: number) => new Date(until - ageMs).toISOString()
const json = (body: unknown, init?: ResponseInit) => Response.json(body, init)
const token = () => 'token'

/** Lists what a source finds, with the times that it marks as done. */
async function list<Item extends Missed>(
  source: { readonly list: (window: ReconcileWindow) => AsyncIterable<Item> },
  from = since,
) {
  const done: number[] = []
  const checked = (at: number) => {
    done.push(at)
    return Promise.resolve()
  }
  const window = { since: from, until, checked, signal: new AbortController().signal }
  const found: Item[] = []
  for await (const one of source.list(window)) found.push(one)
  return { found, done }
}

interface GithubDelivery {
  readonly id: number
  readonly guid: string
  readonly age: number
  readonly code?: number
  readonly redelivery?: boolean
}

const toGithub = ({ id, guid, age, code = 502, redelivery = false }: GithubDelivery) => ({
  ...{ id, guid, delivered_at: iso(age), redelivery, duration: 0.2, status_code: code },
  ...{ status: code === 200 ? 'OK' : 'failed to connect', event: 'push', action: null },
  ...{ installation_id: null, repository_id: 7 },
})

/** Answers lists of deliveries in pages, and redeliveries. */
function createGithub(pages: readonly (readonly GithubDelivery[])[]) {
  const requests: string[] = []
  const fetch = createPublishedFetch('github', (request, url) => {
    requests.push(`${request.method} ${url.pathname}${url.search}`)
    expect(request.headers.get('authorization')).toBe('Bearer token')
    if (request.method === 'POST') return json({}, { status: 202 })
    const page = Number(url.searchParams.get('cursor') ?? 0)
    const next = `<${url.origin}${url.pathname}?per_page=100&cursor=${page + 1}>; rel="next"`
    const headers = page + 1 < pages.length ? { link: next } : {}
    return json(pages[page]?.map(toGithub), { headers: new Headers(headers) })
  })
  return { requests, fetch }
}

test.each([
  [{ repository: 'acme/web', hook: 12 } as const, '/repos/acme/web/hooks/12/deliveries'],
  [{ organization: 'acme', hook: 12 } as const, '/orgs/acme/hooks/12/deliveries'],
  [{ app: true } as const, '/app/hook/deliveries'],
])('GitHub lists the failed deliveries of %j, oldest first, and redelivers', async (hook, path) => {
  const { requests, fetch } = createGithub([
    [
      { id: 6, guid: 'f', age: 500, code: 200, redelivery: true },
      { id: 5, guid: 'e', age: 1000, code: 200 },
      { id: 4, guid: 'd', age: 2000 },
    ],
    [
      { id: 3, guid: 'e', age: 3000 },
      { id: 2, guid: 'b', age: 4000, code: 401 },
      { id: 1, guid: 'a', age: 3_700_000 },
    ],
    [{ id: 0, guid: 'z', age: 3_800_000 }],
  ])
  const source = reconcileGithub({ hook, token, fetch })
  const { found } = await list(source)
  expect(found.map(({ id }) => id)).toEqual(['b', 'd', 'f'])
  expect(found[0]).toEqual({ id: 'b', ref: '2', at: until - 4000, isDelivered: false })
  expect(found[2]).toMatchObject({ isDelivered: true })
  expect(await source.redeliver('2', new AbortController().signal)).toBe(false)
  expect(requests).toEqual([
    `GET ${path}?per_page=100`,
    `GET ${path}?per_page=100&cursor=1`,
    `POST ${path}/2/attempts`,
  ])
})

test.each([
  { repository: 'acme', hook: 1 },
  { repository: 'acme/../../app', hook: 1 },
  { repository: 'acme/..', hook: 1 },
  { organization: 'a/b', hook: 1 },
  { organization: 'acme', hook: 1.5 },
])('GitHub refuses the hook %j', (hook) => {
  expect(() => reconcileGithub({ hook, token })).toThrow(TypeError)
})

test('An answer with a form that is not published is an error without content', async () => {
  const fetch = () =>
    Promise.resolve(json([{ id: 1.5, guid: 'secret', delivered_at: iso(0), status_code: 500 }]))
  const source = reconcileGithub({ hook: { app: true }, token, fetch })
  const error: unknown = await list(source).catch((failure: unknown) => failure)
  expect(error).toMatchObject({ code: 'INVALID_RESPONSE' })
  expect(String(error)).not.toContain('secret')
})

test('GitHub is asked for a delivery with an id of 64 bits', async () => {
  const body = `[{ "id": 9223372036854775807, "guid": "a", "delivered_at": "${iso(0)}", "status_code": 500, "redelivery": false }]`
  const fetch = () => Promise.resolve(new Response(body))
  const { found } = await list(reconcileGithub({ hook: { app: true }, token, fetch }))
  expect(found).toMatchObject([{ ref: '9223372036854775807' }])
})

test('A list without an end is an error', async () => {
  const page = [toGithub({ id: 1, guid: 'a', age: 0 })]
  const link = '<https://api.github.com/app/hook/deliveries?cursor=1>; rel="next"'
  const fetch = vi.fn(() => Promise.resolve(json(page, { headers: { link } })))
  await expect(list(reconcileGithub({ hook: { app: true }, token, fetch }))).rejects.toMatchObject({
    code: 'TOO_MANY',
  })
  expect(fetch).toHaveBeenCalledTimes(1000)
})

test('GitLab lists failed events, oldest first, and resends', async () => {
  const statuses = [200, 'internal error']
  const requests: string[] = []
  const toEvent = (id: number, age: number) => ({
    ...{ id, url: 'https://gateway.example/webhooks/gitlab', trigger: 'push_hooks', request_data: {} },
    ...{ request_headers: { 'Idempotency-Key': `key-${id}` }, response_status: '500', created_at: iso(age) },
  })
  const fetch = createPublishedFetch('gitlab', (request, url) => {
    requests.push(`${request.method} ${url.pathname}${url.search}`)
    if (request.method === 'POST') return json({ response_status: statuses.shift() }, { status: 201 })
    const first = url.searchParams.get('page') === '1'
    const full = Array.from({ length: 20 }, (_, index) => toEvent(40 - index, index * 1000))
    return json(first ? full : [toEvent(2, 60_000), toEvent(1, 3_700_000)])
  })
  const source = reconcileGitlab({ hook: { project: 'acme/web', hook: 3 }, token, fetch })
  const { found } = await list(source)
  expect(found).toHaveLength(21)
  expect(found[0]).toEqual({ id: 'key-2', ref: '2', at: until - 60_000 })
  expect(await source.redeliver('2', new AbortController().signal)).toBe(true)
  expect(await source.redeliver('2', new AbortController().signal)).toBe(false)
  const path = '/api/v4/projects/acme%2Fweb/hooks/3/events'
  const query = 'status=client_failure%2Cserver_failure&per_page=20'
  expect(requests).toEqual([
    `GET ${path}?${query}&page=1`,
    `GET ${path}?${query}&page=2`,
    `POST ${path}/2/resend`,
    `POST ${path}/2/resend`,
  ])
})

test.each([
  { project: '../users', hook: 1 },
  { group: 'a?b', hook: 1 },
  { project: 1, hook: -0.5 },
])('GitLab refuses the hook %j', (hook) => {
  expect(() => reconcileGitlab({ hook, token })).toThrow(TypeError)
})

const toStripe = (id: string, type = 'charge.succeeded') => ({
  ...{ id, object: 'event', type, created: since / 1000, api_version: '2026-08-26.dahlia' },
  ...{
    data: { object: { id: 'ch_1', object: 'charge' } },
    livemode: true,
    pending_webhooks: 1,
    request: null,
  },
})

test('Stripe lists undelivered events in hours and pages', async () => {
  const queries: URLSearchParams[] = []
  const fetch = createPublishedFetch('stripe', (_, { searchParams }) => {
    queries.push(searchParams)
    const isFirst = !searchParams.has('starting_after')
    const data = isFirst ? [toStripe('evt_2'), toStripe('evt_1')] : [toStripe('evt_0')]
    return json({ object: 'list', url: '/v1/events', has_more: isFirst, data })
  })
  const source = reconcileStripe({ token, fetch, types: ['charge.succeeded', 'charge.failed'] })
  const { found, done } = await list(source, since - 3_600_000)
  expect(found.map(({ id }) => id)).toEqual(['evt_2', 'evt_1', 'evt_0', 'evt_2', 'evt_1', 'evt_0'])
  // An event of the last minute may be on its way.
  expect(done).toEqual([since, until - 60_000])
  expect(Object.fromEntries(queries[1] ?? [])).toEqual({
    ...{ limit: '100', delivery_success: 'false', starting_after: 'evt_1' },
    ...{ 'created[gte]': String(since / 1000 - 3600), 'created[lte]': String(since / 1000) },
    ...{ 'types[0]': 'charge.succeeded', 'types[1]': 'charge.failed' },
  })
})

test('Stripe is asked for its last 30 days at most, and for delivered events too on demand', async () => {
  const queries: URLSearchParams[] = []
  const fetch = createPublishedFetch('stripe', (_, { searchParams }) => {
    queries.push(searchParams)
    return json({ object: 'list', url: '/v1/events', has_more: false, data: [] })
  })
  await list(reconcileStripe({ token, fetch, all: true }), 0)
  expect(queries).toHaveLength(30 * 24)
  expect(queries[0]?.has('delivery_success')).toBe(false)
  expect(() => reconcileStripe({ token, types: Array.from({ length: 21 }, String) })).toThrow(TypeError)
})

test('Paddle lists undelivered notifications with their events', async () => {
  const queries: URLSearchParams[] = []
  const toNotification = (id: string) => ({
    ...{ id: `ntf_${id}`, type: 'transaction.paid', status: 'failed', occurred_at: iso(120_000) },
    payload: { event_id: `evt_${id}`, event_type: 'transaction.paid', data: { id: 'txn_1' } },
  })
  const fetch = createPublishedFetch('paddle', (_, { searchParams }) => {
    queries.push(searchParams)
    const has_more = !searchParams.has('after')
    return json({ data: [toNotification(has_more ? '1' : '2')], meta: { pagination: { has_more } } })
  })
  const { found, done } = await list(reconcilePaddle({ token, fetch, destination: 'ntfset_1' }))
  expect(found.map(({ id }) => id)).toEqual(['evt_1', 'evt_2'])
  expect(new TextDecoder().decode(found[0]?.body)).toBe(JSON.stringify(toNotification('1').payload))
  expect(done).toEqual([until - 60_000])
  expect(Object.fromEntries(queries[1] ?? [])).toEqual({
    ...{ from: new Date(since).toISOString(), to: iso(60_000), per_page: '200', after: 'ntf_1' },
    ...{ status: 'not_attempted,needs_retry,failed', notification_setting_id: 'ntfset_1' },
  })
})

test('PayPal lists events, and the token stays at its host', async () => {
  const requests: URL[] = []
  const toEvent = (id: string) => ({
    id,
    create_time: iso(120_000),
    event_type: 'PAYMENT.SALE.COMPLETED',
    resource: {},
  })
  const fetch = createPublishedFetch('paypal', (_, url) => {
    requests.push(url)
    const href =
      'https://api.paypal.com/v1/notifications/webhooks-events?page_size=20&start_time=2026-11-29T11:30:00Z'
    const isFirst = requests.length === 1
    return json({
      events: [toEvent(isFirst ? 'WH-1' : 'WH-2')],
      links: isFirst ? [{ rel: 'next', href }] : [],
    })
  })
  const { found } = await list(reconcilePaypal({ token, fetch, baseUrl: 'https://api-m.sandbox.paypal.com' }))
  expect(found.map(({ id }) => id)).toEqual(['WH-1', 'WH-2'])
  expect(requests.map(({ host }) => host)).toEqual(['api-m.sandbox.paypal.com', 'api-m.sandbox.paypal.com'])
  expect(Object.fromEntries(requests[0]?.searchParams ?? [])).toEqual({
    ...{ page_size: '20', start_time: '2026-11-29T11:00:00Z', end_time: '2026-11-29T11:59:00Z' },
  })
})

test('Polar lists failed deliveries, oldest first, and redelivers their events', async () => {
  const requests: string[] = []
  const ids = ['8c5f2c1e-0a41-4e0e-a4f1-b4a61cf4dc45', '0d5b5c1e-6a55-4e0e-a4f1-b4a61cf4dc45']
  const toDelivery = (id: string | undefined, age: number, changes = {}) => ({
    ...{ id: 'any', created_at: iso(age), succeeded: false, http_code: 502, response: null },
    webhook_event: { id, is_archived: false, payload: null, ...changes },
  })
  const fetch = createPublishedFetch('polar', (request, url) => {
    requests.push(`${request.method} ${url.pathname}`)
    if (request.method === 'POST') return new Response(null, { status: 202 })
    const archived = toDelivery('3d5b5c1e-6a55-4e0e-a4f1-b4a61cf4dc45', 3000, { is_archived: true })
    const delivered = { ...toDelivery('4d5b5c1e-6a55-4e0e-a4f1-b4a61cf4dc45', 500), succeeded: true }
    return json({
      items: [toDelivery(ids[1], 1000), toDelivery(ids[0], 2000), archived, delivered],
      pagination: {},
    })
  })
  const source = reconcilePolar({ token, fetch })
  const { found } = await list(source)
  expect(found.filter(({ isDelivered }) => isDelivered !== true).map(({ id }) => id)).toEqual(ids)
  expect(found).toHaveLength(3)
  await source.redeliver(found[0]?.ref ?? '', new AbortController().signal)
  expect(requests).toEqual([
    'GET /v1/webhooks/deliveries',
    `POST /v1/webhooks/events/${ids[0] ?? ''}/redeliver`,
  ])
})
