import type { SubscriptionContext, SubscriptionService } from '@sallyport/webhooks/subscriptions'
import { expect, it } from 'vitest'
import gitlabDocument from '../../test/subscriptions/openapi/gitlab.json' with { type: 'json' }
import googleDocument from '../../test/subscriptions/openapi/google.json' with { type: 'json' }
import {
  address,
  createContext,
  createScriptedFetch,
  now,
  type Answer,
  type ApiDocument,
  type ScriptedRequest,
} from '../../test/subscriptions/scripted.ts'
import { builtInProviders } from '../index.ts'
import graphSamples from '../services/microsoft-graph.samples.json' with { type: 'json' }
import twitchSamples from '../services/twitch.samples.json' with { type: 'json' }
import { calendly } from './calendly.ts'
import { gitlab } from './gitlab.ts'
import { googleCalendar, googleDrive } from './google.ts'
import { subscriptionServices } from './index.ts'
import { linear } from './linear.ts'
import { shopify } from './shopify.ts'
import { telegram } from './telegram.ts'
import { twitch } from './twitch.ts'
import { typeform } from './typeform.ts'
import { youtube } from './youtube.ts'
import { zendesk } from './zendesk.ts'

const describe = ({ method, url }: ScriptedRequest) => `${method} ${url.host}${url.pathname}${url.search}`

/** Opens a service whose answers are those of a function. */
async function open<Parameters>(
  service: SubscriptionService<Parameters>,
  given: object,
  answer: (request: ScriptedRequest) => Answer,
  changes: Partial<SubscriptionContext<Parameters>> = {},
  document?: ApiDocument,
) {
  const { fetch, requests } = createScriptedFetch(answer, document)
  const result = await service.parameters['~standard'].validate(given)
  if (result.issues) throw new Error(JSON.stringify(result.issues))
  const context = createContext(result.value, fetch, changes)
  return { service, context, requests, sent: () => requests.map(describe) }
}

it('has one service for each name, and a provider for each', () => {
  const names = subscriptionServices.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const { name, provider = name } of subscriptionServices)
    expect(builtInProviders.map((one) => one.name)).toContain(provider)
})

it('renews on kinds of events that the services send', () => {
  const kinds = new Map<string, readonly { readonly kind: string }[]>([
    ['microsoft-graph', graphSamples],
    ['twitch', twitchSamples],
  ])
  const renewing = subscriptionServices.filter(({ renewOn = [] }) => renewOn.length > 0)
  expect(renewing.map(({ name }) => name)).toEqual([...kinds.keys()])
  for (const { name, renewOn = [] } of renewing)
    expect(kinds.get(name)?.map(({ kind }) => kind)).toContain(renewOn[0])
})

it('registers a webhook of a GitLab project with only the given events', async () => {
  const hook = { id: 5, url: address, alert_status: 'executable' }
  const { service, context, requests, sent } = await open(
    gitlab,
    { project: 'acme/shop', events: ['merge_requests_events'] },
    ({ method }) => (method === 'DELETE' ? undefined : method === 'GET' ? [hook] : hook),
    {},
    gitlabDocument,
  )
  const created = await service.create(context)
  expect(await service.list(context, undefined)).toEqual([{ id: '5', isDisabled: false }])
  await service.repair?.(context, created)
  await service.remove(context, created)
  const path = 'gitlab.com/api/v4/projects/acme%2Fshop/hooks'
  expect(sent()).toEqual([
    ...[`POST ${path}`, `GET ${path}?per_page=100`, `PUT ${path}/5`, `DELETE ${path}/5`],
  ])
  expect(requests[0]?.body).toEqual({
    ...{ url: address, token: 'a-secret-of-acme', enable_ssl_verification: true },
    ...{ push_events: false, merge_requests_events: true },
  })
})

it('replaces a webhook that GitLab disabled after errors', async () => {
  const { service, context, sent } = await open(
    gitlab,
    { group: 7, events: ['push_events'] },
    ({ method }) => (method === 'DELETE' ? undefined : { id: 6, url: address }),
  )
  expect(await service.repair?.(context, { id: '5', isDisabled: true })).toEqual({ id: '6' })
  expect(sent()).toEqual([
    'POST gitlab.com/api/v4/groups/7/hooks',
    'DELETE gitlab.com/api/v4/groups/7/hooks/5',
  ])
})

