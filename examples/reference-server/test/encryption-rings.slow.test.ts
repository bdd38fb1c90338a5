import { openReceiver } from '@sallyport/test-support/hosts'
import { describeWith } from '@sallyport/test-support/services'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { reencrypt } from '../src/endpoints/reencrypt.ts'
import { startInProcess, type LocalServer } from './in-process.ts'
import { adminToken, sendWorkflowRun } from './server-process.ts'

const [older, newer] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [string, string]
const admin = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'a password of the admin' }
const codehost = 'a secret of the code host'
const missing = 'ENCRYPTION_KEY_MISSING'

describeWith('postgres', (postgres) => {
  it('processes with different keys lose nothing, and one without the newer key says so', async () => {
    await using bus = await openReceiver(503)
    const open = async (...keys: readonly string[]) => {
      const server = await startInProcess({
        ...{ DATABASE_URL: postgres().url, JWT_SECRET: 'a secret that both processes have', ...admin },
        ...{ ENCRYPT_BODIES: '1', ENCRYPTION_KEYS: keys.join(), BUS_URL: `cloudevents+${bus.url}` },
        ...{ PROVIDERS: 'codehost', WEBHOOK_SECRET_CODEHOST: codehost },
        ...{ RATE_LIMIT: '1000000', RATE_LIMIT_AUTH: '1000000' },
      })
      onTestFinished(() => server.stop())
      return server
    }
    let sent = 0
    const send = async (...servers: readonly LocalServer[]) => {
      for (let round = 0; round < 10; round++)
        for (const { base } of servers) {
          const run = { type: 'workflow_run.completed', payload: { run: ++sent } }
          expect((await sendWorkflowRun(base, codehost, run)).status).toBe(200)
        }
    }
    const read = async ({ base }: LocalServer, path: string) => {
      const authorization = `Bearer ${await adminToken(base, admin)}`
      const response = await fetch(`${base}/api/v1${path}`, { headers: { authorization } })
      return { status: response.status, text: await response.text() }
    }
    const readAll = async (server: LocalServer) => {
      const { data } = JSON.parse((await read(server, '/deliveries?limit=100')).text) as {
        data: { id: string }[]
      }
      return await Promise.all(data.map(({ id }) => read(server, `/deliveries/${id}`)))
    }
    let refused = 0
    const published = () => {
      const posts = bus.requests.slice(refused).filter(({ method }) => method === 'POST')
      return new Set(posts.map(({ body }) => (JSON.parse(body) as { id: string }).id)).size
    }

    const first = { one: await open(older), two: await open(newer, older) }
    await send(first.one, first.two)
    expect((await readAll(first.two)).every(({ status }) => status === 200)).toBe(true)
    const unreadable = (await readAll(first.one)).filter(({ status }) => status !== 200)
    expect(unreadable).toHaveLength(10)
    for (const { status, text } of unreadable) expect([status, text.includes(missing)]).toEqual([503, true])
    await first.two.stop()
    refused = bus.requests.length
    bus.answer(202)
    await expect.poll(published, { timeout: 60_000 }).toBe(10)
    await expect.poll(() => first.one.output(), { timeout: 60_000 }).toContain(missing)
    await first.one.stop()

    const second = { one: await open(newer, older), two: await open(older, newer) }
    await expect.poll(published, { timeout: 90_000 }).toBe(20)
    const run = async (server: LocalServer) => {
      const report = await reencrypt(server.config, pino({ level: 'silent' }))
      return Number(/Stored values with newly encrypted keys: (\d+)/.exec(report)?.[1])
    }
    const [values] = await Promise.all([run(second.one), send(second.one, second.two)])
    expect(values).toBeGreaterThan(0)
    await send(second.two)
    await expect.poll(published, { timeout: 60_000 }).toBe(sent)
    await second.two.stop()
    // The process that encrypted with the older key wrote after the first run.
    expect(await run(second.one)).toBeGreaterThan(0)
    expect(await run(second.one)).toBe(0)
    await second.one.stop()

    const last = await open(newer)
    const details = await readAll(last)
    expect(details.map(({ status }) => status)).toEqual(Array.from({ length: sent }, () => 200))
    expect(details.every(({ text }) => text.includes('"state":"published"'))).toBe(true)
    await expect(open(older)).rejects.toMatchObject({ code: missing })
  }, 300_000)
})
