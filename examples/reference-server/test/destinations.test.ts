import { createHmac } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openReceiver } from '@sallyport/test-support/hosts'
import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { startInProcess } from './in-process.ts'
import { adminToken, getSecrets, sendWorkflowRun, temporaryDirectory } from './server-process.ts'

const secret = `whsec_${btoa('the secret of the destination...')}`
const next = { type: 'workflow_run.completed', payload: { run: 2 } }
const run = { type: 'workflow_run.completed', payload: { run: 1 } }

it('sends deliveries as they came to the destination of BUS_URL, without a bus', async () => {
  await using receiver = await openReceiver()
  await using data = await temporaryDirectory()
  await using server = await startInProcess({
    ...{ DATA_DIR: data.path, BUS_URL: `deliver+${receiver.url}/in`, DESTINATION_ALLOW_PRIVATE: '1' },
    DESTINATION_SECRET: secret,
  })
  expect(server.output()).toContain('default')
  const secrets = await getSecrets(data.path)
  expect((await sendWorkflowRun(server.base, secrets['WEBHOOK_SECRET_CODEHOST']!, run)).status).toBe(200)
  await expect.poll(() => receiver.requests.length).toBe(1)
  const { headers, path, body } = receiver.requests[0]!
  expect(path).toBe('/in')
  expect(headers).toMatchObject({ 'sallyport-provider': 'codehost', 'sallyport-attempt': '1' })
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(run)
})

it('sends events to the destinations of ROUTES_FILE that accept them, beside the bus', async () => {
  await using receiver = await openReceiver()
  await using bus = await openReceiver(202)
  await using data = await temporaryDirectory()
  const ROUTES_FILE = join(data.path, 'routes.json')
  const common = { url: receiver.url, mode: 'event' }
  const destinations = [
    { ...common, name: 'accepting', headers: { 'x-name': 'accepting' }, filter: { events: ['codehost/*'] } },
    { ...common, name: 'refusing', headers: { 'x-name': 'refusing' }, filter: { provider: ['deploy'] } },
  ]
  await writeFile(ROUTES_FILE, JSON.stringify({ destinations }))
  await using server = await startInProcess({
    ...{ DATA_DIR: data.path, ROUTES_FILE, DESTINATION_ALLOW_PRIVATE: '127.0.0.0/8' },
    ...{ DESTINATION_SECRET: secret, BUS_URL: `cloudevents+${bus.url}` },
  })
  const { WEBHOOK_SECRET_CODEHOST: codehost = '' } = await getSecrets(data.path)
  await sendWorkflowRun(server.base, codehost, run)
  const posts = () => bus.requests.filter(({ method }) => method === 'POST').length
  await expect.poll(() => [receiver.requests.length, posts()]).toEqual([1, 1])
  const { headers, body } = receiver.requests[0]!
  expect(headers['x-name']).toBe('accepting')
  expect(JSON.parse(body)).toMatchObject({ source: { provider: 'codehost' } })
})

