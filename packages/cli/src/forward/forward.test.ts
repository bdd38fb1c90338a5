import { spawn, type ChildProcess } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtInProviders } from '@sallyport/providers'
import { unusedPort } from '@sallyport/test-services'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { execute } from '../../test/execute.ts'
import { startReferenceServer, type ReferenceServer } from '../../test/reference-server.ts'
import { startInTerminal } from '../../test/terminal.ts'

const secret = 'the secret of the service that the laptop lacks'
const admin = { email: 'admin@example.com', password: 'a password of the admin' }
const main = fileURLToPath(new URL('../main.ts', import.meta.url))

let folder: string
let server: ReferenceServer
let env: Readonly<Record<string, string>>
let local: Server
let to: string
let status = 200
let received: { readonly headers: Headers; readonly body: Buffer }[] = []
let follower: ChildProcess | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sallyport-forward-'))
  env = { SALLYPORT_CONFIG_DIR: join(folder, 'configuration') }
  server = await startReferenceServer({
    DATA_DIR: join(folder, 'data'),
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    PROVIDERS: 'github,discord',
    WEBHOOK_SECRET_GITHUB: secret,
    WEBHOOK_SECRET_DISCORD: '00'.repeat(32),
  })
  local = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({
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
}, 60_000)

afterEach(() => {
  follower?.kill('SIGKILL')
  status = 200
  received = []
})
afterAll(async () => {
  local.closeAllConnections()
  local.close()
  await server.stop()
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

const readSecret = async () => {
  const text = await readFile(join(folder, 'configuration', 'forward.json'), 'utf8')
  const { secrets } = JSON.parse(text) as { secrets: Record<string, { sign: string; verify: string }> }
  return secrets['github']?.verify ?? ''
}
const bodies = () => received.map(({ body }) => body.toString())
const waitForBodies = (expected: number) =>
  expect.poll(() => received.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(expected)

describe('forward', { timeout: 120_000 }, () => {
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

  it('prints the public key of a local pair for a service with asymmetric signatures', async () => {
    const args = ['forward', '--to', to, '--since', '1h', '--provider', 'discord']
    const { code, stderr } = await execute(args, { env })
    expect(code).toBe(0)
    const [, key = ''] = /this public key:\n {2}([0-9a-f]{64})\n/.exec(stderr) ?? []
    const discord = builtInProviders.find(({ name }) => name === 'discord')
    const file = await readFile(join(folder, 'configuration', 'forward.json'), 'utf8')
    const { sign } = (JSON.parse(file) as { secrets: { discord: { sign: string } } }).secrets.discord
    const delivery = { method: 'POST', headers: new Headers(), body: Buffer.from('{}') }
    const headers = new Headers(await discord?.signature.sign(delivery, sign, Date.now()))
    expect(await discord?.signature.verify({ ...delivery, headers }, [key], Date.now())).toMatchObject({
      verified: true,
    })
    expect(stderr).not.toContain(sign)
  })

  it('misses no delivery and sends none twice when the server is killed', async () => {
    const output: string[] = []
    follower = spawn(process.execPath, ['--conditions=@sallyport/source', main, 'forward', '--to', to], {
      env: { PATH: process.env['PATH'], ...env },
    })
    follower.stdout?.on('data', (chunk) => output.push(String(chunk)))
    follower.stderr?.on('data', (chunk) => output.push(String(chunk)))
    const waitFor = (text: string) => expect.poll(() => output.join(''), { timeout: 30_000 }).toContain(text)
    await waitFor('Waiting for deliveries')
    // The stream is open when a delivery arrives.
    const expected = new Set<string>()
    while (received.length === 0) {
      expected.add(await deliver())
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
    const first = received.length
    for (let sent = 0; sent < 5; sent++) expected.add(await deliver())
    // Four transfers in progress suspend the stream until the server is available again.
    await server.kill()
    await server.start()
    for (let sent = 0; sent < 5; sent++) expected.add(await deliver())
    await waitFor('Connected again')
    expect(output.join('')).toContain('The connection is lost')
    await waitForBodies(first + 10)
    await new Promise((resolve) => setTimeout(resolve, 2000))
    const ended = once(follower, 'exit')
    follower.kill('SIGINT')
    expect(await ended).toEqual([0, null])
    // Deliveries before the stream opened are not part of it.
    const sent = bodies()
    expect(new Set(sent).size).toBe(sent.length)
    expect([...expected].slice(-10).filter((body) => !sent.includes(body))).toEqual([])
    expect(output.join('')).toContain(`Forwarded: ${sent.length}, failed: 0`)
  })

  it('ends by Ctrl-C in a terminal', async () => {
    const terminal = startInTerminal(['forward', '--to', to], { env, cwd: folder })
    await terminal.waitFor('Ctrl-C ends')
    terminal.write('\u0003')
    expect(await terminal.exitCode).toBe(0)
    expect(terminal.shown()).toContain('Forwarded: 0, failed: 0')
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
