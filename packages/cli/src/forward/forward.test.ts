import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtInProviders } from '@sallyport/providers'
import { builtInSamples } from '@sallyport/providers/samples'
import { openProxy, unusedPort } from '@sallyport/test-support/services'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { execute, start } from '../../test/execute.ts'
import { writeSampleSecrets } from '../../test/sample-secrets.ts'
import { startReferenceServer, type ReferenceServer } from '../../test/reference-server.ts'
import { secretName } from '../secret.ts'

const secret = 'the secret of the service that the laptop lacks'
const admin = { email: 'admin@example.com', password: 'a password of the admin' }

/** Services with Ed25519, ECDSA and RSA, and one that signs a parameter of the query. */
const services = ['discord', 'sendgrid', 'wise', 'mercado-pago']

let secrets: Readonly<Record<'server' | 'cli', Awaited<ReturnType<typeof writeSampleSecrets>>>>
let folder: string
let server: ReferenceServer
let env: Readonly<Record<string, string>>
let local: Server
let to: string
let status = 200
let received: {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: Buffer
}[] = []

beforeAll(async () => {
  secrets = {
    server: await writeSampleSecrets(services, 'server'),
    cli: await writeSampleSecrets(services, 'cli'),
  }
  folder = await mkdtemp(join(tmpdir(), 'sallyport-forward-'))
  env = { SALLYPORT_CONFIG_DIR: join(folder, 'configuration') }
  server = await startReferenceServer({
    DATA_DIR: join(folder, 'data'),
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    PROVIDERS: ['github', ...services].join(','),
    WEBHOOK_SECRET_GITHUB: secret,
    SECRETS_DIR: secrets.server.folder,
    ALLOW_UNSIGNED: 'mercado-pago',
  })
  local = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({
        method: request.method ?? '',
        url: new URL(request.url ?? '', to).href,
        headers: new Headers(request.headers as Record<string, string>),
        body: Buffer.concat(chunks),
      })
      response.writeHead(status).end()
    })
  }).listen(0, '127.0.0.1')
  await once(local, 'listening')
  to = `http://127.0.0.1:${(local.address() as AddressInfo).port}/webhooks/github`
  const login = ['login', '--url', server.url, '--email', admin.email]
  expect(await execute(login, { env, stdin: `${admin.password}\n` })).toMatchObject({ code: 0 })
})

afterEach(() => {
  status = 200
  received = []
})
afterAll(async () => {
  local.closeAllConnections()
  local.close()
  await server.stop()
  await Promise.all([secrets.server.remove(), secrets.cli.remove()])
  await rm(folder, { recursive: true })
})

let count = 0
/** Delivers an event to the server as the service would, and returns its body. */
async function deliver(event = 'star', action = 'created'): Promise<string> {
  const body = `{ "action":"${action}",  "starred_at":null, "text":"Zo\u00eb ${++count}" }`
  const response = await fetch(`${server.url}/webhooks/github`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-github-delivery': `delivery-${count}`,
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
    body,
  })
  expect(response.status).toBe(200)
  return body
}

const readSecrets = async () => {
  const text = await readFile(join(folder, 'configuration', 'forward.json'), 'utf8')
  return (JSON.parse(text) as { secrets: Record<string, { sign: string; verify: string }> }).secrets
}
const readSecret = async () => (await readSecrets())['github']?.verify ?? ''
const readServiceKey = (name: string) => readFile(join(secrets.server.folder, secretName(name)), 'utf8')

/** Delivers a sample to the server, signed with the private key of the service. */
async function sendSample(name: string, query = ''): Promise<void> {
  const { kinds: [kind = ''] = [] } = (await builtInSamples.get(name)?.()) ?? {}
  const args = ['send', name, kind, '--fresh', '--url', `${server.url}/webhooks/${name}${query}`]
  expect(await execute(args, { env: { ...env, SECRETS_DIR: secrets.cli.folder } })).toMatchObject({ code: 0 })
}