it('removes the values of redact from what leaves, signs the rest, and stores the whole delivery', async () => {
  await using receiver = await openReceiver()
  await using bus = await openReceiver(202)
  await using data = await temporaryDirectory()
  const ROUTES_FILE = join(data.path, 'routes.json')
  const redact = ['**.actor']
  const destinations = [{ ...{ name: 'a', url: receiver.url, sign: 'provider', redact } }]
  await writeFile(ROUTES_FILE, JSON.stringify({ routes: [{ to: 'BUS_URL', redact }], destinations }))
  await using server = await startInProcess({
    ...{ DATA_DIR: data.path, ROUTES_FILE, DESTINATION_ALLOW_PRIVATE: '127.0.0.0/8' },
    ...{ DESTINATION_SECRET: secret, BUS_URL: `cloudevents+${bus.url}`, PROVIDERS: 'codehost' },
  })
  const secrets = await getSecrets(data.path)
  const payload = { run: 1, actor: { login: 'ann' } }
  await sendWorkflowRun(server.base, secrets['WEBHOOK_SECRET_CODEHOST']!, { ...run, payload })
  const posts = () => bus.requests.filter(({ method }) => method === 'POST')
  await expect.poll(() => [receiver.requests.length, posts().length]).toEqual([1, 1])
  const { headers, body } = receiver.requests[0]!
  expect(JSON.parse(body)).toEqual({ ...run, payload: { run: 1, actor: '[redacted]' } })
  expect(headers['x-hub-signature-256']).toBe(
    `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  )
  expect(posts()[0]?.body).toContain('[redacted]')
  expect(posts()[0]?.body).not.toContain('ann')
  const authorization = `Bearer ${await adminToken(server.base, secrets)}`
  const read = async (path: string) =>
    await (await fetch(`${server.base}/api/v1${path}`, { headers: { authorization } })).text()
  expect(await read('/destinations')).toContain('"redact":["**.actor"]')
  const id = String(headers['sallyport-delivery-id'])
  expect(await read(`/deliveries/${id}`)).toContain('ann')
})

it('pauses a destination that is gone, and sends the next deliveries when an operator resumes it', async () => {
  await using receiver = await openReceiver(410)
  await using data = await temporaryDirectory()
  await using server = await startInProcess({
    ...{ DATA_DIR: data.path, BUS_URL: `deliver+${receiver.url}`, DESTINATION_ALLOW_PRIVATE: '1' },
    DESTINATION_SECRET: secret,
  })
  const secrets = await getSecrets(data.path)
  const authorization = `Bearer ${await adminToken(server.base, secrets)}`
  const request = async (path: string, method = 'GET') => {
    const response = await fetch(`${server.base}/api/v1${path}`, { method, headers: { authorization } })
    return ((await response.json()) as { data: unknown }).data
  }
  await sendWorkflowRun(server.base, secrets['WEBHOOK_SECRET_CODEHOST']!, run)
  await expect
    .poll(() => request('/destinations'))
    .toMatchObject({
      destinations: [{ name: 'default', state: 'paused', pending: 1, mode: 'original' }],
    })
  await sendWorkflowRun(server.base, secrets['WEBHOOK_SECRET_CODEHOST']!, next)
  receiver.answer(204)
  expect(await request('/destinations/default/resume', 'POST')).toEqual({ changed: true })
  // The first one was answered with 410.
  await expect.poll(() => receiver.requests.length).toBe(3)
  const bodies = receiver.requests.map(({ body }) => body).sort()
  expect(bodies.map((body) => JSON.parse(body) as unknown)).toEqual([run, run, next])
  expect(await request('/destinations')).toMatchObject({ destinations: [{ state: 'running' }] })
})

it('sends to the destinations of a changed ROUTES_FILE, and keeps the last valid ones', async () => {
  await using receiver = await openReceiver()
  await using data = await temporaryDirectory()
  const ROUTES_FILE = join(data.path, 'routes.yaml')
  const write = (name: string, more = '') =>
    writeFile(ROUTES_FILE, `destinations:\n  - name: ${name}\n    url: ${receiver.url}/${name}\n${more}`)
  await write('first')
  await using server = await startInProcess({
    ...{ DATA_DIR: data.path, ROUTES_FILE, DESTINATION_ALLOW_PRIVATE: '1', DESTINATION_SECRET: secret },
  })
  const secrets = await getSecrets(data.path)
  const send = (run: typeof next) => sendWorkflowRun(server.base, secrets['WEBHOOK_SECRET_CODEHOST']!, run)
  await write('second')
  await expect.poll(() => server.output(), { timeout: 10_000 }).toContain('ROUTES_FILE has changed')
  await send(run)
  await expect.poll(() => receiver.requests.map(({ path }) => path)).toEqual(['/second'])
  await write('third', '    colour: red\n')
  await expect
    .poll(() => server.output(), { timeout: 10_000 })
    .toContain('ROUTES_FILE: destinations.0: Has an unknown key (line 2)')
  await send(next)
  await expect.poll(() => receiver.requests.map(({ path }) => path)).toEqual(['/second', '/second'])
}, 30_000)

it('sends to a destination that the API created, with its secret', async () => {
  await using receiver = await openReceiver()
  await using data = await temporaryDirectory()
  await using server = await startInProcess({
    ...{ DATA_DIR: data.path, DESTINATION_ALLOW_PRIVATE: '1', ENCRYPTION_KEYS: 'a'.repeat(64) },
  })
  const secrets = await getSecrets(data.path)
  const authorization = `Bearer ${await adminToken(server.base, secrets)}`
  const headers = { authorization, 'content-type': 'application/json' }
  const create = (body: object) =>
    fetch(`${server.base}/api/v1/destinations`, { method: 'POST', headers, body: JSON.stringify(body) })
  const refused = await create({ name: 'a', url: 'https://user:hunter2@example.com' })
  expect(refused.status).toBe(400)
  expect(await refused.text()).not.toContain('hunter2')
  const created = await create({ name: 'billing', url: receiver.url })
  expect(created.status).toBe(201)
  const { data: destination } = (await created.json()) as { data: { secret: string } }
  await sendWorkflowRun(server.base, secrets['WEBHOOK_SECRET_CODEHOST']!, run)
  await expect.poll(() => receiver.requests.length, { timeout: 5000 }).toBe(1)
  const [request] = receiver.requests
  new Webhook(destination.secret).verify(request!.body, request!.headers as Record<string, string>)
})
