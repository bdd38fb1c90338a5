import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { text as getText } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { SallyportError, type ErrorCode } from '@sallyport/errors'
import { afterEach, expect, it, vi } from 'vitest'
import { createApi } from '../api/api.ts'
import { createRouteGroup } from '../route-group.ts'
import { listen } from './listen.ts'
import { createNodeListener } from './node-listener.ts'
import { sendError } from './send-response.ts'

const group = createRouteGroup()

afterEach(() => {
  vi.useRealTimers()
})

async function connectionAfter(code: ErrorCode): Promise<string | undefined> {
  const server = createServer((request, response) => {
    sendError(request, response, new SallyportError(code, 'No'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const request = get({ port, host: '127.0.0.1', agent: false, headers: { connection: 'keep-alive' } })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  await getText(response)
  server.close()
  server.closeAllConnections()
  return response.headers.connection
}

// Regression: the server read the rest of a late body and answered the next request.
it('closes the connection after 408 only', async () => {
  expect(await connectionAfter('REQUEST_TIMEOUT')).toBe('close')
  expect(await connectionAfter('NOT_FOUND')).toBe('keep-alive')
})

// Regression: Node.js closed the connection too, and a TCP reset discarded the response.
it.each(['the client', 'a stop'])(
  'delivers the response to the sender of a large body when %s closes the connection',
  async (who) => {
    const server = createServer((request, response) => {
      if (who === 'a stop') response.setHeader('Connection', 'close')
      sendError(request, response, new SallyportError('NOT_FOUND', 'No'))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
    const body = Buffer.alloc(25 * 1024 * 1024, 'x')
    const asked = who === 'the client' ? 'Connection: close\r\n' : ''
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${asked}Content-Length: ${body.length}\r\n\r\n`)
    await new Promise<void>((resolve, reject) => {
      socket.write(body, (error) => {
        if (error) reject(error)
        else resolve()
      })
    })
    expect(await getText(socket)).toMatch(/^HTTP\/1\.1 404 [^]*"code":"NOT_FOUND"[^]*}$/)
    server.close()
  },
)

it('delays a stop by at most the grace period when the body does not arrive', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const server = await listen(
    (request, response) => {
      sendError(request, response, new SallyportError('NOT_FOUND', 'No'), { close: true })
    },
    { host: '127.0.0.1', port: 0 },
  )
  const socket = connect(server.port, '127.0.0.1')
  const closed = once(socket, 'close')
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n')
  await once(socket, 'data')
  const stopped = server.stop({ graceMs: 1000 })
  await vi.advanceTimersByTimeAsync(1000)
  await stopped
  await closed
  // No timer is left.
  await expect.poll(() => vi.getTimerCount()).toBe(0)
})

/** A server with one response that stays open until the returned function ends it. */
async function serveOpenResponse(mediaType: string) {
  const ended = vi.fn()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given
      given.enqueue(Buffer.from('first;'))
    },
    cancel: ended,
  })

  const api = createApi({
    routes: [
      group.get(
        '/open',
        {
          operationId: 'open',
          access: 'public',
          responses: { 200: { description: 'A response', mediaType } },
        },
        () => ({ status: 200, body }),
      ),
    ],
  })
  // The idle timeout would end the stream, too.
  const options = { host: '127.0.0.1', port: 0, silenceMs: 3_600_000 }
  const server = await listen(createNodeListener(api), options)
  return {
    ended,
    server,
    finish() {
      controller?.enqueue(Buffer.from('last'))
      controller?.close()
    },
    connect: () => connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true }),
  }
}

const openRequest = 'GET /open HTTP/1.1\r\nHost: x\r\n\r\n'

// Regression: the stream stayed open until a write failed, at its second heartbeat.
it.each(['with its request', 'during the stream'])(
  'ends an event stream when the client closes its half of the connection %s',
  { timeout: 10_000 },
  async (when) => {
    const { server, ended, ...opened } = await serveOpenResponse('text/event-stream; charset=utf-8')
    const socket = opened.connect()
    const closed = once(socket, 'close')
    if (when === 'with its request') socket.resume().end(openRequest)
    else {
      socket.write(openRequest)
      await once(socket, 'data')
      expect(ended).not.toHaveBeenCalled()
      socket.resume().end()
    }
    await closed
    await expect.poll(() => ended.mock.calls).toHaveLength(1)
    await server.stop({ graceMs: 0 })
  },
)

it('sends the rest of another stream after the client closed its half of the connection', async () => {
  const { server, ended, ...opened } = await serveOpenResponse('text/csv')
  const socket = opened.connect()
  const received = getText(socket)
  socket.end(openRequest)
  await setTimeout(50)
  opened.finish()
  expect(await received).toMatch(/first;[^]*last/)
  expect(ended).not.toHaveBeenCalled()
  await server.stop({ graceMs: 0 })
})