/** Verifies the requests of the local server with a secret. */
async function verifyReceived(name: string, key: string) {
  const provider = builtInProviders.find((one) => one.name === name)
  return Promise.all(
    received.map(async (request) => await provider?.signature.verify(request, [key], Date.now())),
  )
}

const bodies = () => received.map(({ body }) => body.toString())

describe('forward', () => {
  it('sends the original bytes, signed with a secret of this machine', async () => {
    const body = await deliver()
    const { code, stdout, stderr } = await execute(['forward', '--to', to, '--since', '1h'], { env })
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Forwarded: 1, failed: 0') as string,
    })
    expect(stdout).toMatch(/^\d\d:\d\d:\d\d {2}github\/star\.created {2}200 {2}\d+ ms\n$/)
    const printed = /this secret:\n {2}(\S+)\n/.exec(stderr)?.[1] ?? ''
    expect(printed).toBe(await readSecret())
    expect(stderr).not.toContain(secret)
    expect((await stat(join(folder, 'configuration', 'forward.json'))).mode & 0o777).toBe(0o600)
    expect(bodies()).toEqual([body])
    const [request] = received
    expect(request?.headers.get('x-hub-signature-256')).toBe(
      `sha256=${createHmac('sha256', printed).update(body).digest('hex')}`,
    )
    expect(request?.headers.get('x-github-delivery')).toBe('delivery-1')
    expect(request?.headers.get('x-github-event')).toBe('star')
  })

  it('selects by kind, and reports a refusal of the local server as JSON', async () => {
    await deliver('star', 'deleted')
    status = 401
    const kept = await readSecret()
    const args = ['forward', '--to', to, '--since', '1h', '--kind', 'star.del*', '--json']
    const { code, stdout, stderr } = await execute(args, { env })
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ provider: 'github', kind: 'star.deleted', status: 401 })
    expect(stderr).toContain(kept)
    const { delivery } = JSON.parse(stdout) as { delivery: string }
    status = 200
    expect(await execute(['forward', '--to', to, '--id', delivery], { env })).toMatchObject({ code: 0 })
    const nowhere = await execute(
      ['forward', '--to', `http://127.0.0.1:${await unusedPort()}/`, '--id', delivery],
      { env },
    )
    expect(nowhere).toMatchObject({ code: 1, stdout: expect.stringContaining('No server listens') as string })
  })

  it('exports a delivery that send --raw signs anew', async () => {
    const body = await deliver()
    const { stdout } = await execute(['deliveries', '--limit', '1', '--json'], { env })
    const id = (JSON.parse(stdout) as readonly { readonly id: string }[])[0]?.id ?? ''
    const output = join(folder, 'exported')
    const exported = await execute(['export', id, '--output', output], { env })
    const files = ['headers', 'body', 'sample.json'].map((extension) => join(output, `${id}.${extension}`))
    expect(exported).toEqual({ code: 0, stdout: files.map((file) => `${file}\n`).join(''), stderr: '' })
    const [headers = '', raw = '', sample = ''] = files
    expect(await readFile(raw, 'utf8')).toBe(body)
    expect(await readFile(headers, 'utf8')).toContain(`x-github-delivery: delivery-${count}\n`)
    expect(await readFile(headers, 'utf8')).not.toContain('x-hub-signature-256')
    expect(JSON.parse(await readFile(sample, 'utf8'))).toMatchObject({
      kind: 'star.created',
      headers: { 'x-github-event': 'star' },
      body: JSON.parse(body) as object,
    })
    const send = ['send', 'github', '--url', server.url, '--raw', raw, '--headers', headers]
    const sent = await execute(send, { env: { ...env, WEBHOOK_SECRET_GITHUB: secret } })
    expect(sent).toMatchObject({ code: 0, stdout: expect.stringContaining('200 duplicate') as string })
    expect((await execute([...send, '--fresh'], { env })).code).toBe(2)
  })

  it.each(['discord', 'sendgrid', 'wise'])(
    'signs deliveries of %s with a local key pair, and prints the public key',
    async (name) => {
      await sendSample(name)
      const { code, stderr } = await execute(['forward', '--to', to, '--since', '1h', '--provider', name], {
        env,
      })
      expect({ code, stderr }).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('Forwarded: 1, failed: 0') as string,
      })
      const [, printed = ''] = /this public key:\n((?: {2}.+\n)+?) {2}kept in/.exec(stderr) ?? []
      const { sign, verify } = (await readSecrets())[name] ?? { sign: '', verify: '' }
      expect(printed.replaceAll(/^ {2}/gm, '').trim()).toBe(verify.trim())
      expect(stderr).not.toContain(sign)
      expect(await verifyReceived(name, verify)).toMatchObject([{ verified: true }])
      expect(await verifyReceived(name, await readServiceKey(name))).toMatchObject([{ verified: false }])
    },
  )

  it('sends the recorded query without credentials, and signs it', async () => {
    await sendSample('mercado-pago', '?data.id=999999999&note=a+b&token=private')
    const args = ['forward', '--to', `${to}?local=1`, '--since', '1h', '--provider', 'mercado-pago']
    expect(await execute(args, { env })).toMatchObject({ code: 0 })
    expect(received).toMatchObject([{ method: 'POST', url: `${to}?local=1&data.id=999999999&note=a+b` }])
    const { verify = '' } = (await readSecrets())['mercado-pago'] ?? {}
    expect(await verifyReceived('mercado-pago', verify)).toMatchObject([{ verified: true }])

    const { stdout } = await execute(['deliveries', '--provider', 'mercado-pago', '--json'], { env })
    const id = (JSON.parse(stdout) as readonly { readonly id: string }[])[0]?.id ?? ''
    const output = join(folder, 'exported')
    expect(await execute(['export', id, '--output', output], { env })).toMatchObject({ code: 0 })
    expect(await readFile(join(output, `${id}.headers`), 'utf8')).toMatch(
      /^POST \/webhooks\/mercado-pago\?data\.id=999999999&note=a\+b HTTP\/1\.1\n/,
    )
  })

  it('misses no delivery and sends none twice when the connection is lost', async () => {
    const port = await unusedPort()
    let proxy = await openProxy(server.url, port)
    const token = (await execute(['token'], { env })).stdout.trim()
    const following = start(['forward', '--to', to, '--from', proxy.url, '--token', token], { env })
    await following.waitFor('Waiting for deliveries')
    // Deliveries before the stream opened are not part of it.
    await expect.poll(async () => [await deliver(), received.length][1]).toBeGreaterThan(0)
    const sent: string[] = []
    const deliverFive = async () => {
      for (let index = 0; index < 5; index++) sent.push(await deliver())
    }
    await deliverFive()
    // With as many deliveries in flight as run at once, the loss would show only after the next connection.
    await expect.poll(bodies).toEqual(expect.arrayContaining(sent))
    await proxy.close()
    await deliverFive()
    await following.waitFor('The connection is lost')
    proxy = await openProxy(server.url, port)
    await following.waitFor('Connected again')
    sent.push(await deliver())
    await expect.poll(bodies).toEqual(expect.arrayContaining(sent))
    following.interrupt()
    const { code, stderr } = await following.ended
    await proxy.close()
    expect(code).toBe(0)
    expect(new Set(bodies()).size).toBe(received.length)
    expect(stderr).toContain(`Forwarded: ${received.length}, failed: 0`)
  })

  it('ends by Ctrl-C', async () => {
    const following = start(['forward', '--to', to], { env })
    await following.waitFor('Ctrl-C ends')
    following.interrupt()
    expect(await following.ended).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Forwarded: 0, failed: 0') as string,
    })
  })

  it.each([
    [['--to', 'ftp://localhost'], '--to is not an http or https address'],
    [['--to', 'http://localhost', '--since', 'noon'], '--since is not a time'],
    [['--to', 'http://localhost', '--id', 'x', '--follow'], 'An id excludes filters'],
    [['--to', 'http://localhost', '--provider', 'nobody'], 'There is no provider "nobody"'],
  ])('exits with 2 for %j', async (args, message) => {
    const { code, stderr } = await execute(['forward', ...args], { env })
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) as string })
  })
})