const bot = `123456:${'A'.repeat(35)}`

it('sets the webhook of a Telegram bot, and leaves that of another address', async () => {
  let url = 'https://other.example.com'
  const { service, context, requests } = await open(
    telegram,
    {},
    ({ url: { pathname }, body }) => {
      if (pathname.endsWith('/setWebhook')) url = (body as { url: string }).url
      return { ok: true, result: pathname.endsWith('/getWebhookInfo') ? { url } : true }
    },
    { token: () => bot },
  )
  expect(await service.list(context, { id: '123456' })).toEqual([])
  expect(await service.create(context)).toEqual({ id: '123456' })
  expect(await service.list(context, undefined)).toEqual([{ id: '123456' }])
  expect(requests[1]?.body).toEqual({ url: address, secret_token: 'a-secret-of-acme', allowed_updates: [] })
  expect(requests[1]?.url.pathname).toBe(`/bot${bot}/setWebhook`)
})

it('shows no part of the token of a Telegram bot in an error', async () => {
  const { service, context } = await open(telegram, {}, () => new Response('{}', { status: 401 }), {
    token: () => bot,
  })
  const error: unknown = await service.create(context).catch((failure: unknown) => failure)
  expect(error).toMatchObject({ code: 'HTTP_401' })
  expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain('AAAA')
  const other = { ...context, token: () => '123/../456' }
  await expect(service.create(other)).rejects.toMatchObject({ code: 'INVALID_TOKEN' })
})

const event = {
  clientId: 'client',
  type: 'stream.online',
  version: '1',
  condition: { broadcaster_user_id: '7' },
}
const transport = { method: 'webhook', callback: address }

it('finds the Twitch subscription of the condition on all pages', async () => {
  const { service, context, requests } = await open(twitch, event, ({ url }) =>
    url.searchParams.has('after')
      ? { data: [{ id: 't2', status: 'authorization_revoked', ...event, transport }], pagination: {} }
      : {
          data: [
            { id: 't1', status: 'enabled', ...event, condition: { broadcaster_user_id: '8' }, transport },
          ],
          pagination: { cursor: 'next' },
        },
  )
  expect(await service.list(context, undefined)).toEqual([{ id: 't2', isDisabled: true }])
  expect(requests[0]?.headers.get('client-id')).toBe('client')
  expect(requests.map(({ url }) => url.search)).toEqual(['?user_id=7', '?user_id=7&after=next'])
})

it('creates a Twitch subscription again after it is removed, because Twitch changes none', async () => {
  const { service, context, requests, sent } = await open(twitch, event, ({ method }) =>
    method === 'DELETE' ? undefined : { data: [{ id: 't3', status: 'enabled', ...event, transport }] },
  )
  expect(await service.repair?.(context, { id: 't2' })).toEqual({ id: 't3' })
  const path = 'api.twitch.tv/helix/eventsub/subscriptions'
  expect(sent()).toEqual([`DELETE ${path}?id=t2`, `POST ${path}`])
  const { type, version, condition } = event
  expect(requests[1]?.body).toEqual({
    ...{ type, version, condition },
    transport: { ...transport, secret: 'a-secret-of-acme' },
  })
})

const shop = { shop: 'acme.myshopify.com', topic: 'ORDERS_CREATE', version: '2025-01' }

it('registers a topic of a Shopify shop', async () => {
  const { service, context, requests, sent } = await open(shopify, shop, ({ body }) => {
    const { query } = body as { query: string }
    return query.startsWith('query')
      ? {
          data: {
            webhookSubscriptions: {
              nodes: [{ id: 'gid:1', endpoint: { callbackUrl: address } }],
              pageInfo: { hasNextPage: false },
            },
          },
        }
      : { data: { webhookSubscriptionCreate: { webhookSubscription: { id: 'gid:1' }, userErrors: [] } } }
  })
  expect(await service.create(context)).toEqual({ id: 'gid:1' })
  expect(await service.list(context, undefined)).toEqual([{ id: 'gid:1' }])
  expect(sent()[0]).toBe('POST acme.myshopify.com/admin/api/2025-01/graphql.json')
  expect(requests[0]?.headers.get('x-shopify-access-token')).toBe('token-of-acme')
  expect(requests[0]?.body).toMatchObject({
    variables: { topic: 'ORDERS_CREATE', webhookSubscription: { callbackUrl: address, format: 'JSON' } },
  })
})

