import { once } from 'node:events'
import { Agent, createServer, get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import express from 'express'
import { fastify } from 'fastify'
import { Hono } from 'hono'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createApi } from '../src/api/api.ts'
import { dataEnvelope } from '../src/envelope.ts'
import { createExpressHandler } from '../src/express/index.ts'
import { createFastifyPlugin } from '../src/fastify/index.ts'
import { createHonoHandler } from '../src/hono/index.ts'
import { createRouteGroup } from '../src/route-group.ts'
import { openServer, type Host } from './hosts.ts'

const group = createRouteGroup()

const base = { summary: 'x', path: '/echo', access: 'public' } as const
const data = { description: 'The request', data: z.unknown() }

/** Functions that finish the requests that wait. */
const waiting: (() => void)[] = []
const onError = vi.fn()
const api = createApi({
  routes: [
    group.get(
      '/echo',
      {
        ...base,
        operationId: 'show',
        responses: { 200: data },
      },
      (_, { mountPath, clientNetwork }) => ({
        status: 200,
        body: dataEnvelope([mountPath, clientNetwork]),
      }),
    ),
    group.post(
      '/echo',
      {
        ...base,
        operationId: 'echo',
        body: z.unknown(),
        responses: { 200: data },
      },
      ({ body }) => ({ status: 200, body: dataEnvelope(body) }),
    ),
    group.get(
      '/wait',
      {
        ...base,
        operationId: 'wait',
        responses: { 204: { description: 'Done' } },
      },
      async () => {
        await new Promise<void>((resolve) => waiting.push(resolve))
        return { status: 204 }
      },
    ),
    group.get(
      '/stream',
      {
        ...base,
        operationId: 'stream',
        responses: { 200: { description: 'A stream', mediaType: 'text/plain; charset=utf-8' } },
      },
      () => ({
        status: 200,
        body: new ReadableStream<Uint8Array>({
          start(controller) {
            controller.enqueue(Buffer.from('a start'))
            waiting.push(() => {
              controller.close()
            })
          },
        }),
      }),
    ),
  ],
  onError,
})
const json = { 'content-type': 'application/json' }
const forwarded = { 'x-forwarded-for': '192.0.2.7' }

function expectReportedBody(message: string): void {
  const [error] = onError.mock.lastCall as [Error]
  expect(error.message).toBe(message)
  onError.mockClear()
}

describe('Express', () => {
  let host: Host | undefined
  afterEach(() => host?.close())

  it('shows the mount path of nested routers and the client of a trusted proxy', async () => {
    const router = express.Router().use('/:version', createExpressHandler(api))
    host = await openServer(createServer(express().set('trust proxy', 1).use('/api', router)))
    const { body } = await host.send({ path: '/api/v1/echo', headers: forwarded })
    expect(body).toBe('{"data":["/api/v1","192.0.2.7"]}')
  })

  it('answers 500 with a reported cause after a body parser', async () => {
    host = await openServer(createServer(express().use(express.json(), createExpressHandler(api))))
    const sent = { method: 'POST', path: '/echo', headers: json, body: '{}' }
    expect((await host.send(sent)).status).toBe(500)
    expectReportedBody('The body was read before the API: mount the API before body parsers')
  })
})

