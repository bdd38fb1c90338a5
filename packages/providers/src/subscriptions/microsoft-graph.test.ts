import { expect, it } from 'vitest'
import document from '../../test/subscriptions/openapi/microsoft-graph.json' with { type: 'json' }
import { address, createContext, createScriptedFetch, now } from '../../test/subscriptions/scripted.ts'
import { microsoftGraph } from './microsoft-graph.ts'

const parameters = { resource: 'users/ann/messages', changeType: 'created,updated' }
const expirationDateTime = '2026-12-01T11:00:00.0000000Z'
const subscription = { id: 's1', ...parameters, notificationUrl: address, expirationDateTime }
const expiresAt = Date.parse(expirationDateTime)

it('creates a subscription with lifecycle notifications', async () => {
  const { fetch, requests } = createScriptedFetch(() => subscription, document)
  expect(await microsoftGraph.create(createContext(parameters, fetch))).toEqual({ id: 's1', expiresAt })
  expect(requests[0]?.body).toEqual({
    ...parameters,
    ...{ notificationUrl: address, lifecycleNotificationUrl: address, clientState: 'a-secret-of-acme' },
    expirationDateTime: new Date(now + 4230 * 60_000 * 0.9).toISOString(),
  })
})

it.each([
  ['users/ann/messages', 4230],
  ['communications/presences/ann', 60],
  ['chats/7/messages', 60],
  ["teams('7')/channels/getAllMessages", 60],
])('asks for a part of the longest time of %s', async (resource, minutes) => {
  const { fetch, requests } = createScriptedFetch(() => subscription, document)
  await microsoftGraph.create(createContext({ ...parameters, resource }, fetch))
  const { expirationDateTime: asked } = requests[0]?.body as { expirationDateTime: string }
  expect(Date.parse(asked) - now).toBe(minutes * 60_000 * 0.9)
})

it.each([
  ['the subscription', subscription, expiresAt],
  ['nothing', undefined, now + 4230 * 60_000 * 0.9],
])('renews a subscription when the answer is %s', async (_, answer, expected) => {
  const { fetch, requests } = createScriptedFetch(() => answer, document)
  const renewed = await microsoftGraph.renew?.(createContext(parameters, fetch), { id: 's1' })
  expect(renewed).toEqual({ id: 's1', expiresAt: expected })
  expect(requests[0]).toMatchObject({ method: 'PATCH' })
})

it('finds the subscriptions of the address and the resource on all pages', async () => {
  const next = 'https://graph.microsoft.com/v1.0/subscriptions?$skiptoken=2'
  const { fetch } = createScriptedFetch(({ url }) =>
    url.search === ''
      ? { value: [{ ...subscription, id: 's0', resource: 'users/bob/messages' }], '@odata.nextLink': next }
      : { value: [subscription] },
  )
  const found = await microsoftGraph.list(createContext(parameters, fetch), undefined)
  expect(found).toEqual([{ id: 's1', expiresAt }])
})

it.each([200, 404])('finds a known subscription by its id when the answer is %d', async (status) => {
  const { fetch, requests } = createScriptedFetch(({ url }) => {
    if (url.pathname.endsWith('/subscriptions')) return { value: [subscription] }
    return new Response(JSON.stringify({ ...subscription, id: 's0' }), { status })
  }, document)
  const found = await microsoftGraph.list(createContext(parameters, fetch), { id: 's0' })
  expect(found).toEqual([{ id: status === 200 ? 's0' : 's1', expiresAt }])
  expect(requests).toHaveLength(status === 200 ? 1 : 2)
})

it('sends the token to no other address that an answer names', async () => {
  const { fetch, requests } = createScriptedFetch(() => ({
    ...{ value: [], '@odata.nextLink': 'https://evil.example/subscriptions' },
  }))
  const listing = microsoftGraph.list(createContext(parameters, fetch), undefined)
  await expect(listing).rejects.toMatchObject({ code: 'INVALID_ADDRESS' })
  expect(requests).toHaveLength(1)
})

it('refuses a secret that is too long for the client state', async () => {
  const { fetch, requests } = createScriptedFetch(() => subscription, document)
  const creating = microsoftGraph.create(createContext(parameters, fetch, { secrets: ['x'.repeat(129)] }))
  await expect(creating).rejects.toMatchObject({ code: 'INVALID_SECRET' })
  expect(requests).toEqual([])
})
