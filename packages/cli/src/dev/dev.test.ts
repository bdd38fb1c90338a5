import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createServer, request, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unusedPort } from '@sallyport/test-support/services'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { execute, start, type RunningCommand } from '../../test/execute.ts'

let folder: string
let env: Readonly<Record<string, string>>
let port: number
let url: string
let receiver: Server
let status = 204
let received: { readonly type: string; readonly data: unknown }[] = []

beforeAll(async () => {
  receiver = createServer((incoming, response) => {
    let text = ''
    incoming.on('data', (chunk: Buffer) => (text += chunk.toString()))
    incoming.on('end', () => {
      received.push(JSON.parse(text) as (typeof received)[number])
      response.writeHead(status).end()
    })
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sallyport-dev-'))
  env = { SALLYPORT_CONFIG_DIR: folder }
  port = await unusedPort()
  url = `http://localhost:${port}`
  status = 204
  received = []
})
afterEach(() => rm(folder, { recursive: true }))
afterAll(() => {
  receiver.closeAllConnections()
  receiver.close()
})

const getReceiverUrl = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events`
const send = (...args: readonly string[]) => execute(['send', ...args, '--url', url], { env })

/** Starts the command, and returns when the server listens. */
async function startDev(...args: readonly string[]): Promise<RunningCommand> {
  const running = start(['dev', ...args, '--port', String(port)], { env })
  await running.waitFor('until Ctrl-C')
  return running
}

async function stopDev(running: RunningCommand): Promise<void> {
  running.interrupt()
  expect(await running.ended).toMatchObject({ code: 0 })
}

describe('dev', () => {
  it('accepts signed deliveries and sends their events', async () => {
    const running = await startDev('github', 'stripe', '--to', getReceiverUrl())
    expect(await send('github', 'push')).toMatchObject({ code: 0 })
    expect(await send('stripe', 'payment_intent.succeeded', '--fresh')).toMatchObject({ code: 0 })
    await running.waitFor(/github\/push {2}published {2}github:\S+/)
    await running.waitFor(/stripe\/payment_intent\.succeeded {2}published/)
    expect(received.map(({ type }) => type)).toEqual(['github/push', 'stripe/payment_intent.succeeded'])
    expect(received[0]?.data).toHaveProperty('repository')
    await stopDev(running)
  })

  it('prints duplicates, refused deliveries and failed attempts', async () => {
    status = 500
    const running = await startDev('github', '--to', getReceiverUrl())
    await send('github', 'push')
    await running.waitFor(/github\/push {2}retry {2}attempt 1 {2}The bus answered 500/)
    status = 204
    await running.waitFor(/github\/push {2}published/)
    await send('github', 'push')
    await running.waitFor(/github {2}200 {2}duplicate/)
    await fetch(`${url}/webhooks/github`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    await running.waitFor(/github {2}401 {2}refused {2}INVALID_SIGNATURE/)
    await stopDev(running)
  })

  it('keeps the generated secrets in a file that only the user can read', async () => {
    const path = join(folder, 'forward.json')
    await stopDev(await startDev('github'))
    const first = await readFile(path, 'utf8')
    const running = await startDev('github', 'discord')
    const { secrets } = JSON.parse(await readFile(path, 'utf8')) as {
      secrets: Record<string, { verify: string }>
    }
    expect(first).toContain(secrets['github']?.verify)
    expect(running.shown()).toContain(secrets['github']?.verify)
    expect(running.shown()).toContain(secrets['discord']?.verify)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await send('discord', 'APPLICATION_AUTHORIZED')).toMatchObject({ code: 0 })
    await stopDev(running)
  })

  it('serves the operations API to pages of its own origin only', async () => {
    const running = await startDev('github')
    await send('github', 'push')
    const deliveries = `${url}/api/v1/deliveries`
    expect(await (await fetch(deliveries)).json()).toMatchObject({ data: [{ provider: 'github' }] })
    const foreign: Readonly<Record<string, string>>[] = [
      { host: 'rebound.example.com' },
      { origin: 'https://other.example.com' },
      { 'sec-fetch-site': 'cross-site' },
    ]
    for (const headers of foreign) expect(await requestStatus(deliveries, headers)).toBe(403)
    await stopDev(running)
  })

  it('verifies a signed URL by the address of a tunnel', async () => {
    const running = await startDev('twilio', '--public-url', 'https://tunnel.example.com')
    await running.waitFor('twilio: https://tunnel.example.com/webhooks/twilio')
    // The samples are signed for the local address.
    expect(await send('twilio', 'message.delivered')).toMatchObject({ code: 1 })
    await running.waitFor(/twilio {2}401 {2}refused/)
    await stopDev(running)
  })

  it.each([
    ['an unknown provider', ['unknown'], 'There is no provider "unknown"'],
    ['a service whose deliveries only the service can sign', ['sns'], 'Missing secret for sns'],
    ['an invalid port', ['github', '--port', '99999'], 'The port is not valid'],
    ['an invalid address', ['github', '--to', 'localhost'], '--to is not an http or https address'],
  ])('exits with 2 for %s', async (_, args, message) => {
    const { code, stderr } = await execute(['dev', ...args], { env })
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(message) as string })
  })

  it('exits with 2 if another program uses the port', async () => {
    const other = createServer().listen(port, 'localhost')
    await once(other, 'listening')
    const { code, stderr } = await execute(['dev', 'github', '--port', String(port)], { env })
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`uses port ${port}`) as string,
    })
    other.close()
  })
})

/** `fetch` does not send these headers. */
async function requestStatus(address: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const sent = request(address, { headers }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  return response.statusCode ?? 0
}
