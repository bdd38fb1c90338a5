import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { github } from '@sallyport/providers/github'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startDevelopmentServer, type DevelopmentServer } from './development-server.ts'

let server: DevelopmentServer
beforeAll(async () => {
  server = await startDevelopmentServer({
    ...{ providers: [github], secrets: { github: 'secret' }, port: 0, publicUrl: undefined },
    publisher: { publish: (events) => Promise.resolve(events.map(() => ({ ok: true }))) },
    ...{ observe: () => undefined, onAttempt: () => undefined, onError: () => undefined },
  })
})
afterAll(() => server.stop())

/** `fetch` does not send a Host header. */
async function getStatus(path: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  const sent = request({ port: server.port, host: 'localhost', path, headers }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  return response.statusCode ?? 0
}

const paths = ['/', '/console/', '/console/index.html', '/api/v1/deliveries', '/elsewhere']

it('serves the API and the way to the console on this machine', async () => {
  expect([await getStatus('/'), await getStatus('/api/v1/deliveries')]).toEqual([302, 200])
})

it.each([
  { 'x-forwarded-for': '192.0.2.1' },
  { 'x-forwarded-proto': 'https' },
  { 'x-forwarded-host': 'tunnel.example.com' },
  { forwarded: 'for=192.0.2.1' },
  { via: '1.1 tunnel' },
  { host: 'tunnel.example.com' },
])('refuses pages and the API through a tunnel: %j', async (headers) => {
  expect(await Promise.all(paths.map((path) => getStatus(path, headers)))).toEqual(paths.map(() => 403))
})

it('receives deliveries through a tunnel', async () => {
  const headers = { 'x-forwarded-for': '192.0.2.1', host: 'tunnel.example.com' }
  expect(await getStatus('/webhooks/github', headers)).toBe(405)
})
