import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { listen } from './http-server.ts'

/** Longer than a test may take: a stop that waited for it would fail the test. */
const longer = 3_600_000

async function listening(silenceMs?: number) {
  const waiting: ServerResponse[] = []
  const options = { host: '127.0.0.1', port: 0, ...(silenceMs !== undefined && { silenceMs }) }
  const server = await listen((_, response) => waiting.push(response), options)
  return { server, waiting }
}

describe('a server that is stopped', () => {
  it('answers what is in flight, tells its client to close, and waits for no more', async () => {
    const { server, waiting } = await listening()
    const socket = connect(server.port, '127.0.0.1')
    const received = textOf(socket)
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

  it('takes the last request of a connection that was busy all the time', async () => {
    const { server, waiting } = await listening()
    const socket = connect(server.port, '127.0.0.1')
    const received = textOf(socket)
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

  it('answers what comes on an idle connection, and on a new one, until it was drained', async () => {
    const { server, waiting } = await listening()
    const idle = connect(server.port, '127.0.0.1')
    idle.write('GET /first HTTP/1.1\r\nHost: x\r\n\r\n')
    await expect.poll(() => waiting).toHaveLength(1)
    waiting[0]?.end()
    await once(idle, 'data')
    const drained = Promise.withResolvers<undefined>()
    const stopped = server.stop({ drained: drained.promise, graceMs: longer })

    // It once closed the idle connection under the request that was on its way.
    const late = connect(server.port, '127.0.0.1')
    const received = [textOf(idle), textOf(late)]
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

  // A browser that connects ahead, or a health check that only connects, once held a stop for all of the grace.
  it.each([
    ['at once', undefined],
    ['when it was drained', Promise.resolve()],
  ])('closes the connections that have sent nothing yet, %s', async (_, drained) => {
    const { server, waiting } = await listening(longer)
    const silent = connect(server.port, '127.0.0.1').resume()
    const closed = once(silent, 'close')
    await once(silent, 'connect')
    // Connections are accepted in their order: the server has the first when it answers the second.
    const busy = connect(server.port, '127.0.0.1')
    const received = textOf(busy)
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
  it('is closed when it has more requests unanswered than a client needs: each would be kept in memory', async () => {
    const { server, waiting } = await listening()
    const [greedy, modest] = [connect(server.port, '127.0.0.1'), connect(server.port, '127.0.0.1')]
    const request = 'GET /any HTTP/1.1\r\nHost: x\r\n\r\n'
    modest.write(request.repeat(20))
    await expect.poll(() => waiting).toHaveLength(20)
    const closed = once(greedy, 'close')
    greedy.on('error', () => undefined).write(request.repeat(2000))
    await closed
    expect(waiting.length).toBeLessThan(60)

    const received = textOf(modest)
    for (const response of waiting) response.setHeader('Connection', 'close').end('done')
    await server.stop({ graceMs: longer })
    expect((await received).match(/^HTTP\/1\.1 200 OK/gm)).toHaveLength(1)
  })

  it('may send as many as it likes one after the other', async () => {
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

it('closes the connection of a client that does not read its answer: it would be kept in memory', async () => {
  const { server, waiting } = await listening(200)
  const socket = connect(server.port, '127.0.0.1').pause()
  socket.on('error', () => undefined).write('GET /any HTTP/1.1\r\nHost: x\r\n\r\n')
  await expect.poll(() => waiting).toHaveLength(1)
  // More than the system takes for the client.
  const [response] = waiting
  response?.end(Buffer.alloc(64 * 1024 * 1024))
  await expect.poll(() => response?.destroyed).toBe(true)
  expect(response?.writableFinished).toBe(false)
  socket.destroy()
  await server.stop({ graceMs: longer })
})