describe('Fastify', () => {
  it('runs beside other routes at the root', async () => {
    const app = fastify({ trustProxy: true })
    app.get('/other', () => 'other')
    await app.register(createFastifyPlugin(api))
    expect((await app.inject('/other')).body).toBe('other')
    expect((await app.inject({ url: '/echo', headers: forwarded })).json()).toEqual({
      data: ['', '192.0.2.7'],
    })
    expect((await app.inject('/')).json()).toMatchObject({ error: { code: 'NOT_FOUND' } })
  })

  it('leaves the parsers and the error handler of other routes unchanged', async () => {
    const app = fastify()
    app.setErrorHandler((_error, _request, reply) => reply.code(418).send('own'))
    await app.register(createFastifyPlugin(api), { prefix: '/api' })
    app.post('/other', ({ body }) => ({ body }))
    const post = { method: 'POST', url: '/other', payload: { a: 1 } } as const
    expect((await app.inject(post)).json()).toEqual({ body: { a: 1 } })
    expect((await app.inject({ ...post, headers: { 'content-type': 'x' } })).statusCode).toBe(418)
    expect((await app.inject({ ...post, url: '/api/echo' })).json()).toEqual({ data: { a: 1 } })
  })

  it('runs hooks, sends their headers and passes on their errors', async () => {
    const app = fastify()
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('x-hook', 'yes')
    })
    app.addHook('preHandler', async ({ headers }) => {
      if (headers['x-refuse'] !== undefined) throw Object.assign(new Error('refused'), { statusCode: 418 })
    })
    const statuses: number[] = []
    app.addHook('onResponse', async (_request, { statusCode }) => {
      statuses.push(statusCode)
    })
    await app.register(createFastifyPlugin(api), { prefix: '/api' })
    const answered = await app.inject('/api/nope')
    expect([answered.statusCode, answered.headers['x-hook']]).toEqual([404, 'yes'])
    const refused = await app.inject({ url: '/api/echo', headers: { 'x-refuse': '1' } })
    expect(refused.statusCode).toBe(418)
    expect(statuses).toEqual([404, 418])
  })

  it('finishes running requests before it closes, and closes their connections', async () => {
    const app = fastify()
    await app.register(createFastifyPlugin(api), { prefix: '/api' })
    const host = await openServer(
      await app.listen({ port: 0, host: '127.0.0.1' }).then(() => app.server),
      () => app.close(),
    )
    const answered = host.send({ path: '/api/wait' })
    await vi.waitFor(() => {
      expect(waiting).toHaveLength(1)
    })
    const closed = app.close()
    waiting.splice(0).forEach((finish) => {
      finish()
    })
    expect((await answered).status).toBe(204)
    await closed
    await host.close()
  })

  it('closes the connection of a stream that ends while it closes', { timeout: 20_000 }, async () => {
    const app = fastify({ keepAliveTimeout: 0 })
    await app.register(createFastifyPlugin(api), { prefix: '/api' })
    const agent = new Agent({ keepAlive: true })
    const request = get(`${await app.listen({ port: 0, host: '127.0.0.1' })}/api/stream`, { agent })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    const closed = app.close()
    await expect.poll(() => app.server.listening).toBe(false)
    waiting.splice(0).forEach((finish) => {
      finish()
    })
    expect(await text(response)).toBe('a start')
    await closed
  })

  it('rejects a prefix with parameters', async () => {
    const app = fastify()
    app.register(createFastifyPlugin(api), { prefix: '/:tenant' })
    await expect(Promise.resolve(app.ready())).rejects.toThrow('The prefix /:tenant must not have parameters')
  })
})

describe('Hono', () => {
  it.each([
    ['/api/*', '/api'],
    ['/:tenant/v1/*', '/acme/v1'],
    ['*', ''],
  ])('shows the mount path of the route %s', async (route, mount) => {
    const app = new Hono().all(route, createHonoHandler(api, { clientAddress: () => '192.0.2.7' }))
    const response = await app.request(`${mount}/echo`)
    expect(await response.json()).toEqual({ data: [mount, '192.0.2.7'] })
  })

  it('shows the mount path of a nested application', async () => {
    const app = new Hono().route('/api', new Hono().all('/v1/*', createHonoHandler(api)))
    expect(await (await app.request('/api/v1/echo')).json()).toEqual({ data: ['/api/v1', 'unknown'] })
  })

  it('answers 500 with a reported cause after the body was read', async () => {
    const app = new Hono()
    app.use(async ({ req }, next) => {
      await req.text()
      await next()
    })
    app.all('*', createHonoHandler(api))
    const response = await app.request('/echo', { method: 'POST', headers: json, body: '1' })
    expect(response.status).toBe(500)
    expectReportedBody('The body was read before the API: pass the request unread')
  })
})
