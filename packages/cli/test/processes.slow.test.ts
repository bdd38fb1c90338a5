import { spawn, type ChildProcess } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { unusedPort } from '@sallyport/test-support/services'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { startServerProcess, type ServerProcess } from './server-process.ts'
import { startInTerminal } from './terminal.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const secret = 'the secret of the service'
const admin = { email: 'admin@example.com', password: 'a password that is never shown' }

let folder: string
let env: Readonly<Record<string, string>>
let server: ServerProcess
let local: Server
let to: string
let received: string[] = []
let follower: ChildProcess | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sallyport-processes-'))
  env = { SALLYPORT_CONFIG_DIR: join(folder, 'configuration'), WEBHOOK_SECRET_GITHUB: secret }
  server = await startServerProcess({
    DATA_DIR: join(folder, 'data'),
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    PROVIDERS: 'github',
    WEBHOOK_SECRET_GITHUB: secret,
  })
  local = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      received.push(body)
      response.end()
    })
  }).listen(0, '127.0.0.1')
  await once(local, 'listening')
  to = `http://127.0.0.1:${(local.address() as AddressInfo).port}/webhooks/github`

  const terminal = startInTerminal(['login', '--url', server.url], { env, cwd: folder })
  await terminal.waitFor('E-mail: ')
  terminal.write(`${admin.email}\r`)
  await terminal.waitFor('Password: ')
  terminal.write(`${admin.password}\r`)
  expect(await terminal.exitCode).toBe(0)
  expect(terminal.shown()).toContain(`Logged in to ${server.url} as ${admin.email}`)
  expect(terminal.shown()).not.toContain(admin.password)

  const send = startInTerminal(['send', 'github', 'push', '--url', server.url], { env, cwd: folder })
  expect(await send.exitCode).toBe(0)
  expect(send.shown()).toContain('200 accepted')
})
afterEach(() => {
  follower?.kill('SIGKILL')
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
async function deliver(): Promise<string> {
  const body = JSON.stringify({ action: 'created', starred_at: null, number: ++count })
  const response = await fetch(`${server.url}/webhooks/github`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'star',
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
    body,
  })
  expect(response.status).toBe(200)
  return body
}

it.each([
  [['deliveries'], 0, 'github'],
  [['replay', '--all'], 0, 'done: '],
  [['failures'], 0, '0 of 0'],
  [['endpoints'], 0, '0 of 0'],
  [['retry', '--all'], 0, 'Events that are due now: 0'],
  [['status'], 0, 'published'],
  [['keys'], 0, '0 of 0'],
  [['token'], 0, /\S+\.\S+\.\S+/],
  [['export', '01890a5d-ac96-774b-bcce-b302099a8057'], 1, 'NOT_FOUND'],
  [['verify', '--provider', 'github', '--headers', 'none', '--body', 'none'], 2, 'none cannot be read'],
])('runs %j', async (args, code, expected) => {
  const terminal = startInTerminal(args, { env, cwd: folder })
  expect(await terminal.exitCode).toBe(code)
  expect(terminal.shown()).toMatch(expected)
})

it('fits a table into the terminal', async () => {
  const terminal = startInTerminal(['deliveries'], { env, cwd: folder, columns: 70 })
  expect(await terminal.exitCode).toBe(0)
  expect(
    Math.max(
      ...terminal
        .shown()
        .split('\n')
        .map(({ length }) => length),
    ),
  ).toBeLessThanOrEqual(70)
  expect(terminal.shown()).toMatch(/\s+[0-9a-f-]{36}\n/)
})

it.each([
  [['forward', '--to', 'http://localhost:1/'], 'Ctrl-C ends', /Forwarded: 0, failed: 0/],
  [['tail'], 'Ctrl-C ends', ''],
  [['status', '--watch'], /published[\s\S]+published/, ''],
])('ends %j by Ctrl-C', async (args, text, last) => {
  const terminal = startInTerminal(args, { env, cwd: folder })
  await terminal.waitFor(text)
  terminal.write('\u0003')
  expect(await terminal.exitCode).toBe(0)
  expect(terminal.shown()).toMatch(last)
})

it('ends the development server by Ctrl-C', async () => {
  const args = ['dev', 'github', '--port', String(await unusedPort())]
  const terminal = startInTerminal(args, { env, cwd: folder, columns: 200 })
  await terminal.waitFor('until Ctrl-C')
  terminal.write('\u0003')
  expect(await terminal.exitCode).toBe(0)
})

it('misses no delivery and sends none twice when the server is killed', async () => {
  let output = ''
  follower = spawn(process.execPath, ['--conditions=@sallyport/source', main, 'forward', '--to', to], {
    env: { PATH: process.env['PATH'], ...env },
  })
  follower.stdout?.on('data', (chunk) => (output += String(chunk)))
  follower.stderr?.on('data', (chunk) => (output += String(chunk)))
  const waitFor = (text: string) => expect.poll(() => output).toContain(text)
  await waitFor('Waiting for deliveries')
  // Deliveries before the stream opened are not part of it.
  await expect.poll(async () => [await deliver(), received.length][1]).toBeGreaterThan(0)
  const sent: string[] = []
  for (let index = 0; index < 5; index++) sent.push(await deliver())
  // Four transfers in progress suspend the stream until the server is available again.
  await server.kill()
  await server.start()
  for (let index = 0; index < 5; index++) sent.push(await deliver())
  await waitFor('Connected again')
  expect(output).toContain('The connection is lost')
  await expect.poll(() => received).toEqual(expect.arrayContaining(sent))
  const ended = once(follower, 'exit')
  follower.kill('SIGINT')
  expect(await ended).toEqual([0, null])
  expect(new Set(received).size).toBe(received.length)
  expect(output).toContain(`Forwarded: ${received.length}, failed: 0`)
})

it('ends the session at the logout', async () => {
  const terminal = startInTerminal(['logout'], { env, cwd: folder })
  expect(await terminal.exitCode).toBe(0)
  expect(terminal.shown()).toBe(`Logged out of ${server.url}\n`)
})
