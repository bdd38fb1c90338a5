import { once } from 'node:events'
import { Agent, createServer, request as sendHttp, type IncomingMessage, type Server } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { serve } from '@hono/node-server'
import express from 'express'
import { fastify, type FastifyInstance } from 'fastify'
import { Hono } from 'hono'
import type { Api } from '../src/api/api-options.ts'
import { createExpressHandler } from '../src/express/index.ts'
import { createFastifyPlugin } from '../src/fastify/index.ts'
import { createFetchHandler } from '../src/fetch/index.ts'
import { createHonoHandler } from '../src/hono/index.ts'
import { createNodeListener } from '../src/node/index.ts'
import { createAnswer, type Host } from './host.ts'
import { openHttp2Server } from './http2-host.ts'

export type { Answer, Host, Sent } from './host.ts'

/** Sends requests over one connection that is kept alive. */
export async function openServer(server: Server, stop?: () => Promise<unknown>): Promise<Host> {
  if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    async send({ method = 'GET', path, headers, body, chunked = false, signal }) {
      const length =
        body === undefined || chunked ? {} : { 'content-length': String(Buffer.byteLength(body)) }
      const request = sendHttp({
        host: '127.0.0.1',
        port,
        agent,
        method,
        path,
        headers: { ...headers, ...length },
        ...(signal && { signal }),
      })
      // A server may close the connection during a large body, after its response.
      request.on('error', () => undefined)
      if (chunked) request.write(body)
      request.end(chunked ? undefined : body)
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      const entries = Object.entries(response.headers).map(([name, value = '']): [string, string] => [
        name,
        String(value),
      ])
      return createAnswer(response.statusCode ?? 0, entries, await text(response))
    },
    async close() {
      agent.destroy()
      server.closeAllConnections()
      if (stop) await stop()
      else server.close()
    },
  }
}

async function openFastify(api: Api): Promise<FastifyInstance> {
  const app = fastify()
  await app.register(createFastifyPlugin(api), { prefix: '/api' })
  return app
}

/** Functions that start an API at /api on each host. */
export const hosts: Readonly<Record<string, (api: Api) => Promise<Host>>> = {
  'node:http': (api) => openServer(createServer(createNodeListener(api, { mount: '/api' }))),
  fetch: (api) => {
    const handler = createFetchHandler(api, { mount: '/api', clientAddress: () => '127.0.0.1' })
    return Promise.resolve({
      async send({ method = 'GET', path, headers, body, chunked = false, signal }) {
        const response = await handler(
          new Request(`http://localhost${path}`, {
            method,
            headers: Object.entries(headers ?? {}).flatMap(([name, value]) =>
              [value].flat().map((one): [string, string] => [name, one]),
            ),
            ...(body !== undefined && { body: chunked ? ReadableStream.from([Buffer.from(body)]) : body }),
            ...(signal && { signal }),
            duplex: 'half',
          }),
        )
        return createAnswer(response.status, response.headers, await response.text())
      },
      close: () => Promise.resolve(),
    })
  },
  Express: (api) => {
    const app = express().disable('x-powered-by')
    return openServer(createServer(app.use('/api', createExpressHandler(api)).use(express.json())))
  },
  Fastify: async (api) => {
    const app = await openFastify(api)
    await app.listen({ port: 0, host: '127.0.0.1' })
    return await openServer(app.server, () => app.close())
  },
  'Fastify with app.inject': async (api) => {
    const app = await openFastify(api)
    return {
      async send({ method = 'GET', path, headers, body, chunked = false, signal }) {
        const response = await app.inject({
          method,
          url: path,
          headers: { ...headers, ...(chunked && { 'transfer-encoding': 'chunked' }) },
          ...(body !== undefined && { payload: body }),
          ...(signal && { signal }),
        })
        const entries = Object.entries(response.headers).map(([name, value = '']): [string, string] => [
          name,
          String(value),
        ])
        return createAnswer(response.statusCode, entries, response.body)
      },
      close: () => app.close(),
    }
  },
  'node:http2': (api) => openHttp2Server(createHttp2Server(createNodeListener(api, { mount: '/api' }))),
  'Fastify with HTTP/2': async (api) => {
    const app = fastify({ http2: true })
    await app.register(createFastifyPlugin(api), { prefix: '/api' })
    await app.listen({ port: 0, host: '127.0.0.1' })
    return await openHttp2Server(app.server, () => app.close())
  },
  Hono: (api) => {
    const { fetch } = new Hono().all('/api/*', createHonoHandler(api))
    return openServer(serve({ fetch, port: 0, hostname: '127.0.0.1' }) as Server)
  },
}
