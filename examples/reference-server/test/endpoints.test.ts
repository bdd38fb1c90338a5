import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from './api.ts'
import { documentedFetch } from './documented.ts'

const payload = (id: number) => ({ type: 'workflow_run.completed', payload: { id } })

/** Sends a delivery of the code host to an endpoint, signed with a secret. */
async function deliver({ base }: TestApi, path: string, secret: string, content: unknown = payload(1)) {
  const body = JSON.stringify(content)
  const response = await documentedFetch(`${base}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'workflow_run',
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
    body,
  })
  const answer = JSON.parse(await response.text()) as {
    readonly data?: { readonly status: string; readonly events: readonly { readonly id: string }[] }
    readonly error?: { readonly code: string }
  }
  return { status: response.status, said: answer.data?.status ?? answer.error?.code, ...answer.data }
}

describe('endpoints of the API', () => {
  let api: TestApi
  const lines: string[] = []
  beforeAll(async () => {
    api = await startApi({ PROVIDERS: 'codehost,stripe,asana,deploy' }, undefined, (line) => lines.push(line))
  })
  afterAll(() => api[Symbol.asyncDispose]())

  it('receive deliveries with their own secret, which is shown once', async () => {
    const { token } = api.admin
    const created = await api.call('POST', '/endpoints', {
      token,
      json: {
        provider: 'codehost',
        name: 'Acme',
        labels: { plan: 'free' },
        options: { only: ['workflow_run.*'] },
      },
    })
    expect(created.status).toBe(201)
    const { id, url, secret } = created.data as unknown as { id: string; url: string; secret: string }
    expect(id).toMatch(/^[0-9A-Za-z]{22}$/)
    expect(url).toBe(`/webhooks/codehost/${id}`)
    expect(secret).toMatch(/^[0-9a-f]{64}$/)
    expect(created.headers.get('location')).toBe(`/api/v1/endpoints/${id}`)

    const shown = await api.call('GET', `/endpoints/${id}`, { token })
    expect(shown.data).toMatchObject({
      id,
      name: 'Acme',
      status: 'active',
      labels: { plan: 'free' },
      options: { only: ['workflow_run.*'] },
    })
    expect(shown.text).not.toContain(secret)

    expect(await deliver(api, url, 'another secret')).toMatchObject({ said: 'INVALID_SIGNATURE' })
    const accepted = await deliver(api, url, secret)
    expect(accepted).toMatchObject({ said: 'accepted' })
    expect(accepted.events?.[0]?.id).toMatch(new RegExp(`^codehost@${id}:`))
    expect(await deliver(api, url, secret)).toMatchObject({ said: 'duplicate' })
    // The same delivery at the address without an endpoint is another event.
    expect(await api.deliver(payload(1))).toMatchObject({ status: 'accepted' })

    const deliveries = await api.call('GET', `/deliveries?endpoint=${id}`, { token })
    expect(deliveries.list.map((one) => one['endpoint'])).toEqual([id])
    await expect
      .poll(async () => (await api.call('GET', `/events?endpoint=${id}`, { token })).list.length)
      .toBe(1)
    expect(
      (await api.call('GET', '/deliveries?limit=2', { token })).list.map((one) => one['endpoint']),
    ).toEqual([null, id])
  })

  it('rotate secrets with an overlap', async () => {
    const { token } = api.admin
    const created = await api.call('POST', '/endpoints', {
      token,
      json: { id: 'rotated', provider: 'codehost', name: 'Acme', secret: 'the old secret' },
    })
    expect(created.data).toMatchObject({ id: 'rotated', secret: null })
    const [old] = created.data['secrets'] as readonly { id: string }[]
    const added = await api.call('POST', '/endpoints/rotated/secrets', { token })
    expect(added.status).toBe(201)
    const fresh = added.data['secret'] as string
    const path = '/webhooks/codehost/rotated'
    expect(await deliver(api, path, 'the old secret', payload(1))).toMatchObject({ said: 'accepted' })
    expect(await deliver(api, path, fresh, payload(2))).toMatchObject({ said: 'accepted' })
    const removed = await api.call('DELETE', `/endpoints/rotated/secrets/${old?.id}`, { token })
    expect(removed.status).toBe(204)
    expect(await deliver(api, path, 'the old secret', payload(3))).toMatchObject({ status: 401 })
    expect(await deliver(api, path, fresh, payload(3))).toMatchObject({ said: 'accepted' })
    expect((await api.call('DELETE', `/endpoints/rotated/secrets/${old?.id}`, { token })).status).toBe(404)
  })

  it('receive a signed sample of each kind as a test delivery', async () => {
    const { token } = api.admin
    for (const [provider, kind] of [
      ['codehost', 'workflow_run.completed'],
      ['codehost', 'package.published'],
      ['stripe', 'payment_intent.succeeded'],
    ]) {
      const id = `acme-${provider}`
      await api.call('POST', '/endpoints', {
        token,
        json: { id, provider, name: 'Acme', secret: 'a secret of the service' },
      })
      const sent = await api.call('POST', `/endpoints/${id}/test-deliveries`, { token, json: { kind } })
      expect(sent.data).toMatchObject({ kind, outcome: 'accepted', status: 200 })
      const delivery = `/deliveries/${sent.data['delivery_id'] as string}`
      await expect
        .poll(async () => (await api.call('GET', delivery, { token })).data)
        .toMatchObject({ endpoint: id, status: 'published', events: [{ name: `${provider}/${kind}` }] })
    }
  })

  it('refuse deliveries while disabled and after deletion, and keep the records', async () => {
    const { token } = api.admin
    await api.call('POST', '/endpoints', {
      token,
      json: { id: 'acme', provider: 'codehost', name: 'Acme', secret: 'a secret' },
    })
    const path = '/webhooks/codehost/acme'
    await deliver(api, path, 'a secret', payload(1))
    const disabled = await api.call('PATCH', '/endpoints/acme', { token, json: { status: 'disabled' } })
    expect(disabled.data).toMatchObject({ status: 'disabled', name: 'Acme' })
    expect(await deliver(api, path, 'a secret', payload(2))).toMatchObject({ status: 410, said: 'GONE' })
    expect((await api.call('DELETE', '/endpoints/acme', { token })).status).toBe(204)
    expect((await api.call('DELETE', '/endpoints/acme', { token })).status).toBe(404)
    expect((await api.call('GET', '/endpoints/acme', { token })).status).toBe(404)
    expect(await deliver(api, path, 'a secret', payload(2))).toMatchObject({
      status: 404,
      said: 'UNKNOWN_ENDPOINT',
    })
    expect((await api.call('GET', '/deliveries?endpoint=acme', { token })).list).toHaveLength(1)
    const again = { id: 'acme', provider: 'codehost', name: 'Another customer' }
    expect((await api.call('POST', '/endpoints', { token, json: again })).error.code).toBe('CONFLICT')
  })

  it('answer 404 while disabled if DISABLED_ENDPOINT_STATUS is 404', async () => {
    await using api = await startApi({ DISABLED_ENDPOINT_STATUS: '404' })
    const json = { id: 'acme', provider: 'codehost', name: 'Acme', secret: 'a secret', status: 'disabled' }
    await api.call('POST', '/endpoints', { token: api.admin.token, json })
    expect(await deliver(api, '/webhooks/codehost/acme', 'a secret')).toMatchObject({
      status: 404,
      said: 'UNKNOWN_ENDPOINT',
    })
  })

  it('follow the conventions of other resources', async () => {
    const { token } = api.admin
    const user = await api.user()
    const json = { provider: 'deploy', name: 'Acme' }
    expect((await api.call('GET', '/endpoints')).status).toBe(401)
    expect((await api.call('GET', '/endpoints', { token: user.token })).status).toBe(403)
    expect((await api.call('POST', '/endpoints', { token: user.token, json })).status).toBe(403)

    const headers = { 'idempotency-key': 'once' }
    const first = await api.call('POST', '/endpoints', { token, json, headers })
    const second = await api.call('POST', '/endpoints', { token, json, headers })
    expect(second.text).toBe(first.text)
    const { id } = first.data

    const read = await api.call('GET', `/endpoints/${id}`, { token })
    const etag = read.headers.get('etag') ?? ''
    expect(first.headers.get('etag')).toBe(etag)
    const written = await api.call('PATCH', `/endpoints/${id}`, {
      token,
      json: { ...read.data, name: 'Acme Ltd' },
      headers: { 'if-match': etag },
    })
    expect(written.data).toMatchObject({ name: 'Acme Ltd' })
    for (const [method, body] of [
      ['PATCH', { json: { name: 'x' } }],
      ['DELETE', {}],
    ] as const) {
      const stale = await api.call(method, `/endpoints/${id}`, {
        token,
        ...body,
        headers: { 'if-match': etag },
      })
      expect(stale.status).toBe(412)
    }
    const fixed = await api.call('PATCH', `/endpoints/${id}`, { token, json: { provider: 'tasks' } })
    expect(fixed.error.details?.map(({ field }) => field)).toEqual(['provider'])

    for (const [body, field] of [
      [{ ...json, provider: 'unknown' }, 'provider'],
      [{ ...json, id: 'a/b' }, 'id'],
      [{ ...json, name: '' }, 'name'],
      [{ ...json, extra: 1 }, 'extra'],
    ] as const) {
      const refused = await api.call('POST', '/endpoints', { token, json: body })
      expect(refused.error.details?.map((detail) => detail.field)).toEqual([field])
    }

    for (const name of ['Beta', 'Gamma'])
      await api.call('POST', '/endpoints', { token, json: { ...json, name } })
    const page = await api.call('GET', '/endpoints?provider=deploy&limit=2&cursor=', { token })
    expect(page.list.map((one) => one['name'])).toEqual(['Gamma', 'Beta'])
    const next = await api.call('GET', `/endpoints?provider=deploy&limit=2&cursor=${page.meta.nextCursor}`, {
      token,
    })
    expect(next.list.map((one) => one['name'])).toEqual(['Acme Ltd'])
    expect(
      (await api.call('GET', '/endpoints?provider=deploy&search=ET', { token })).list.map(
        (one) => one['name'],
      ),
    ).toEqual(['Beta'])
    const numbered = await api.call('GET', '/endpoints?status=active&provider=deploy&page=2&limit=2', {
      token,
    })
    expect(numbered.meta).toMatchObject({ total: 3, totalPages: 2 })
  })

  it('are refused in production without ENCRYPTION_KEYS, and the response says what to set', async () => {
    const environment = {
      NODE_ENV: 'production',
      JWT_SECRET: 'x'.repeat(32),
      ADMIN_EMAIL: 'admin@example.com',
      ADMIN_PASSWORD: 'a password of the admin',
    }
    const credentials = { email: environment.ADMIN_EMAIL, password: environment.ADMIN_PASSWORD }
    const json = { provider: 'codehost', name: 'Acme' }
    await using without = await startApi(environment, credentials)
    const refused = await without.call('POST', '/endpoints', { token: without.admin.token, json })
    expect([refused.status, refused.error.code]).toEqual([409, 'CONFLICT'])
    expect(refused.error.message).toContain('ENCRYPTION_KEYS')

    const keys = Buffer.alloc(32, 7).toString('base64')
    await using api = await startApi(
      { ...environment, ENCRYPTION_KEYS: keys, PROVIDERS: 'codehost,deploy' },
      credentials,
    )
    // A provider without WEBHOOK_SECRET_<PROVIDER> has endpoints only.
    const created = await api.call('POST', '/endpoints', {
      token: api.admin.token,
      json: { provider: 'deploy', name: 'Acme' },
    })
    expect(created.status).toBe(201)
    expect(await deliver(api, '/webhooks/deploy', 'any')).toMatchObject({
      status: 404,
      said: 'UNKNOWN_ENDPOINT',
    })
  })

  it('get the secret of an Asana webhook from the handshake that an operator started', async () => {
    await using api = await startApi({ PROVIDERS: 'codehost,asana' })
    const { token } = api.admin
    const created = await api.call('POST', '/endpoints', {
      token,
      json: { provider: 'asana', name: 'Acme' },
    })
    expect(created.data).toMatchObject({ secret: null, secrets: [] })
    const url = `${api.base}${created.data['url'] as string}`
    const post = async (headers: Readonly<Record<string, string>>, body = '') => {
      const response = await fetch(url, { method: 'POST', headers, body })
      await response.body?.cancel()
      return { status: response.status, echoed: response.headers.get('x-hook-secret') }
    }
    expect(await post({ 'x-hook-secret': 'first' })).toEqual({ status: 200, echoed: 'first' })
    expect(await post({ 'x-hook-secret': 'second' })).toEqual({ status: 401, echoed: null })
    const body = JSON.stringify({ events: [] })
    const sign = (secret: string) => ({
      'x-hook-signature': createHmac('sha256', secret).update(body).digest('hex'),
    })
    expect((await post(sign('first'), body)).status).toBe(200)
    expect((await post(sign('second'), body)).status).toBe(401)

    const path = `/endpoints/${created.data['id']}`
    const { data: shown } = await api.call('GET', path, { token })
    const [{ id: secretId }] = shown['secrets'] as [{ id: string }]
    expect((await api.call('POST', `${path}/handshake`, { token })).status).toBe(409)
    await api.call('DELETE', `${path}/secrets/${secretId}`, { token })
    expect(await post({ 'x-hook-secret': 'second' })).toEqual({ status: 401, echoed: null })
    expect((await api.call('POST', `${path}/handshake`, { token })).data['handshake_until']).toMatch(/Z$/)
    expect(await post({ 'x-hook-secret': 'third' })).toEqual({ status: 200, echoed: 'third' })
    const { data: entries } = await api.call('GET', '/audit', { token })
    const actions = (entries as unknown as { action: string }[]).map(({ action }) => action)
    expect(actions.slice(0, 5)).toEqual([
      'endpoint.secret.establish',
      'endpoint.handshake.start',
      'endpoint.secret.remove',
      'endpoint.secret.establish',
      'endpoint.create',
    ])
  })

  it('show the token of a Notion subscription once, and verify deliveries with it', async () => {
    await using api = await startApi({ PROVIDERS: 'codehost,notion' })
    const { token } = api.admin
    const json = { provider: 'notion', name: 'Acme' }
    const { data } = await api.call('POST', '/endpoints', { token, json })
    const post = async (body: string, headers: Readonly<Record<string, string>> = {}) =>
      (await fetch(`${api.base}${data['url'] as string}`, { method: 'POST', headers, body })).status
    expect(await post('{"verification_token":"secret_first"}')).toBe(200)
    expect(await post('{"verification_token":"secret_forged"}')).toBe(401)
    const path = `/endpoints/${data['id']}/handshake/secret`
    expect((await api.call('POST', path, { token })).data).toMatchObject({ secret: 'secret_first' })
    expect((await api.call('POST', path, { token })).status).toBe(409)
    const event = '{"id":"e-1","type":"page.created"}'
    const signature = createHmac('sha256', 'secret_first').update(event).digest('hex')
    expect(await post(event, { 'x-notion-signature': `sha256=${signature}` })).toBe(200)
  })

  it('are named in the log with no secret, whether or not a delivery verifies', async () => {
    lines.length = 0
    const created = await api.call('POST', '/endpoints', {
      token: api.admin.token,
      json: { id: 'logged', provider: 'codehost', name: 'Acme' },
    })
    const secret = created.data['secret'] as string
    await api.call('POST', '/endpoints/logged/secrets', {
      token: api.admin.token,
      json: { secret: 'imported' },
    })
    await deliver(api, '/webhooks/codehost/logged', secret)
    await deliver(api, '/webhooks/codehost/logged', 'forged')
    await deliver(api, '/webhooks/codehost/unknown', secret)
    const logged = lines.map(
      (line) => JSON.parse(line) as { msg: string; endpoint?: string; status?: number },
    )
    const deliveries = logged.filter(({ msg }) => msg === 'Delivery')
    expect(deliveries.map(({ endpoint, status }) => [endpoint, status])).toEqual([
      ['logged', 200],
      ['logged', 401],
      [undefined, 404],
    ])
    expect(lines.join('')).not.toContain(secret)
    expect(lines.join('')).not.toContain('imported')
  })

  it('refuse wrong types and huge values', async () => {
    const { token } = api.admin
    const json = { provider: 'codehost', name: 'Acme' }
    const list = async () => (await api.call('GET', '/endpoints', { token })).list
    const before = await list()
    for (const changes of [
      { id: 7 },
      { id: 'a'.repeat(65) },
      { id: null },
      { provider: ['codehost'] },
      { provider: 'x'.repeat(64) },
      { name: 'x'.repeat(201) },
      { secret: 7 },
      { secret: '' },
      { secret: 'a\0b' },
      { secret: 'a\ud800b' },
      { secret: 'x'.repeat(4097) },
      { status: 'paused' },
      { labels: { plan: 7 } },
      { labels: { 'a b': 'x' } },
      { labels: Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`l${index}`, 'x'])) },
      { options: { only: [] } },
      { options: { only: ['a b'] } },
      { options: { only: Array.from({ length: 101 }, () => 'push') } },
      { options: { tolerance: 7 } },
      { options: { tolerance_seconds: 0 } },
      { options: { tolerance_seconds: 86_401 } },
      { options: { tolerance_seconds: '60' } },
    ]) {
      const { status, error } = await api.call('POST', '/endpoints', { token, json: { ...json, ...changes } })
      expect([changes, status, error.code]).toEqual([changes, 400, 'VALIDATION_ERROR'])
    }
    for (const id of ['a'.repeat(65), '%00', 'a%2Fb', '%F0%9F%94%92'])
      expect((await api.call('GET', `/endpoints/${id}`, { token })).status).toBe(400)
    expect(await list()).toEqual(before)
  })
})
