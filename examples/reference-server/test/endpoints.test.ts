import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApi, type TestApi } from './api.ts'
import { documentedFetch } from './documented.ts'
import { sendWorkflowRun } from './server-process.ts'

const payload = (id: number) => ({ type: 'workflow_run.completed', payload: { id } })

/** Sends a delivery of the code host to an endpoint, signed with a secret. */
async function deliver({ base }: TestApi, path: string, secret: string, content: unknown = payload(1)) {
  const { status, data, error } = await sendWorkflowRun(base, secret, content, {
    path,
    send: documentedFetch,
  })
  return { ...data, status, said: error?.code ?? data.status }
}

let api: TestApi
const lines: string[] = []
beforeAll(async () => {
  const settings = { PROVIDERS: 'codehost,stripe,asana,notion' }
  api = await startApi(settings, undefined, (line) => lines.push(line))
})
afterAll(() => api[Symbol.asyncDispose]())

const call = (method: string, path: string, json?: object, token = api.admin.token) =>
  api.call(method, path, { token, ...(json && { json }) })

it('receive deliveries with their own secrets, until they are disabled or deleted', async () => {
  const json = { provider: 'codehost', name: 'Acme', options: { only: ['workflow_run.*'] } }
  const user = await api.user()
  expect((await call('POST', '/endpoints', json, user.token)).status).toBe(403)
  const created = await call('POST', '/endpoints', json)
  const { id, url, secret } = created.data as unknown as { id: string; url: string; secret: string }
  expect(url).toBe(`/webhooks/codehost/${id}`)
  expect(created.headers.get('location')).toBe(`/api/v1/endpoints/${id}`)
  expect((await call('GET', `/endpoints/${id}`)).text).not.toContain(secret)

  expect(await deliver(api, url, 'another secret')).toMatchObject({ said: 'INVALID_SIGNATURE' })
  const accepted = await deliver(api, url, secret)
  expect(accepted).toMatchObject({ said: 'accepted' })
  expect(accepted.events[0]?.id).toMatch(new RegExp(`^codehost@${id}:`))
  expect(await deliver(api, url, secret)).toMatchObject({ said: 'duplicate' })
  // The same delivery at the address without an endpoint is another event.
  expect(await api.deliver(payload(1))).toMatchObject({ status: 'accepted' })
  const listed = async (path: string) => (await call('GET', path)).list.map(({ endpoint }) => endpoint)
  expect(await listed(`/deliveries?endpoint=${id}`)).toEqual([id])
  await expect.poll(() => listed(`/events?endpoint=${id}`)).toEqual([id])
  expect(await listed('/deliveries?limit=2')).toEqual([null, id])

  const added = await call('POST', `/endpoints/${id}/secrets`)
  expect(await deliver(api, url, added.data['secret'] as string, payload(2))).toMatchObject({
    said: 'accepted',
  })
  const [old] = created.data['secrets'] as readonly { id: string }[]
  expect((await call('DELETE', `/endpoints/${id}/secrets/${old?.id}`)).status).toBe(204)
  expect(await deliver(api, url, secret, payload(3))).toMatchObject({ status: 401 })

  await call('PATCH', `/endpoints/${id}`, { status: 'disabled' })
  const fresh = added.data['secret'] as string
  expect(await deliver(api, url, fresh, payload(3))).toMatchObject({ status: 410, said: 'GONE' })
  expect((await call('DELETE', `/endpoints/${id}`)).status).toBe(204)
  const gone = { status: 404, said: 'UNKNOWN_ENDPOINT' }
  expect(await deliver(api, url, fresh, payload(3))).toMatchObject(gone)
  expect(await listed(`/deliveries?endpoint=${id}`)).toEqual([id, id])
})

it('receive a signed sample of each kind as a test delivery', async () => {
  for (const [provider, kind] of [
    ['codehost', 'workflow_run.completed'],
    ['codehost', 'package.published'],
    ['stripe', 'payment_intent.succeeded'],
  ]) {
    const id = `acme-${provider}`
    await call('POST', '/endpoints', { id, provider, name: 'Acme', secret: 'a secret of the service' })
    const sent = await call('POST', `/endpoints/${id}/test-deliveries`, { kind })
    expect(sent.data).toMatchObject({ kind, outcome: 'accepted', status: 200 })
    await expect
      .poll(async () => (await call('GET', `/deliveries/${sent.data['delivery_id'] as string}`)).data)
      .toMatchObject({ endpoint: id, status: 'published', events: [{ name: `${provider}/${kind}` }] })
  }
})

it('answer 404 while disabled if DISABLED_ENDPOINT_STATUS is 404', async () => {
  await using api = await startApi({ DISABLED_ENDPOINT_STATUS: '404' })
  const json = { id: 'acme', provider: 'codehost', name: 'Acme', secret: 'a secret', status: 'disabled' }
  await api.call('POST', '/endpoints', { token: api.admin.token, json })
  const gone = { status: 404, said: 'UNKNOWN_ENDPOINT' }
  expect(await deliver(api, '/webhooks/codehost/acme', 'a secret')).toMatchObject(gone)
})

