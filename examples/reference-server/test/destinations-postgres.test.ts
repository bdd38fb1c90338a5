import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openReceiver } from '@sallyport/test-support/hosts'
import { describeWith } from '@sallyport/test-support/services'
import { Webhook } from 'standardwebhooks'
import { expect, it, onTestFinished } from 'vitest'
import { startInProcess } from './in-process.ts'
import { adminToken, sendWorkflowRun, temporaryDirectory } from './server-process.ts'

const secret = `whsec_${btoa('the secret of the destination...')}`
const codehost = 'a secret of the code host'
const admin = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'a password of the admin' }

const listen = async (server: Server, port = 0) => {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

describeWith('postgres', (postgres) => {
  /** Starts two processes with one database and the same destinations. */
  async function openTwo(destinations: readonly object[]) {
    const data = await temporaryDirectory()
    const ROUTES_FILE = join(data.path, 'routes.json')
    await writeFile(ROUTES_FILE, JSON.stringify({ destinations }))
    const environment = {
      ...{ DATABASE_URL: postgres().url, JWT_SECRET: 'a secret that both processes have', ...admin },
      ...{ ROUTES_FILE, DESTINATION_ALLOW_PRIVATE: '1', DESTINATION_SECRET: secret },
      ...{ WEBHOOK_SECRET_CODEHOST: codehost, PROVIDERS: 'codehost' },
    }
    const servers = [await startInProcess(environment), await startInProcess(environment)] as const
    onTestFinished(async () => {
      for (const server of servers) await server.stop()
      await data[Symbol.asyncDispose]()
    })
    const authorization = `Bearer ${await adminToken(servers[0].base, admin)}`
    const request = async (path: string, method = 'GET') => {
      const response = await fetch(`${servers[0].base}/api/v1${path}`, { method, headers: { authorization } })
      return ((await response.json()) as { data: { destinations: { name: string }[] } }).data
    }
    let sent = 0
    const send = async (count: number) => {
      for (let index = 0; index < count; index++) {
        const server = servers[sent++ % 2]!
        const payload = { type: 'workflow_run.completed', payload: { run: `${Date.now()} ${sent}` } }
        expect((await sendWorkflowRun(server.base, codehost, payload)).status).toBe(200)
      }
    }
    const show = async (name: string) =>
      (await request('/destinations')).destinations.find((one) => one.name === name)
    return { request, send, show }
  }

  it('delivers in both modes what the filters accept, at one rate of two processes', async () => {
    const times: number[] = []
    await using original = await openReceiver((response) => {
      times.push(Date.now())
      response.writeHead(204).end()
    })
    await using events = await openReceiver()
    const { send, show } = await openTwo([
      { name: 'original', url: original.url, rate_per_second: 10 },
      { name: 'events', url: events.url, mode: 'event', filter: { provider: ['codehost'] } },
      { name: 'none', url: events.url, mode: 'event', filter: { provider: ['tasks'] } },
    ])
    await send(40)
    await expect
      .poll(() => [original.requests.length, events.requests.length], { timeout: 20_000 })
      .toEqual([40, 40])
    // Reserved requests of a second and the first one of each process come in addition.
    const inSecond = times.map((at) => times.filter((other) => other >= at && other < at + 1000).length)
    expect(Math.max(...inSecond)).toBeLessThanOrEqual(20)
    expect(times.at(-1)! - times[0]!).toBeGreaterThan(2500)
    for (const { requests } of [original, events])
      for (const { body, headers } of requests)
        new Webhook(secret).verify(body, headers as Record<string, string>)
    const ids = (requests: typeof events.requests) =>
      new Set(requests.map(({ headers }) => headers['webhook-id']))
    expect([ids(original.requests).size, ids(events.requests).size]).toEqual([40, 40])
    await expect
      .poll(() => show('none'), { timeout: 10_000 })
      .toMatchObject({ filtered: 40, attempts: 0, error_share: null })
    expect(await show('events')).toMatchObject({ error_share: 0, last_success_status: 204, pending: 0 })
  }, 60_000)

  it('loses nothing while a receiver is killed and while it is paused', async () => {
    const received: string[] = []
    const create = () =>
      createServer((request, response) => {
        received.push(String(request.headers['webhook-id']))
        response.writeHead(204).end()
      })
    const first = create()
    const port = await listen(first)
    const { send, show, request } = await openTwo([{ name: 'billing', url: `http://127.0.0.1:${port}` }])
    await send(5)
    await expect.poll(() => received.length, { timeout: 10_000 }).toBe(5)
    first.closeAllConnections()
    await new Promise((resolve) => first.close(resolve))
    await send(10)
    await expect
      .poll(() => show('billing'), { timeout: 10_000 })
      .toMatchObject({ state: 'unavailable', pending: 10 })
    const second = create()
    onTestFinished(() => {
      second.closeAllConnections()
      second.close()
    })
    await listen(second, port)
    await expect.poll(() => new Set(received).size, { timeout: 30_000 }).toBe(15)

    await request('/destinations/billing/pause', 'POST')
    await sleep(2500)
    await send(6)
    await sleep(1500)
    expect(new Set(received).size).toBe(15)
    expect(await show('billing')).toMatchObject({ state: 'paused', pending: 6 })
    await request('/destinations/billing/resume', 'POST')
    await expect.poll(() => new Set(received).size, { timeout: 20_000 }).toBe(21)
    await expect
      .poll(() => show('billing'), { timeout: 10_000 })
      .toMatchObject({ state: 'running', pending: 0 })
  }, 90_000)
})
