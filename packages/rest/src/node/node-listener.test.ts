import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2'
import { connect, type AddressInfo } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createApi } from '../api/api.ts'
import { createRouteGroup } from '../route-group.ts'
import { listen } from './listen.ts'
import { createNodeListener, type NodeListenerOptions } from './node-listener.ts'

const route = createRouteGroup()

const api = createApi({
  routes: [
    route.get(
      '/ping',
      {
        operationId: 'ping',
        summary: 'Ping',
        access: 'public',
        responses: { 204: { description: 'Pong' } },
      },
      () => ({ status: 204 }),
    ),
  ],
})
const server = createServer()
afterEach(() => {
  server.removeAllListeners('request')
  server.close()
})

async function getStatuses(paths: readonly string[], options?: NodeListenerOptions) {
  server.on('request', createNodeListener(api, options)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return await Promise.all(paths.map(async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).status))
}

it('answers at the root without a mount path', async () => {
  expect(await getStatuses(['/ping', '/ping?a=1', '/api/ping'])).toEqual([204, 204, 404])
})

// Regression: the routes also answered at the root.
it('answers below the mount paths only', async () => {
  const paths = ['/api/v1/ping', '/v1/ping?a', '/ping', '/v10/ping', '/api/ping', '/']
  const mount = ['/api/v1', '/v1']
  expect(await getStatuses(paths, { mount })).toEqual([204, 204, 404, 404, 404, 404])
})

it('passes other paths on', async () => {
  const otherwise: NodeListenerOptions['otherwise'] = (_, response) => response.writeHead(202).end()
  expect(await getStatuses(['/api/ping', '/ping'], { mount: '/api', otherwise })).toEqual([204, 202])
})

it.each(['', '/', 'api', '/api/', '/a?b', '/a#b', '//a'])('rejects the mount path %j', (mount) => {
  expect(() => createNodeListener(api, { mount })).toThrow(TypeError)
})

const waitRequest =
  'POST /wait HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'

/** Starts `listen` with a route that waits until `finish` is called. */
async function serveWaiting() {
  const { promise, resolve: finish } = Promise.withResolvers<undefined>()
  const signals: AbortSignal[] = []
  const binding = route.post(
    '/wait',
    {
      operationId: 'wait',
      access: 'public',
      body: z.unknown(),
      responses: { 204: {} },
    },
    async (_, { signal }) => {
      signals.push(signal)
      await promise
      return { status: 204 }
    },
  )
  const listener = createNodeListener(createApi({ routes: [binding] }))
  const running = await listen(listener, { host: '127.0.0.1', port: 0 })
  const socket = connect({ port: running.port, host: '127.0.0.1', allowHalfOpen: true })
  socket.write(waitRequest)
  await vi.waitFor(() => {
    expect(signals).toHaveLength(1)
  })
  return { socket, running, finish, signals }
}

// Regression: `listen` keeps a half-closed connection, so only a reset aborted the signal.
it.each(['end', 'destroy', 'resetAndDestroy'] as const)(
  'aborts the signal when the socket of a client of listen calls %s',
  async (how) => {
    const { socket, running, finish, signals } = await serveWaiting()
    expect(signals[0]?.aborted).toBe(false)
    socket[how]()
    await vi.waitFor(() => {
      expect(signals[0]?.aborted).toBe(true)
    })
    finish(undefined)
    socket.destroy()
    await running.stop({ graceMs: 0 })
  },
)

it('does not abort the signal after the response', async () => {
  const { socket, running, finish, signals } = await serveWaiting()
  finish(undefined)
  await once(socket, 'data')
  socket.end()
  await once(socket.resume(), 'close')
  expect(signals[0]?.aborted).toBe(false)
  await running.stop({ graceMs: 0 })
})

// node:http2 calls a request complete that the client aborted.
it('refuses a body of HTTP/2 that ends early', async () => {
  const handler = vi.fn(() => ({ status: 204 }) as const)
  const onResponse = vi.fn()
  const http2 = createHttp2Server(
    createNodeListener(
      createApi({
        routes: [
          route.post(
            '/wait',
            {
              operationId: 'wait',
              access: 'public',
              body: z.unknown(),
              responses: { 204: {} },
            },
            handler,
          ),
        ],
        onResponse,
      }),
    ),
  ).listen(0, '127.0.0.1')
  await once(http2, 'listening')
  const session = connectHttp2(`http://127.0.0.1:${(http2.address() as AddressInfo).port}`)
  const stream = session.request({ ':method': 'POST', ':path': '/wait', 'content-type': 'application/json' })
  const received = once(http2, 'request')
  stream.write('{}')
  const [request] = (await received) as [NodeJS.ReadableStream]
  await once(request, 'data')
  // `close` would end the body first.
  stream.on('error', () => undefined).destroy(new Error('Canceled'))
  await vi.waitFor(() => {
    expect(onResponse).toHaveBeenCalledWith(expect.objectContaining({ status: 400 }))
  })
  expect(handler).not.toHaveBeenCalled()
  session.destroy()
  http2.close()
})
