import { createServer, get, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Api } from '@sallyport/rest'
import { createNodeListener } from '@sallyport/rest/node'
import express from 'express'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { createApp } from './app.ts'

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

it('mounts the API like Express and passes all other paths to Express', async () => {
  const [api, documents, service] = ['api', 'documents', 'service'].map(echo) as [Api, Api, Api]
  const mounted = express()
    .enable('case sensitive routing')
    .use(['/api/v1', '/v1'], createNodeListener(api))
    .use('/api', createNodeListener(documents))
    .use(createNodeListener(service))
  const ask = {
    app: await serve(createApp({ api, documents, service, clientAddress: () => undefined })),
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
  expect(await ask.app('/v1?a=1')).toEqual({ name: 'api', mountPath: '/v1', path: '/', query: '?a=1' })
  expect(await ask.app('/v10')).toMatchObject({ name: 'service' })
})