it('need ENCRYPTION_KEYS in production, and no secret of their provider', async () => {
  const environment = {
    ...{ NODE_ENV: 'production', JWT_SECRET: 'x'.repeat(32), PROVIDERS: 'codehost,deploy' },
    ...{ ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'a password of the admin' },
  }
  const credentials = { email: environment.ADMIN_EMAIL, password: environment.ADMIN_PASSWORD }
  const json = { provider: 'deploy', name: 'Acme' }
  const secretless = { ...environment, PROVIDERS: 'codehost' }
  await using without = await startApi(secretless, credentials)
  const codehost = { ...json, provider: 'codehost' }
  const refused = await without.call('POST', '/endpoints', { token: without.admin.token, json: codehost })
  expect([refused.status, refused.error.code]).toEqual([409, 'CONFLICT'])
  expect(refused.error.message).toContain('ENCRYPTION_KEYS')

  const ENCRYPTION_KEYS = Buffer.alloc(32, 7).toString('base64')
  await using api = await startApi({ ...environment, ENCRYPTION_KEYS }, credentials)
  expect((await api.call('POST', '/endpoints', { token: api.admin.token, json })).status).toBe(201)
  const gone = { status: 404, said: 'UNKNOWN_ENDPOINT' }
  expect(await deliver(api, '/webhooks/deploy', 'any')).toMatchObject(gone)
})

it('get a secret from the handshake of the service, which an operator starts again', async () => {
  const created = await call('POST', '/endpoints', { provider: 'asana', name: 'Acme' })
  expect(created.data).toMatchObject({ secret: null, secrets: [] })
  const post = async (headers: Readonly<Record<string, string>>, body = '') => {
    const response = await fetch(`${api.base}${created.data['url'] as string}`, {
      method: 'POST',
      headers,
      body,
    })
    return { status: response.status, echoed: response.headers.get('x-hook-secret') }
  }
  expect(await post({ 'x-hook-secret': 'first' })).toEqual({ status: 200, echoed: 'first' })
  expect(await post({ 'x-hook-secret': 'second' })).toEqual({ status: 401, echoed: null })
  const body = JSON.stringify({ events: [] })
  const signature = createHmac('sha256', 'first').update(body).digest('hex')
  expect((await post({ 'x-hook-signature': signature }, body)).status).toBe(200)

  const path = `/endpoints/${created.data.id}`
  const [{ id }] = (await call('GET', path)).data['secrets'] as [{ id: string }]
  await call('DELETE', `${path}/secrets/${id}`)
  expect((await call('POST', `${path}/handshake`)).data['handshake_until']).toMatch(/Z$/)
  expect(await post({ 'x-hook-secret': 'third' })).toEqual({ status: 200, echoed: 'third' })
  const audit = await call('GET', `/audit?target=${created.data.id}&sort=created_at`)
  expect(audit.list.map(({ action }) => action)).toEqual([
    'endpoint.create',
    'endpoint.secret.establish',
    'endpoint.secret.remove',
    'endpoint.handshake.start',
    'endpoint.secret.establish',
  ])
})

it('show a token that the service sent once, and verify deliveries with it', async () => {
  const { data } = await call('POST', '/endpoints', { provider: 'notion', name: 'Acme' })
  const post = async (body: string, headers: Readonly<Record<string, string>> = {}) =>
    (await fetch(`${api.base}${data['url'] as string}`, { method: 'POST', headers, body })).status
  expect(await post('{"verification_token":"secret_first"}')).toBe(200)
  const path = `/endpoints/${data.id}/handshake/secret`
  expect((await call('POST', path)).data).toMatchObject({ secret: 'secret_first' })
  expect((await call('POST', path)).status).toBe(409)
  const event = '{"id":"e-1","type":"page.created"}'
  const signature = createHmac('sha256', 'secret_first').update(event).digest('hex')
  expect(await post(event, { 'x-notion-signature': `sha256=${signature}` })).toBe(200)
})

it('are named in the log with no secret, whether or not a delivery verifies', async () => {
  lines.length = 0
  const created = await call('POST', '/endpoints', { id: 'logged', provider: 'codehost', name: 'Acme' })
  const secret = created.data['secret'] as string
  await call('POST', '/endpoints/logged/secrets', { secret: 'imported' })
  for (const [id, key] of [
    ['logged', secret],
    ['logged', 'forged'],
    ['unknown', secret],
  ] as const)
    await deliver(api, `/webhooks/codehost/${id}`, key)
  const logged = lines.map((line) => JSON.parse(line) as { msg: string; endpoint?: string; status?: number })
  const deliveries = logged.filter(({ msg }) => msg === 'Delivery')
  expect(deliveries.map(({ endpoint, status }) => [endpoint, status])).toEqual([
    ['logged', 200],
    ['logged', 401],
    [undefined, 404],
  ])
  for (const hidden of [secret, 'imported']) expect(lines.join('')).not.toContain(hidden)
})
