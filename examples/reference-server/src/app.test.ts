import { createServer, get, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Api } from '@sallyport/rest'
import type { Gateway } from '@sallyport/webhooks'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { createApp, createListener, type AppOptions } from './app.ts'

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
    return JSON.parse(text) as unknown
  }
}

/** Creates an API that answers with the address that it received. */
const echo = (name: string): Api => ({
  routes: [],
  bodyLimit: 0,
  close: () => Promise.resolve(),
  handle: ({ mountPath, path, query }) =>
    Promise.resolve({ status: 200, headers: {}, body: JSON.stringify({ name, mountPath, path, query }) }),
})

/** A gateway that answers with the provider that it received. */
const gateway: Gateway = {
  providers: ['doorbell'],
  hasEndpoints: true,
  handle: ({ provider, endpoint }) =>
    Promise.resolve({
      status: 200,
      headers: {},
      body: JSON.stringify({ name: 'webhooks', provider, endpoint }),
    }),
}

it('answers every path like the Express application, also those in front of it', async () => {
  const options: AppOptions = {
    gateway,
    ...{ api: echo('api'), documents: echo('documents'), console: echo('console'), service: echo('service') },
    clientAddress: () => undefined,
  }
  const ask = { app: await serve(createListener(options)), express: await serve(createApp(options)) }
  const parts = [
    '/webhooks',
    '/doorbell',
    '/console',
    '/api',
    '/v1',
    '/',
    '?',
    '%2F',
    '/V1',
    'v1',
    '/users',
    '.',
    '%00',
    '%',
    '&a=/api/v1',
    ';',
  ]
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
  expect(await ask.app('/v1?a=1')).toEqual({ name: 'api', mountPath: '/v1', path: '/', query: '?a=1' })
  expect(await ask.app('/v10')).toMatchObject({ name: 'service' })
  expect(await ask.app('/webhooks/doorbell')).toMatchObject({ name: 'webhooks', provider: 'doorbell' })
  expect(await ask.app('/console/a')).toMatchObject({ name: 'console', path: '/a' })
})
