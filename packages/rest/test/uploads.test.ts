import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createApi } from '../src/api/api.ts'
import { streamBody } from '../src/api/request-body.ts'
import { answerDownload } from '../src/download/index.ts'
import { multipartBody } from '../src/multipart/index.ts'
import { createNodeListener } from '../src/node/index.ts'
import { createRouteGroup } from '../src/route-group.ts'

const route = createRouteGroup()

const base = { summary: 'x', access: 'public' } as const

let server: Server
let failures: unknown[]
let largestChunk: number
let isSourceClosed: boolean
beforeEach(async () => {
  failures = []
  largestChunk = 0
  isSourceClosed = false
  const api = createApi({
    routes: [
      route.put(
        '/file',
        {
          ...base,
          operationId: 'putFile',
          body: streamBody({ limit: 50_000_000 }),
          responses: { 200: { description: 'The number of bytes', body: z.number() } },
        },
        async ({ body }) => {
          let length = 0
          try {
            for await (const chunk of body) {
              length += chunk.length
              largestChunk = Math.max(largestChunk, chunk.length)
            }
          } catch (error) {
            failures.push(error)
            throw error
          }
          return { status: 200, body: length }
        },
      ),
      route.put(
        '/peek',
        {
          ...base,
          operationId: 'peek',
          body: streamBody({ limit: 50_000_000 }),
          responses: { 200: { description: 'The number of bytes of the first chunk', body: z.number() } },
        },
        async ({ body }) => {
          for await (const chunk of body) return { status: 200, body: chunk.length }
          return { status: 200, body: 0 }
        },
      ),
      route.post(
        '/form',
        {
          ...base,
          operationId: 'postForm',
          body: multipartBody(z.object({})),
          responses: { 204: { description: 'Done' } },
        },
        () => ({ status: 204 }),
      ),
      route.get(
        '/file',
        {
          ...base,
          operationId: 'getFile',
          responses: { 200: { mediaType: 'text/plain' }, 206: { mediaType: 'text/plain' } },
        },
        (_, context) =>
          answerDownload(context, {
            size: 1e9,
            async *open() {
              try {
                for (;;) yield await Promise.resolve(Buffer.alloc(65_536))
              } finally {
                isSourceClosed = true
              }
            },
          }),
      ),
    ],
    onResponse: ({ error }) => failures.push(error),
  })
  server = createServer(createNodeListener(api))
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterEach(() => {
  vi.restoreAllMocks()
  server.closeAllConnections()
  server.close()
})

const open = () => connect((server.address() as AddressInfo).port, '127.0.0.1')
const head = (method: string, path: string, ...headers: readonly string[]) =>
  [`${method} ${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n')
const octets = 'Content-Type: application/octet-stream'
const multipart = 'Content-Type: multipart/form-data; boundary=b'

describe('an upload', () => {
  it('may be larger than the memory that the handler uses', async () => {
    const { port } = server.address() as AddressInfo
    const body = ReadableStream.from(Array.from({ length: 200 }, () => Buffer.alloc(200_000)))
    const response = await fetch(`http://127.0.0.1:${port}/file`, {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream' },
      body,
      duplex: 'half',
    })
    expect([response.status, await response.text()]).toEqual([200, '40000000'])
    expect(largestChunk).toBeLessThan(1_000_000)
  })

  it('keeps the connection if the handler reads only its start', async () => {
    const socket = open()
    const received = text(socket)
    socket.write(head('PUT', '/peek', octets, 'Content-Length: 500000') + 'x'.repeat(100))
    await once(server, 'request')
    socket.write('x'.repeat(499_900))
    socket.end(head('PUT', '/peek', octets, 'Content-Length: 3', 'Connection: close') + 'end')
    expect((await received).match(/HTTP\/1.1 200/g)).toHaveLength(2)
  })

  it.each([
    ['a stream', 'PUT', '/file', octets],
    ['a form', 'POST', '/form', multipart],
  ])('fails if the client disconnects within %s', async (_, method, path, type) => {
    const socket = open()
    socket.write(head(method, path, type, 'Content-Length: 1000') + '--b\r\n')
    await once(server, 'request')
    socket.destroy()
    await vi.waitFor(() => {
      expect(failures).toContainEqual(expect.objectContaining({ status: 400, code: 'BAD_REQUEST' }))
    })
  })

  it.each([
    ['a stream', 'PUT', '/file', octets],
    ['a form', 'POST', '/form', multipart],
  ])('is 408 if %s pauses for too long', async (_, method, path, type) => {
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms === 10_000 ? 50 : ms))
    const socket = open()
    const received = text(socket)
    socket.write(head(method, path, type, 'Content-Length: 1000') + '--b\r\n')
    expect(await received).toMatch(/^HTTP\/1.1 408 [^]*"REQUEST_TIMEOUT"/)
  })

  it('is 413 before it arrives', async () => {
    const socket = open()
    socket.write(head('PUT', '/file', octets, 'Content-Length: 50000001'))
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1.1 413 /)
    socket.destroy()
  })
})

describe('a download', () => {
  it('has its length in the response to HEAD', async () => {
    const socket = open()
    const received = text(socket)
    socket.end(head('HEAD', '/file', 'Connection: close'))
    expect(await received).toMatch(/^HTTP\/1.1 200 [^]*Content-Length: 1000000000\r\n[^]*\r\n\r\n$/)
  })

  it('ends when the client disconnects', async () => {
    const socket = open()
    socket.write(head('GET', '/file'))
    await once(socket, 'data')
    socket.destroy()
    await vi.waitFor(() => {
      expect(isSourceClosed).toBe(true)
    })
  })
})
