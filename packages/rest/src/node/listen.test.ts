import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text as getText } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { listen } from './listen.ts'

/** Longer than a test may take: a stop that waited for it would fail the test. */
const longer = 3_600_000

async function listening(silenceMs?: number) {
  const waiting: ServerResponse[] = []
  const options = { host: '127.0.0.1', port: 0, ...(silenceMs !== undefined && { silenceMs }) }
  const server = await listen((_, response) => waiting.push(response), options)
  return { server, waiting }
}

describe('a server that is stopped', () => {
  it('answers running requests with Connection: close, then stops', async () => {
    const { server, waiting } = await listening()
    const socket = connect(server.port, '127.0.0.1')
    const received = getText(socket)
    socket.write('GET /first HTTP/1.1\r\nHost: x\r\n\r\n')
    await expect.poll(() => waiting).toHaveLength(1)
    const stopped = server.stop({ drained: Promise.resolve(), graceMs: longer })
    waiting[0]?.end('done')
    const answer = await received
    expect(answer).toContain('HTTP/1.1 200 OK')
    expect(answer).toMatch(/^Connection: close\r$/m)
    expect(answer).toContain('done')
    await stopped
  })

  it('closes the connection of a response that has started', { timeout: 20_000 }, async () => {
    const { server, waiting } = await listening()
    const socket = connect(server.port, '127.0.0.1')
    const received = getText(socket)
    socket.write('GET /stream HTTP/1.1\r\nHost: x\r\n\r\n')
    await expect.poll(() => waiting).toHaveLength(1)
    const [response] = waiting as [ServerResponse]
    const { server: http } = response.req.socket as Socket & { readonly server: Server }
    http.keepAliveTimeout = longer
    response.write('a start')
    const stopped = server.stop({ graceMs: longer })
    await expect.poll(() => http.listening).toBe(false)
    response.end()
    expect(await received).toContain('a start')
    await stopped
  })

  it('answers the last request of a busy connection', async () => {
    const { server, waiting } = await listening()
    const socket = connect(server.port, '127.0.0.1')
    const received = getText(socket)
    socket.write('GET /first HTTP/1.1\r\nHost: x\r\n\r\n')
    await expect.poll(() => waiting).toHaveLength(1)
    waiting[0]?.flushHeaders()
    const stopped = server.stop({ drained: Promise.resolve(), graceMs: longer })
    socket.write('GET /second HTTP/1.1\r\nHost: x\r\n\r\n')
    await expect.poll(() => waiting).toHaveLength(2)
    for (const response of waiting) response.end()
    expect((await received).match(/^Connection: .*$/gm)).toEqual([
      'Connection: keep-alive',
      'Connection: close',
    ])
    await stopped
    const late = connect(server.port, '127.0.0.1')
    await expect(once(late, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('answers requests on idle and new connections while it drains', async () => {
    const { server, waiting } = await listening()
    const idle = connect(server.port, '127.0.0.1')
    idle.write('GET /first HTTP/1.1\r\nHost: x\r\n\r\n')
    await expect.poll(() => waiting).toHaveLength(1)
    waiting[0]?.end()
    await once(idle, 'data')
    const drained = Promise.withResolvers<undefined>()
    const stopped = server.stop({ drained: drained.promise, graceMs: longer })

    // Regression: the idle connection was closed while a request was arriving.
    const late = connect(server.port, '127.0.0.1')
    const received = [getText(idle), getText(late)]
    for (const socket of [idle, late]) socket.write('GET /second HTTP/1.1\r\nHost: x\r\n\r\n')
    await expect.poll(() => waiting).toHaveLength(3)
    for (const response of waiting.slice(1)) response.end()
    for (const answer of await Promise.all(received)) {
      expect(answer).toContain('HTTP/1.1 200 OK')
      expect(answer).toMatch(/^Connection: close\r$/m)
    }
    drained.resolve(undefined)
    await stopped
  })

  // Regression: a preconnected browser or a TCP health check delayed the stop by the whole grace period.
  it.each([
    ['at once', undefined],
    ['when it was drained', Promise.resolve()],
  ])('closes connections without a request %s', async (_, drained) => {
    const { server, waiting } = await listening(longer)
    const silent = connect(server.port, '127.0.0.1').resume()
    const closed = once(silent, 'close')
    await once(silent, 'connect')
    // Connections are accepted in their order: the server has the first when it answers the second.
    const busy = connect(server.port, '127.0.0.1')
    const received = getText(busy)
    busy.write('GET /first HTTP/1.1\r\nHost: x\r\n\r\n')
    await expect.poll(() => waiting).toHaveLength(1)
    const stopped = server.stop({ ...(drained && { drained }), graceMs: longer })
    await closed
    waiting[0]?.end('done')
    expect(await received).toContain('done')
    await stopped
  })
})

describe('a client that sends ahead', () => {
  const post = 'POST /any HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody'
  const countResponses = (text: string) => text.match(/HTTP\/1\.1 200 OK/g)?.length

  // Regression: 32 requests ran, but the connection was reset before their responses.
  it.each([40, 200])('gets responses to %d pipelined requests in order', async (count) => {
    let next = 0
    let running = 0
    let most = 0
    const listener = async (request: IncomingMessage, response: ServerResponse) => {
      const number = next++
      most = Math.max(most, ++running)
      const body = await getText(request)
      await setImmediate()
      running--
      if (number === count - 1) response.setHeader('Connection', 'close')
      response.end(`${number}:${body};`)
    }
    const server = await listen((...args) => void listener(...args), { host: '127.0.0.1', port: 0 })
    const socket = connect(server.port, '127.0.0.1')
    socket.write(post.repeat(count))
    const received = await getText(socket)
    expect(countResponses(received)).toBe(count)
    expect(received.match(/\d+:body/g)).toEqual(
      Array.from({ length: count }, (_, number) => `${number}:body`),
    )
    expect(most).toBeLessThanOrEqual(32)
    await server.stop({ graceMs: longer })
  })

  it('gets responses to 5,000 requests in many chunks', async () => {
    let seen = 0
    const server = await listen((_, response) => void response.end(String(seen++)), {
      host: '127.0.0.1',
      port: 0,
    })
    const socket = connect(server.port, '127.0.0.1')
    let received = ''
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
    for (let sent = 0; sent < 50; sent++) {
      socket.write(post.repeat(100))
      await setImmediate()
    }
    await expect.poll(() => countResponses(received)).toBe(5000)
    socket.end()
    await server.stop({ graceMs: longer })
  })

  it('gets only the responses of running requests when it sends too many at once', async () => {
    const { server, waiting } = await listening()
    const socket = connect(server.port, '127.0.0.1')
    const received = getText(socket)
    socket.write(post.repeat(400))
    await expect.poll(() => waiting).toHaveLength(32)
    for (const response of waiting) response.end('done')
    expect(countResponses(await received)).toBe(32)
    expect(waiting).toHaveLength(32)
    await server.stop({ graceMs: longer })
  })

  it('runs no request after the response that closes the connection', async () => {
    const { server, waiting } = await listening()
    const socket = connect(server.port, '127.0.0.1')
    const received = getText(socket)
    socket.write(post.repeat(40))
    await expect.poll(() => waiting).toHaveLength(32)
    waiting[0]?.setHeader('Connection', 'close').end('done')
    expect(countResponses(await received)).toBe(1)
    expect(waiting).toHaveLength(32)
    await server.stop({ graceMs: longer })
  })

  it('is disconnected when too many of its requests stay unanswered', async () => {
    const { server, waiting } = await listening(200)
    const greedy = connect(server.port, '127.0.0.1')
    const closed = once(greedy, 'close')
    greedy.on('error', () => undefined).write('GET /any HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2000))
    await closed
    expect(waiting).toHaveLength(32)
    await server.stop({ graceMs: longer })
  })

  it('may send any number of sequential requests', async () => {
    const { server, waiting } = await listening()
    const socket = connect(server.port, '127.0.0.1')
    for (let count = 1; count <= 100; count++) {
      socket.write('GET /any HTTP/1.1\r\nHost: x\r\n\r\n')
      await expect.poll(() => waiting, { interval: 1 }).toHaveLength(count)
      waiting[count - 1]?.end()
      await once(socket, 'data')
    }
    socket.end()
    await server.stop({ graceMs: longer })
  })
})

it('closes the connection of a client that does not read the response', async () => {
  const { server, waiting } = await listening(200)
  const socket = connect(server.port, '127.0.0.1').pause()
  socket.on('error', () => undefined).write('GET /any HTTP/1.1\r\nHost: x\r\n\r\n')
  await expect.poll(() => waiting).toHaveLength(1)
  // Larger than the socket buffers of the system.
  const [response] = waiting
  response?.end(Buffer.alloc(64 * 1024 * 1024))
  await expect.poll(() => response?.destroyed).toBe(true)
  expect(response?.writableFinished).toBe(false)
  socket.destroy()
  await server.stop({ graceMs: longer })
})
