import { expect, test, vi } from 'vitest'
import { createVendorApi, getNextLink, type VendorApiOptions } from './vendor-api.ts'

const now = 1_700_000_000_000

/** Answers with the given responses in order. */
function createApi(responses: readonly (Response | Error)[], options: Partial<VendorApiOptions> = {}) {
  const left = [...responses]
  const fetch = vi.fn<typeof globalThis.fetch>(() => {
    const next = left.shift() ?? new Error('No response is left')
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next)
  })
  const api = createVendorApi({
    ...{ baseUrl: 'https://api.example/v1', token: () => 'secret', fetch, now: () => now },
    ...options,
  })
  const getUrl = () => new Request(fetch.mock.calls[0]?.[0] ?? '').url
  return { api, fetch, getUrl }
}

const json = (body: unknown, init?: ResponseInit) => new Response(JSON.stringify(body), init)

test('A request has the token, the query and the JSON body, and follows no redirect', async () => {
  const { api, fetch, getUrl } = createApi([json({ ok: true }, { status: 202 })])
  const query = { a: 1, none: undefined }
  const answer = await api('/hooks', { method: 'POST', query, body: { active: true } })
  expect(answer).toMatchObject({ status: 202, body: { ok: true } })
  const [, init] = fetch.mock.calls[0] ?? []
  expect(getUrl()).toBe('https://api.example/v1/hooks?a=1')
  expect(init).toMatchObject({ method: 'POST', redirect: 'manual', body: '{"active":true}' })
  expect(init?.headers).toMatchObject({ authorization: 'Bearer secret', 'content-type': 'application/json' })
})

test('URLSearchParams are sent as a form, and an empty answer has no body', async () => {
  const { api, fetch } = createApi([new Response(null, { status: 204 })])
  const body = new URLSearchParams({ url: 'https://a.example/?b' })
  expect((await api('hooks', { method: 'POST', body })).body).toBeUndefined()
  const [, init] = fetch.mock.calls[0] ?? []
  expect(init).toMatchObject({ body: 'url=https%3A%2F%2Fa.example%2F%3Fb' })
  expect(init?.headers).toMatchObject({ 'content-type': 'application/x-www-form-urlencoded' })
})

test('A token that expired is replaced once', async () => {
  const token = vi.fn(({ isRefused }: { isRefused: boolean }) => (isRefused ? 'new' : 'old'))
  const { api, fetch } = createApi([json({}, { status: 401 }), json([])], { token })
  await api('events')
  expect(fetch.mock.calls[1]?.[1]?.headers).toMatchObject({ authorization: 'Bearer new' })

  const refused = createApi([json({}, { status: 401 }), json({}, { status: 401 })])
  await expect(refused.api('events')).rejects.toMatchObject({ code: 'HTTP_401', status: 401 })
})

test.each([
  ['Retry-After', 429, { 'retry-after': '30' }, 30_000],
  ['no header', 429, {}, 60_000],
  ['a secondary limit of GitHub', 403, { 'retry-after': '60' }, 60_000],
  ['x-ratelimit-reset', 403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1700000090' }, 90_000],
  ['ratelimit-reset', 429, { 'ratelimit-remaining': '0', 'ratelimit-reset': '1700000005' }, 5000],
])('A rate limit with %s says how long to wait', async (_, status, headers, retryAfterMs) => {
  const { api } = createApi([json({}, { status, headers })])
  await expect(api('events')).rejects.toMatchObject({ code: 'RATE_LIMITED', status, retryAfterMs })
})

test('An answer of 403 under the limits is no rate limit', async () => {
  const headers = { 'x-ratelimit-remaining': '4000', 'x-ratelimit-reset': '1700000090' }
  const { api } = createApi([json({}, { status: 403, headers })])
  await expect(api('events')).rejects.toMatchObject({ code: 'HTTP_403', retryAfterMs: undefined })
})

test.each([
  [
    'a redirect',
    new Response(null, { status: 302, headers: { location: 'https://evil.example' } }),
    'HTTP_302',
  ],
  ['an answer that is not JSON', new Response('<html>'), 'INVALID_RESPONSE'],
  ['an answer over the limit', json('x'.repeat(100)), 'INVALID_RESPONSE'],
  ['a network failure', new TypeError('fetch failed for https://api.example?key=secret'), 'UNREACHABLE'],
])('%s is an error without content', async (_, response, code) => {
  const { api } = createApi([response], { maximumBytes: 50 })
  const error: unknown = await api('events').catch((failure: unknown) => failure)
  expect(error).toMatchObject({ name: 'VendorApiError', code })
  expect(String(error)).not.toMatch(/secret|evil|html/)
})

test('A service that does not answer is a timeout, and an abort of the caller is none', async () => {
  const fetch: typeof globalThis.fetch = (_, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => {
        reject(init.signal?.reason as Error)
      })
    })
  const { api } = createApi([], { fetch, timeoutMs: 5 })
  await expect(api('events')).rejects.toMatchObject({ code: 'TIMEOUT' })
  const signal = AbortSignal.abort(new Error('Stopped'))
  await expect(api('events', { signal })).rejects.toThrow('Stopped')
})

test('A token that never comes ends the request', async () => {
  const api = createVendorApi({
    ...{
      baseUrl: 'https://api.example/v1',
      token: () => new Promise<string>(() => undefined),
      timeoutMs: 10,
    },
  })
  await expect(api('events')).rejects.toMatchObject({ code: 'TIMEOUT' })
})

test('The token goes to no other origin and to no path outside of the base URL', async () => {
  const { api, fetch, getUrl } = createApi([json([])])
  for (const path of [
    'https://evil.example/v1/events',
    '//evil.example/v1',
    '../admin',
    'https://api.example/v2',
  ])
    await expect(api(path)).rejects.toMatchObject({ code: 'INVALID_ADDRESS' })
  expect(fetch).not.toHaveBeenCalled()
  await api('https://api.example/v1/events?page=2')
  expect(getUrl()).toBe('https://api.example/v1/events?page=2')
})

test.each(['http://api.example', 'https://user:pass@api.example', 'file:///etc', 'api.example'])(
  'The base URL %s is refused',
  (baseUrl) => {
    expect(() => createVendorApi({ baseUrl, token: () => '' })).toThrow(TypeError)
  },
)

test.each([
  ['<https://a.example/?p=2>; rel="next", <https://a.example/?p=9>; rel="last"', 'https://a.example/?p=2'],
  ['<https://a.example/?p=1>; rel="prev"', undefined],
  ['https://a.example; rel="next"', undefined],
  ['', undefined],
])('The next page of %j is %s', (link, next) => {
  expect(getNextLink(new Headers({ link }))).toBe(next)
})
