import { once } from 'node:events'
import { connect, createServer, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { fastify } from 'fastify'
import { afterEach, expect, it, vi } from 'vitest'
import { openGateway, rung, signBody } from '../../test/doorbell.ts'
import { createFastifyPlugin } from '../fastify/index.ts'
import type { Gateway, GatewayRequest } from '../index.ts'
import { createNodeListener } from './index.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function openNode(gateway: Gateway): Promise<number> {
  const server = createServer(createNodeListener(gateway)).listen(0, '127.0.0.1')
  closing.push(() => server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function openFastify(gateway: Gateway): Promise<number> {
  const app = fastify({ http2: true })
  await app.register(createFastifyPlugin(gateway), { prefix: '/webhooks' })
  await app.listen({ port: 0, host: '127.0.0.1' })
  closing.push(() => app.close())
  return (app.server.address() as AddressInfo).port
}

function dial(port: number): ClientHttp2Session {
  const session = connect(`http://127.0.0.1:${port}`)
  closing.push(() => {
    session.destroy()
  })
  return session
}

async function post(session: ClientHttp2Session, body: Uint8Array, headers: Record<string, string>) {
  const stream = session.request({ ':method': 'POST', ':path': '/webhooks/doorbell', ...headers })
  stream.end(body)
  const [answer] = (await once(stream, 'response')) as [IncomingHttpHeaders]
  return [Number(answer[':status']), JSON.parse(await text(stream)) as unknown]
}

it.each([
  ['node:http2', openNode],
  ['Fastify', openFastify],
])('accepts deliveries over HTTP/2: %s', async (_, open) => {
  const { gateway, recorded } = openGateway()
  const session = dial(await open(gateway))
  const large = new TextEncoder().encode(JSON.stringify({ kind: 'rung', id: '2', door: 'x'.repeat(300_000) }))
  for (const body of [rung(), large]) {
    const length = { 'content-length': String(body.length) }
    const signed = await signBody(body)
    expect(await post(session, body, signed)).toMatchObject([200, { data: { status: 'accepted' } }])
    expect(await post(session, body, { ...signed, ...length })).toMatchObject([200, {}])
  }
  expect(await post(session, rung(), {})).toMatchObject([401, { error: { code: 'INVALID_SIGNATURE' } }])
  // The headers of HTTP/1 and HTTP/2 are the same.
  expect(Object.keys(recorded[0]?.record.headers ?? {}).filter((name) => name.startsWith(':'))).toEqual([])
})

it('passes no body to the gateway that the client aborts over HTTP/2', async () => {
  const bodies: Promise<void>[] = []
  let arrived = (): void => undefined
  const gateway: Gateway = {
    providers: ['doorbell'],
    handle(request: GatewayRequest) {
      const reading = request.readBody({
        timeoutMs: 60_000,
        push: () => {
          arrived()
        },
      })
      bodies.push(reading)
      return reading.then(() => ({ status: 200, headers: {}, body: '' }))
    },
  }
  const session = dial(await openNode(gateway))
  const stream = session.request({ ':method': 'POST', ':path': '/webhooks/doorbell' })
  const arrival = new Promise<void>((resolve) => (arrived = resolve))
  stream.on('error', () => undefined).write('a part')
  await arrival
  stream.close(8)
  await vi.waitFor(() => {
    expect(bodies).toHaveLength(1)
  })
  await expect(bodies[0]).rejects.toMatchObject({ code: 'BAD_REQUEST' })
})