it.each([
  { errors: [{ message: 'Throttled' }] },
  { data: { webhookSubscriptionCreate: { webhookSubscription: null, userErrors: [{ message: 'Taken' }] } } },
])('reports an error in an answer of Shopify: %j', async (answer) => {
  const { service, context } = await open(shopify, shop, () => answer)
  await expect(service.create(context)).rejects.toMatchObject({ code: 'REFUSED' })
})

it.each([
  [
    googleCalendar,
    { calendar: 'ann@example.com' },
    'calendar/v3',
    'calendars/ann%40example.com/events/watch',
  ],
  [googleDrive, { file: 'f1' }, 'drive/v3', 'files/f1/watch'],
  [googleDrive, {}, 'drive/v3', 'changes/watch?pageToken=41'],
] as const)('opens and stops a channel of $name', async (service, given, base, path) => {
  const { context, requests, sent } = await open(
    service as SubscriptionService,
    given,
    ({ url, body }) =>
      url.pathname.endsWith('/startPageToken')
        ? { startPageToken: '41' }
        : url.pathname.endsWith('/stop')
          ? undefined
          : { id: (body as { id: string }).id, resourceId: 'r1', expiration: String(now + 1000) },
    {},
    googleDocument,
  )
  const created = await service.create(context as never)
  const watch = requests.find(({ url }) => url.pathname.endsWith('/watch'))
  expect(describe(watch!)).toBe(`POST www.googleapis.com/${base}/${path}`)
  const { id } = watch?.body as { id: string }
  expect(watch?.body).toEqual({ id, type: 'web_hook', address, token: 'a-secret-of-acme' })
  expect(created).toEqual({ id: `${id} r1`, expiresAt: now + 1000 })
  expect(await service.list(context as never, created)).toEqual([created])
  const later = { ...context, now: () => now + 1000 }
  expect(await service.list(later as never, created)).toEqual([])
  await service.remove(context as never, created)
  expect(requests.at(-1)?.body).toEqual({ id, resourceId: 'r1' })
  expect(sent().at(-1)).toBe(`POST www.googleapis.com/${base}/channels/stop`)
})

it('subscribes to a channel of YouTube with the secret and the verify token', async () => {
  const { service, context, requests } = await open(
    youtube,
    { channel: 'UC7' },
    () => new Response(null, { status: 202 }),
    { secrets: ['verify:the verify token', 'the secret'] },
  )
  const created = await service.create(context)
  expect(created).toEqual({ id: 'UC7', expiresAt: now + 432_000_000 })
  await service.remove(context, created)
  const request = {
    'hub.topic': 'https://www.youtube.com/xml/feeds/videos.xml?channel_id=UC7',
    ...{ 'hub.callback': address, 'hub.verify': 'async', 'hub.verify_token': 'the verify token' },
  }
  expect(requests.map(({ body }) => body)).toEqual([
    { ...request, 'hub.mode': 'subscribe', 'hub.secret': 'the secret', 'hub.lease_seconds': '432000' },
    { ...request, 'hub.mode': 'unsubscribe' },
  ])
  const lacking = service.create({ ...context, secrets: ['the secret'] })
  await expect(lacking).rejects.toMatchObject({ code: 'INVALID_SECRET' })
})

it('creates a Calendly subscription of a user, and replaces it by removal first', async () => {
  const organization = 'https://api.calendly.com/organizations/AAAA'
  const user = 'https://api.calendly.com/users/BBBB'
  const uri = 'https://api.calendly.com/webhook_subscriptions/C1'
  const resource = { uri, callback_url: address, state: 'disabled' }
  const { service, context, requests, sent } = await open(
    calendly,
    { organization, user, events: ['invitee.created'] },
    ({ method }) =>
      method === 'GET'
        ? { collection: [resource], pagination: { next_page: null } }
        : method === 'POST'
          ? { resource }
          : undefined,
  )
  expect(await service.list(context, undefined)).toEqual([{ id: 'C1', isDisabled: true }])
  expect(await service.repair?.(context, { id: 'C1' })).toEqual({ id: 'C1' })
  expect(sent().slice(1)).toEqual([
    'DELETE api.calendly.com/webhook_subscriptions/C1',
    'POST api.calendly.com/webhook_subscriptions',
  ])
  expect(requests[2]?.body).toEqual({
    ...{ url: address, events: ['invitee.created'], organization, user, scope: 'user' },
    signing_key: 'a-secret-of-acme',
  })
})

