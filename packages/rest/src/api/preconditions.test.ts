import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createFetchHandler } from '../fetch/fetch-handler.ts'
import { createMemoryIdempotencyStore } from '../memory-idempotency-store.ts'
import { requireCurrent } from '../require-resource.ts'
import { createRouteGroup } from '../route-group.ts'
import { createApi } from './api.ts'

const note = { id: '1', text: 'a' }
const data = z.object({ id: z.string(), text: z.string() })
const route = createRouteGroup<{ readonly id: string }>({ etag: true })
const key = { idempotencyKey: true }
const handle = createFetchHandler(
  createApi({
    authenticate: () => ({ id: 'ada' }),
    secrets: ['a secret of at least thirty-two bytes'],
    idempotency: createMemoryIdempotencyStore(),
    routes: [
      route.get('/notes/{id}', { operationId: 'getNote', data }, () => note),
      route.post('/notes', { operationId: 'createNote', data }, () => note),
      route.post('/ignore', { operationId: 'ignore', status: 200, data, ...key }, () => note),
      route.post('/check', { operationId: 'check', status: 200, data, ...key }, (_, context) => {
        requireCurrent(context, note)
        return note
      }),
    ],
  }),
)
const send = async (method: string, path: string, headers: Record<string, string>) =>
  await handle(new Request(`http://localhost${path}`, { method, headers }))
const etag = (await send('GET', '/notes/1', {})).headers.get('etag') ?? ''

describe.each(['GET', 'HEAD'])('a %s', (method) => {
  // Regression: If-Match was ignored.
  it.each([
    ['"other"', 412],
    [`W/${etag}`, 412],
    ['not a tag', 400],
    [etag, 200],
    ['*', 200],
  ])('with If-Match: %s is %d', async (ifMatch, status) => {
    expect((await send(method, '/notes/1', { 'if-match': ifMatch })).status).toBe(status)
  })

  it('with If-Match precedes If-None-Match', async () => {
    const headers = { 'if-match': '"other"', 'if-none-match': etag }
    expect((await send(method, '/notes/1', headers)).status).toBe(412)
  })
})

describe.each<Record<string, string>>([{}, { 'idempotency-key': 'a' }])('an action with %j', (headers) => {
  it('is 412 for another ETag', async () => {
    expect((await send('POST', '/check', { ...headers, 'if-match': '"other"' })).status).toBe(412)
  })

  // Regression: a POST ignored the preconditions.
  it('is 500 if its handler ignores the preconditions', async () => {
    expect((await send('POST', '/ignore', { ...headers, 'if-match': '"other"' })).status).toBe(500)
  })
})

it('ignores the preconditions of a creation', async () => {
  expect((await send('POST', '/notes', { 'if-match': '"other"' })).status).toBe(201)
})
