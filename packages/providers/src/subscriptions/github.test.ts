import { expect, it } from 'vitest'
import document from '../../test/subscriptions/openapi/github.json' with { type: 'json' }
import { address, createContext, createScriptedFetch } from '../../test/subscriptions/scripted.ts'
import { github } from './github.ts'

const parameters = { repository: 'acme/shop', events: ['push'], baseUrl: 'https://api.github.com' }
const hook = (id: number, url: string, active = true) => ({ id, active, config: { url } })

it.each([
  [{ repository: 'acme/shop' }, '/repos/acme/shop/hooks'],
  [{ organization: 'acme' }, '/orgs/acme/hooks'],
])('registers, repairs and removes a webhook of %j', async (owner, path) => {
  const given = { ...owner, events: ['push'], baseUrl: parameters.baseUrl }
  const { fetch, requests } = createScriptedFetch(
    ({ method }) => (method === 'DELETE' ? undefined : hook(7, address)),
    document,
  )
  const context = createContext(given, fetch)
  const created = await github.create(context)
  expect(created).toEqual({ id: '7' })
  await github.repair?.(context, created)
  await github.remove(context, created)
  expect(requests.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual([
    ...[`POST ${path}`, `PATCH ${path}/7`, `DELETE ${path}/7`],
  ])
  const config = { url: address, content_type: 'json', secret: 'a-secret-of-acme', insecure_ssl: '0' }
  expect(requests[0]?.body).toEqual({ name: 'web', active: true, events: ['push'], config })
  expect(requests[0]?.headers.get('authorization')).toBe('Bearer token-of-acme')
})

it('finds the webhooks of the address on all pages, and a known one with another address', async () => {
  const next = 'https://api.github.com/repos/acme/shop/hooks?per_page=100&page=2'
  const { fetch } = createScriptedFetch(({ url }) => {
    if (url.searchParams.get('page') === '2') return [hook(3, address, false)]
    const hooks = [hook(1, 'https://old.example.com'), hook(2, 'https://other.example.com')]
    return new Response(JSON.stringify(hooks), { headers: { link: `<${next}>; rel="next"` } })
  }, document)
  expect(await github.list(createContext(parameters, fetch), { id: '1' })).toEqual([
    { id: '1', isDisabled: false },
    { id: '3', isDisabled: true },
  ])
})

it('removes a webhook that GitHub does not have any more', async () => {
  const { fetch } = createScriptedFetch(() => new Response('{}', { status: 404 }), document)
  await expect(github.remove(createContext(parameters, fetch), { id: '7' })).resolves.toBeUndefined()
})

it('reports the answer to a refused token, without the token', async () => {
  const { fetch, requests } = createScriptedFetch(() => new Response('{}', { status: 401 }), document)
  const error: unknown = await github
    .list(createContext(parameters, fetch), undefined)
    .catch((failure: unknown) => failure)
  expect(error).toMatchObject({ code: 'HTTP_401' })
  expect(String(error)).not.toContain('token-of-acme')
  // The second request has the token that replaces the refused one.
  expect(requests).toHaveLength(2)
})

it('reports how long GitHub asks to wait', async () => {
  const headers = { 'retry-after': '120' }
  const { fetch } = createScriptedFetch(() => new Response('{}', { status: 429, headers }), document)
  const listing = github.list(createContext(parameters, fetch), undefined)
  await expect(listing).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 120_000 })
})

it.each([
  {},
  { repository: 'acme/shop', organization: 'acme' },
  { repository: 'acme/../admin' },
  { repository: 'acme/shop?x' },
  { repository: 'acme/shop', baseUrl: 'file:///etc/passwd' },
])('refuses the parameters %j', async (given) => {
  const result = await github.parameters['~standard'].validate({ events: ['push'], ...given })
  expect(result.issues).toBeDefined()
})