it('sets the webhook of a form of Typeform', async () => {
  const { service, context, requests, sent } = await open(typeform, { form: 'f1' }, ({ method }) =>
    method === 'GET' ? { items: [{ tag: 'sallyport-e1', url: address, enabled: false }] } : undefined,
  )
  expect(await service.create(context)).toEqual({ id: 'f1/sallyport-e1' })
  expect(await service.list(context, undefined)).toEqual([{ id: 'f1/sallyport-e1', isDisabled: true }])
  await service.remove(context, { id: 'f1/sallyport-e1' })
  expect(sent()[0]).toBe('PUT api.typeform.com/forms/f1/webhooks/sallyport-e1')
  expect(requests[0]?.body).toEqual({
    ...{ url: address, enabled: true, secret: 'a-secret-of-acme', verify_ssl: true },
  })
})

it('creates a webhook of Linear, and returns its secret', async () => {
  const { service, context, requests } = await open(linear, { resourceTypes: ['Issue'] }, ({ body }) =>
    (body as { query: string }).query.includes('webhookCreate')
      ? { data: { webhookCreate: { success: true, webhook: { id: 'w1', secret: 'lin_wh_1' } } } }
      : { data: null, errors: [{ message: 'Forbidden' }] },
  )
  expect(await service.create(context)).toEqual({ id: 'w1', secret: 'lin_wh_1' })
  expect(requests[0]?.body).toMatchObject({
    variables: { input: { url: address, resourceTypes: ['Issue'], allPublicTeams: true } },
  })
  await expect(service.list(context, undefined)).rejects.toMatchObject({ code: 'REFUSED' })
})

it.each([
  [linear, { resourceTypes: ['Issue'] }, 'webhooks'],
  [shopify, shop, 'webhookSubscriptions'],
] as const)(
  'creates no second subscription when $name has more than are read',
  async (service, given, name) => {
    const { context } = await open<never>(service as SubscriptionService<never>, given, () => ({
      data: { [name]: { nodes: [], pageInfo: { hasNextPage: true } } },
    }))
    await expect(service.list(context, undefined)).rejects.toMatchObject({ code: 'TOO_MANY' })
  },
)

it('reads no endless list', async () => {
  const { service, context, requests } = await open(twitch, event, () => ({
    data: [],
    pagination: { cursor: 'same' },
  }))
  await expect(service.list(context, undefined)).rejects.toMatchObject({ code: 'TOO_MANY' })
  expect(requests).toHaveLength(100)
})

it('creates a webhook of Zendesk, and reads its secret', async () => {
  const { service, context, sent } = await open(
    zendesk,
    { subdomain: 'acme', events: ['zen:event-type:user.created'] },
    ({ method, url }) =>
      url.pathname.endsWith('/signing_secret')
        ? { signing_secret: { algorithm: 'SHA256', secret: 'zs1' } }
        : method === 'POST'
          ? { webhook: { id: '01A' } }
          : { webhooks: [{ id: '01A', endpoint: address, status: 'inactive' }], meta: { has_more: false } },
  )
  expect(await service.create(context)).toEqual({ id: '01A', secret: 'zs1' })
  expect(await service.list(context, undefined)).toEqual([{ id: '01A', isDisabled: true }])
  expect(sent()[1]).toBe('GET acme.zendesk.com/api/v2/webhooks/01A/signing_secret')
})

it.each([
  [shopify, { ...shop, shop: 'evil.example/.myshopify.com' }],
  [zendesk, { subdomain: 'evil.example/', events: ['a'] }],
  [gitlab, { project: 1, group: 1, events: ['push_events'] }],
  [gitlab, { project: 'a?b', events: ['push_events'] }],
  [calendly, { organization: 'https://evil.example/organizations/A', events: ['a'] }],
  [typeform, { form: '../me' }],
  [twitch, { ...event, clientId: 'a\r\nb' }],
])('refuses parameters that leave the API of the service: %#', async (service, given) => {
  expect((await service.parameters['~standard'].validate(given)).issues).toBeDefined()
})
