import { createServer } from 'node:http'
import express from 'express'
import { fastify } from 'fastify'
import { describe, expect, it } from 'vitest'
import { createApi } from '../src/api/api.ts'
import { createExpressHandler } from '../src/express/index.ts'
import { createFastifyPlugin } from '../src/fastify/index.ts'
import { createRouteGroup } from '../src/route-group.ts'
import type { ResultHeaders } from '../src/route.ts'
import { hosts, openServer, type Host } from './hosts.ts'

const route = createRouteGroup()

const createLogin = (headers: ResultHeaders) =>
  createApi({
    routes: [
      route.post(
        '/login',
        {
          operationId: 'login',
          access: 'public',
          etag: true,
          responses: { 201: { mediaType: 'text/plain' } },
        },
        () => ({ status: 201, headers, body: 'x' }),
      ),
    ],
    cors: { origins: ['https://app.example'] },
  })

describe.each(Object.entries(hosts))('on %s', (_, open) => {
  // Regression: an array was a 500, and of two spellings one was lost.
  it.each<ResultHeaders>([
    { 'Set-Cookie': ['a=1; HttpOnly', 'b=2; HttpOnly'] },
    { 'Set-Cookie': 'a=1; HttpOnly', 'set-cookie': 'b=2; HttpOnly' },
  ])('each cookie of %j is sent', async (headers) => {
    const host = await open(createLogin(headers))
    const answer = await host.send({ method: 'POST', path: '/api/login' })
    expect([answer.status, answer.headers['set-cookie']]).toEqual([201, 'a=1; HttpOnly,b=2; HttpOnly'])
    await host.close()
  })

  it('a header in another case replaces that of the API', async () => {
    const host = await open(createLogin({ 'cache-control': 'private', etag: '"1"', vary: 'Cookie' }))
    const { headers } = await host.send({ method: 'POST', path: '/api/login' })
    expect(headers).toMatchObject({ 'cache-control': 'private', etag: '"1"', vary: 'Cookie, Origin' })
    await host.close()
  })

  it('several values of another header are a 500', async () => {
    const host = await open(createLogin({ 'X-Name': ['a', 'b'] }))
    expect((await host.send({ method: 'POST', path: '/api/login' })).status).toBe(500)
    await host.close()
  })
})

const api = createLogin({ 'Set-Cookie': 'a=1', Vary: 'Accept' })
const openFrameworks: Readonly<Record<string, () => Promise<Host>>> = {
  Express: () => {
    const app = express().use((_request, response, next) => {
      response.vary('Accept-Encoding, accept').cookie('seen', '1')
      next()
    })
    return openServer(createServer(app.use('/api', createExpressHandler(api))))
  },
  Fastify: async () => {
    const app = fastify()
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('vary', 'Accept-Encoding, accept').header('set-cookie', 'seen=1; Path=/')
    })
    await app.register(createFastifyPlugin(api), { prefix: '/api' })
    await app.listen({ port: 0, host: '127.0.0.1' })
    return await openServer(app.server, () => app.close())
  },
}

// Regression: the headers of the API replaced them, so a cache could mix up compressed responses.
it.each(Object.entries(openFrameworks))('keeps Vary and the cookies of middleware of %s', async (_, open) => {
  const host = await open()
  const { headers } = await host.send({ method: 'POST', path: '/api/login' })
  expect(headers).toMatchObject({
    vary: 'Accept-Encoding, Accept, Origin',
    'set-cookie': 'seen=1; Path=/,a=1',
  })
  const missing = await host.send({ path: '/api/nope' })
  expect(missing.headers['vary']).toBe('Accept-Encoding, Accept, Origin')
  await host.close()
})
