import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createApi } from '../api/api.ts'
import { bindRoute } from '../bind-route.ts'
import { defineRoute } from '../define-route.ts'
import { createNodeListener, type NodeListenerOptions } from './node-listener.ts'

const ping = defineRoute({
  method: 'GET',
  path: '/ping',
  operationId: 'ping',
  summary: 'Ping',
  access: 'public',
  responses: { 204: { description: 'Pong' } },
})
const api = createApi({ routes: [bindRoute(ping, () => ({ status: 204 }))] })
const server = createServer()
afterEach(() => {
  server.removeAllListeners('request')
  server.close()
})

async function getStatuses(paths: readonly string[], options?: NodeListenerOptions) {
  server.on('request', createNodeListener(api, options)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return await Promise.all(paths.map(async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).status))
}

it('answers at the root without a mount path', async () => {
  expect(await getStatuses(['/ping', '/ping?a=1', '/api/ping'])).toEqual([204, 204, 404])
})

// Regression: the routes also answered at the root.
it('answers below the mount paths only', async () => {
  const paths = ['/api/v1/ping', '/v1/ping?a', '/ping', '/v10/ping', '/api/ping', '/']
  const mount = ['/api/v1', '/v1']
  expect(await getStatuses(paths, { mount })).toEqual([204, 204, 404, 404, 404, 404])
})

it('passes other paths on', async () => {
  const otherwise: NodeListenerOptions['otherwise'] = (_, response) => response.writeHead(202).end()
  expect(await getStatuses(['/api/ping', '/ping'], { mount: '/api', otherwise })).toEqual([204, 202])
})

it.each(['', '/', 'api', '/api/', '/a?b', '/a#b', '//a'])('rejects the mount path %j', (mount) => {
  expect(() => createNodeListener(api, { mount })).toThrow(TypeError)
})
