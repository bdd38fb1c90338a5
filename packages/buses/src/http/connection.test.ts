import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type Server, type ServerOptions } from 'node:https'
import { connect, type AddressInfo, type Server as TcpServer } from 'node:net'
import { describeNeeding, makeCertificate, openssl } from '@sallyport/test-support/services'
import { openReceiver } from '@sallyport/test-support/hosts'
import { createEvent } from '@sallyport/webhooks/testing'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { createAgent } from './agent.ts'
import { createHttpDestination, type EventDestinationOptions } from './index.ts'
import { createAddressTest, createLookup } from './network.ts'
import { post } from './request.ts'

const { signal } = new AbortController()
const message = { deliveryId: 'delivery-1', events: [createEvent('a', 0)], attempt: 1 }
const secrets = `whsec_${Buffer.from('the secret of this destination..').toString('base64')}`

async function listen(server: TcpServer): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}
async function send(options: Partial<EventDestinationOptions> & { readonly url: string }) {
  const destination = createHttpDestination({
    mode: 'event',
    secrets,
    network: { allowPrivate: true },
    ...options,
  })
  onTestFinished(() => destination.close())
  return destination.send(message, signal)
}

it('does not connect to a name that resolves to a private address, at the first or a later resolution', async () => {
  await using receiver = await openReceiver()
  const { port } = new URL(receiver.url)
  const answers = ['1.1.1.1', '127.0.0.1']
  const resolve = (_: string, __: unknown, done: (error: null, found: unknown) => void) => {
    done(null, [{ address: answers[0], family: 4 }])
  }
  const isAllowed = createAddressTest({}, 'https:')
  const agent = createAgent({
    connections: 1,
    timeoutMs: 20,
    lookup: createLookup(isAllowed, resolve as never),
  })
  onTestFinished(() => agent.destroy())
  const request = {
    url: new URL(`http://rebinding.example:${port}/the-key`),
    headers: {},
    body: new Uint8Array(),
  }
  const first = await post(request, agent, signal, Date.now)
  expect(first).not.toMatchObject({ error: expect.stringContaining('not allowed') as string })
  answers.shift()
  expect(await post(request, agent, signal, Date.now)).toMatchObject({
    error: 'The destination has an address that is not allowed: see network.allowPrivate',
  })
  expect(receiver.requests).toEqual([])
})

it('does not connect to a permitted name whose addresses are outside of the permitted networks', async () => {
  await using receiver = await openReceiver()
  const { port } = new URL(receiver.url)
  const url = `http://127.0.0.1:${port}`
  expect(() =>
    createHttpDestination({ mode: 'event', secrets, url, network: { allowPrivate: ['10.0.0.0/8'] } }),
  ).toThrow('not allowed')
  expect(await send({ url, network: { allowPrivate: ['127.0.0.0/8'] } })).toMatchObject({ outcome: 'done' })
})

describeNeeding(openssl, (command) => {
  async function openTls(
    options: ServerOptions,
  ): Promise<{ readonly server: Server; readonly port: number }> {
    const server = createServer(options, (request, response) => {
      request.resume().on('end', () => response.writeHead(204).end())
    })
    return { server, port: await listen(server) }
  }

  it('sends to a server with a certificate of the given authority, with a certificate of the client', async () => {
    await using own = await makeCertificate(command)
    const { key, cert } = own
    const { port } = await openTls({ key, cert, ca: cert, requestCert: true })
    const url = `https://localhost:${port}/the-key`
    expect(await send({ url, tls: { ca: cert, key, cert } })).toMatchObject({ outcome: 'done', status: 204 })
    expect(await send({ url, tls: { ca: [cert] } })).toMatchObject({ outcome: 'retry', unavailable: true })
    expect(await send({ url })).toMatchObject({
      error: 'The destination cannot be reached: DEPTH_ZERO_SELF_SIGNED_CERT',
    })
  })

  it('refuses an expired certificate', async () => {
    await using own = await makeCertificate(command)
    const { key, files } = own
    const cert = execFileSync(command, ['x509', '-in', files.cert, '-signkey', files.key, '-days', '-1'])
    const { port } = await openTls({ key, cert })
    expect(await send({ url: `https://localhost:${port}/`, tls: { ca: cert } })).toMatchObject({
      ...{ outcome: 'retry', unavailable: true },
      error: 'The destination cannot be reached: CERT_HAS_EXPIRED',
    })
  })

  it('sends through the proxy of the environment, which resolves the name', async () => {
    await using own = await makeCertificate(command)
    const { key, cert } = own
    const { port } = await openTls({ key, cert })
    const asked: string[] = []
    const proxy = createHttpServer().on('connect', (request, client) => {
      asked.push(request.url ?? '')
      const upstream = connect(port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n')
        client.pipe(upstream).pipe(client)
      })
      upstream.on('error', () => client.destroy())
      client.on('error', () => upstream.destroy())
    })
    process.env['HTTPS_PROXY'] = `http://127.0.0.1:${await listen(proxy)}`
    expect(await send({ url: `https://localhost:${port}/`, tls: { ca: cert } })).toMatchObject({
      outcome: 'done',
    })
    // The certificate is that of another name, which the proxy has resolved.
    expect(await send({ url: 'https://hooks.invalid/', tls: { ca: cert }, network: {} })).toMatchObject({
      error: 'The destination cannot be reached: ERR_TLS_CERT_ALTNAME_INVALID',
    })
    expect(asked).toEqual([`localhost:${port}`, 'hooks.invalid:443'])
  })
})

afterEach(() => {
  delete process.env['HTTPS_PROXY']
})
