import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import type { ApiOptions } from '../api/api-options.ts'
import { createApi } from '../api/api.ts'
import { dataEnvelope } from '../envelope.ts'
import { createRouteGroup } from '../route-group.ts'
import { createFetchHandler, type FetchHandlerOptions } from './fetch-handler.ts'

const route = createRouteGroup()

const base = { operationId: 'x', summary: 'x', path: '/echo', access: 'public' } as const
const data = { description: 'The request', data: z.unknown() }

function createHandler(
  options: FetchHandlerOptions = {},
  apiOptions: Partial<ApiOptions<never, object>> = {},
) {
  const api = createApi({
    routes: [
      route.get(
        '/echo',
        {
          ...base,
          responses: { 200: data },
        },
        (_, { mountPath, address, clientNetwork }) => ({
          status: 200,
          body: dataEnvelope({ mountPath, address, clientNetwork }),
        }),
      ),
      route.post(
        '/echo',
        {
          ...base,
          operationId: 'y',
          body: z.unknown(),
          responses: { 200: data },
        },
        ({ body }) => ({ status: 200, body: dataEnvelope(body) }),
      ),
    ],
    bodyLimit: 10,
    ...apiOptions,
  })
  return createFetchHandler(api, options)
}

const post = (body: string | ReadableStream<Uint8Array>): Request =>
  new Request('https://example.com/echo', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    duplex: 'half',
  })

it('passes the mount path, the address and the client to handlers', async () => {
  const handle = createHandler({
    mount: '/api/v1',
    clientAddress: ({ headers }) => headers.get('cf-connecting-ip') ?? undefined,
  })
  const response = await handle(
    new Request('https://example.com/api/v1/echo?a=1&b=%20#c', {
      headers: { 'cf-connecting-ip': '192.0.2.7' },
    }),
  )
  expect(await response.json()).toEqual({
    data: {
      mountPath: '/api/v1',
      address: { url: '/api/v1/echo', query: '?a=1&b=%20' },
      clientNetwork: '192.0.2.7',
    },
  })
})

it.each(['/', '/echo', '/api/v10/echo', '/api/V1/echo', '/other/api/v1/echo'])(
  'answers 404 for %s outside of the mount path',
  async (path) => {
    const response = await createHandler({ mount: '/api/v1' })(new Request(`https://example.com${path}`))
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: { code: 'NOT_FOUND' } })
  },
)

it.each(['api', '/', '/api/', '//api', '/api?'])('rejects the mount path %s', (mount) => {
  expect(() => createHandler({ mount })).toThrow('must have the form /api/v1')
})

it('cancels a stream of more bytes than the limit', async () => {
  const cancel = vi.fn()
  let pulled = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled++
      controller.enqueue(new Uint8Array(4))
    },
    cancel,
  })
  const response = await createHandler()(post(body))
  expect(response.status).toBe(413)
  expect(cancel).toHaveBeenCalledOnce()
  expect(pulled).toBeLessThan(6)
})

it('joins the chunks of a body', async () => {
  const body = ReadableStream.from(['{"a', '":', '1}'].map((chunk) => Buffer.from(chunk)))
  expect(await (await createHandler()(post(body))).json()).toEqual({ data: { a: 1 } })
})

it('answers 400 for a body that fails', async () => {
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.error(new Error('reset'))
    },
  })
  const response = await createHandler()(post(body))
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: { code: 'BAD_REQUEST' } })
})

it('answers 408 for a body that does not arrive', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
  try {
    const response = await createHandler()(post(new ReadableStream<Uint8Array>({})))
    expect(response.status).toBe(408)
    expect(timeout).toHaveBeenCalledExactlyOnceWith(10_000)
  } finally {
    timeout.mockRestore()
  }
})

it('reports a body that was read before', async () => {
  const onError = vi.fn()
  const request = post('1')
  await request.text()
  const response = await createHandler({}, { onError })(request)
  expect(response.status).toBe(500)
  const [error] = onError.mock.calls[0] as [Error]
  expect(error.message).toBe('The body was read before the API: pass the request unread')
})

it('answers HEAD without a body', async () => {
  const response = await createHandler()(new Request('https://example.com/echo', { method: 'HEAD' }))
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(response.body).toBeNull()
})
