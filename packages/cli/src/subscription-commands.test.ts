import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { execute } from '../test/execute.ts'
import { startReferenceServer, type ReferenceServer } from '../test/reference-server.ts'

const admin = { email: 'admin@example.com', password: 'a password of the admin' }
const token = 'a-token-that-is-never-shown'

/** The webhooks at the service, which answers 401 while it refuses the token. */
const hooks: { id: number; active: boolean; config: { url: string; secret?: string } }[] = []
let isRefusing = false
let lists = 0

let folder: string
let service: Server
let server: ReferenceServer
let env: Readonly<Record<string, string>>

beforeAll(async () => {
  service = createServer((request, response) => {
    const isRefused = isRefusing || request.headers.authorization !== `Bearer ${token}`
    let text = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    request.on('end', () => {
      if (request.method === 'GET') lists++
      if (isRefused) return response.writeHead(401).end('{}')
      if (request.method === 'GET') return response.end(JSON.stringify(hooks))
      const { config, active } = JSON.parse(text) as (typeof hooks)[number]
      hooks.push({ id: hooks.length + 1, active, config })
      return response.writeHead(201).end(JSON.stringify(hooks.at(-1)))
    })
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  folder = await mkdtemp(join(tmpdir(), 'sallyport-subscriptions-'))
  const parameters = { repository: 'acme/shop', events: ['push'], baseUrl }
  const subscription = { service: 'github', parameters, token_name: 'API_TOKEN_ACME' }
  await writeFile(join(folder, 'subscriptions.json'), JSON.stringify({ subscriptions: [subscription] }))
  env = { SALLYPORT_CONFIG_DIR: join(folder, 'configuration') }
  server = await startReferenceServer({
    DATA_DIR: join(folder, 'data'),
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    PROVIDERS: 'github',
    WEBHOOK_SECRET_GITHUB: 'the secret of the webhook',
    PUBLIC_URL: 'https://hooks.example.com',
    SUBSCRIPTIONS_FILE: join(folder, 'subscriptions.json'),
    API_TOKEN_ACME: token,
  })
  const login = ['login', '--url', server.url, '--email', admin.email]
  expect(await execute(login, { env, stdin: `${admin.password}\n` })).toMatchObject({ code: 0 })
})
afterAll(async () => {
  await server.stop()
  service.close()
  await rm(folder, { recursive: true })
})

it('shows a webhook that the server registered with its address and secret', async () => {
  await expect.poll(() => hooks.length).toBe(1)
  expect(hooks[0]).toMatchObject({
    active: true,
    config: { url: 'https://hooks.example.com/webhooks/github', secret: 'the secret of the webhook' },
  })
  await expect
    .poll(async () => (await execute(['subscriptions', '--service', 'github'], { env })).stdout)
    .toMatch(/^github +github +active /m)
})

it('renews a subscription, and shows the error without the token', async () => {
  isRefusing = true
  const before = lists
  expect(await execute(['subscriptions', 'renew', 'github'], { env })).toMatchObject({
    code: 0,
    stdout: 'Renewing github\n',
  })
  await expect.poll(() => lists, { timeout: 15_000 }).toBeGreaterThan(before)
  await expect
    .poll(async () => (await execute(['subscriptions', '--json'], { env })).stdout)
    .toContain('HTTP_401')
  const { stdout } = await execute(['subscriptions', '--json'], { env })
  expect(stdout).not.toContain(token)
  expect(await execute(['subscriptions', 'renew', 'none'], { env })).toMatchObject({ code: 1 })
})
