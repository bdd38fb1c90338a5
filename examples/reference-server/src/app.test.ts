import { createServer, get, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { createApp } from './app.ts'
import type { ApiHandler } from './http/api.ts'

const servers: Server[] = []
afterAll(() => {
  for (const server of servers) server.close()
})

async function serve(listener: RequestListener): Promise<(path: string) => Promise<unknown>> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return async (path) => {
    const [response] = (await once(get({ port, path, host: '127.0.0.1' }), 'response')) as [IncomingMessage]
    let text = ''
    for await (const chunk of response.setEncoding('utf8')) text += String(chunk)
    expect(response.headers).toMatchObject({ 'x-content-type-options': 'nosniff' })
    return JSON.parse(text) as unknown
  }
}

const tell =
  (name: string): ApiHandler =>
  ({ baseUrl, url }, response) => {
    response.end(JSON.stringify({ name, baseUrl, url }))
  }

it('mounts the API like Express and passes all other paths to Express', async () => {
  const mounted = express()
    .enable('case sensitive routing')
    .use((_, response, next) => {
      response.setHeader('X-Content-Type-Options', 'nosniff')
      next()
    })
    .use(['/api/v1', '/v1'], tell('api'))
    .use('/api', tell('documents'))
    .use(tell('service'))
  const ask = {
    app: await serve(createApp({ api: tell('api'), documents: tell('documents'), service: tell('service') })),
    express: await serve(mounted),
  }
  const parts = ['/api', '/v1', '/', '?', '%2F', '/V1', 'v1', '/users', '.', '%00', '%', '&a=/api/v1', ';']
  const paths = fc.array(fc.constantFrom(...parts), { maxLength: 5 }).map((some) => `/${some.join('')}`)
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        paths,
        paths.map((path) => path.slice(1) || '/'),
      ),
      async (path) => {
        fc.pre(path.startsWith('/'))
        expect(await ask.app(path)).toEqual(await ask.express(path))
      },
    ),
    { numRuns: 500 },
  )
  expect(await ask.app('/v1?a=1')).toEqual({ name: 'api', baseUrl: '/v1', url: '/?a=1' })
  expect(await ask.app('/v10')).toMatchObject({ name: 'service' })
})
