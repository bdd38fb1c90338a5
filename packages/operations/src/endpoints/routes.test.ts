import { randomBytes, randomUUID } from 'node:crypto'
import { createMemoryIdempotencyStore } from '@sallyport/rest'
import { createFetchHandler } from '@sallyport/rest/fetch'
import type { IdempotencyStore } from '@sallyport/rest/store'
import {
  createGateway,
  defineProvider,
  defineService,
  hmac,
  createMemoryInbox,
  signDelivery,
  signedTime,
} from '@sallyport/webhooks'
import type { WebhookOperations } from '@sallyport/webhooks/node'
import {
  createMemoryAuditLog,
  createTestDeliverySender,
  createMemoryEndpointStore,
} from '@sallyport/test-support/webhooks'
import { echoHandshake } from '@sallyport/webhooks/handshakes'
import { createEndpoints, createSecretCipher } from '@sallyport/webhooks/endpoints'
import { createFetchHandler as createGatewayHandler } from '@sallyport/webhooks/fetch'
import { expect, it } from 'vitest'
import { authorize, secrets } from '../../test/operations.ts'
import type { Operator, Scope } from '../access.ts'
import { createOperations } from '../operations.ts'

const doorbell = defineService({
  name: 'doorbell',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-doorbell-signature' }),
  kind: 'type',
  id: 'id',
})

/** A service that signs a time. */
const intercom = defineService({
  name: 'intercom',
  signature: hmac({
    ...{ algorithm: 'sha256', encoding: 'hex', header: 'x-intercom-signature' },
    timestamp: signedTime({ header: 'x-intercom-time' }),
    content: ({ timestamp, body }) => [timestamp, '.', body],
  }),
  kind: 'type',
  id: 'id',
})

/** A service that creates its secret. */
const stripe = defineProvider({ ...intercom, name: 'stripe', createsSecret: true })

/** A service that sends its secret in a handshake. */
const asana = defineService({
  name: 'asana',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-hook-signature' }),
  kind: 'type',
  handshake: echoHandshake({
    from: { header: 'x-hook-secret' },
    as: { header: 'x-hook-secret' },
    establishesSecret: true,
  }),
})

interface Body {
  readonly data: {
    readonly id: string
    readonly url: string
    readonly secret: string | null
    readonly secrets: readonly { readonly id: string }[]
  }
  readonly error?: { readonly code: string; readonly message: string }
}

function open({ savesResponses = true } = {}) {
  const cipher = createSecretCipher([randomBytes(32)])
  const endpoints = createEndpoints({ store: createMemoryEndpointStore(), cipher })
  const inbox = createMemoryInbox()
  const gateway = createGateway({ providers: [doorbell, intercom], endpoints, inbox })
  const fetchGateway = createGatewayHandler(gateway)
  const samples = {
    kinds: ['bell.rung'],
    sample: () => ({ headers: {}, body: { type: 'bell.rung', id: randomUUID() } }),
  }
  const audit = createMemoryAuditLog()
  const memory = createMemoryIdempotencyStore()
  const stored: string[] = []
  const idempotency: IdempotencyStore = {
    ...memory,
    complete(completion) {
      stored.push(completion.response.body ?? '')
      return memory.complete(completion)
    },
  }
  const operations: WebhookOperations = {
    ...{ inbox, audit, secrets, providers: [doorbell, intercom, asana, stripe] },
    gatewayUrl: 'https://hooks.example.com/webhooks',
    endpoints: {
      ...{ endpoints, cipher },
      createTestSender: (loadSamples) =>
        createTestDeliverySender({ ...{ gateway, endpoints, providers: [doorbell], loadSamples } }),
    },
    idempotency: () => ({
      ...idempotency,
      ...(!savesResponses && { complete: () => Promise.resolve(false) }),
      prune: () => Promise.resolve(0),
    }),
  }
  const api = createOperations(
    { operations },
    {
      idempotency,
      catalogue: () => [{ provider: doorbell, loadSamples: () => Promise.resolve(samples) }],
      authorize(request): Operator {
        const scope = request.header('x-scope')
        return { ...authorize(request), ...(scope !== undefined && { scopes: [scope] }) }
      },
    },
  )
  const fetch = createFetchHandler(api, { mount: '/operations' })
  const call = async (
    method: string,
    path: string,
    body?: object,
    { token = 'all', ...headers }: Readonly<Record<string, string>> = {},
  ) => {
    const response = await fetch(
      new Request(`http://localhost/operations${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        ...(body && { body: JSON.stringify(body) }),
      }),
    )
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, ...(JSON.parse(text || '{}') as Body) }
  }
  const deliver = async (id: string, secret: string) => {
    const content = Buffer.from(JSON.stringify({ type: 'bell.rung', id: randomUUID() }))
    const delivery = { method: 'POST', headers: new Headers(), body: content }
    const { headers, body } = await signDelivery(doorbell.signature, delivery, secret, Date.now())
    const request = new Request(`http://localhost/webhooks/doorbell/${id}`, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
    })
    return (await fetchGateway(request)).status
  }
  return { call, deliver, audit, stored, inbox, endpoints }
}

const acme = { provider: 'doorbell', name: 'Acme' }

it('creates an endpoint whose deliveries the gateway accepts', async () => {
  const { call, deliver } = open()
  const created = await call('POST', '/endpoints', acme)
  const { id, url, secret } = created.data
  expect(created.status).toBe(201)
  expect(url).toBe(`https://hooks.example.com/webhooks/doorbell/${id}`)
  expect(created.headers.get('location')).toBe(`/operations/endpoints/${id}`)
  expect(await deliver(id, secret ?? '')).toBe(200)
  expect(await deliver(id, 'another secret')).toBe(401)
})

it('shows a generated secret once, and encrypts the stored response', async () => {
  const { call, stored } = open()
  const key = { 'idempotency-key': 'create-1' }
  const created = await call('POST', '/endpoints', acme, key)
  const { id, secret } = created.data
  expect(secret).toMatch(/^[0-9a-f]{64}$/)
  expect((await call('GET', `/endpoints/${id}`)).text).not.toContain(secret)
  const repeated = await call('POST', '/endpoints', acme, key)
  expect(repeated.headers.get('idempotent-replayed')).toBe('true')
  expect(repeated.data).toEqual(created.data)

  const added = await call('POST', `/endpoints/${id}/secrets`, {}, key)
  expect((await call('POST', `/endpoints/${id}/secrets`, {}, key)).data).toEqual(added.data)
  expect(stored).toHaveLength(2)
  expect(stored.join()).not.toContain(secret)
  expect(stored.join()).not.toContain(added.data.secret)
})

it('creates no endpoint whose response is not stored', async () => {
  const { call, stored } = open({ savesResponses: false })
  const key = { 'idempotency-key': 'create-1' }
  expect((await call('POST', '/endpoints', acme, key)).status).toBe(503)
  expect((await call('GET', '/endpoints')).data).toEqual([])

  const { data: endpoint } = await call('POST', '/endpoints', acme)
  expect((await call('POST', `/endpoints/${endpoint.id}/secrets`, {}, key)).status).toBe(503)
  expect((await call('GET', `/endpoints/${endpoint.id}`)).data.secrets).toHaveLength(1)
  expect(stored).toEqual([])
})

it('sets the tolerance of the signed time, if the provider signs one', async () => {
  const { call } = open()
  const options = { tolerance_seconds: 600 }
  const created = await call('POST', '/endpoints', { provider: 'intercom', name: 'Acme', options })
  expect(created.data).toMatchObject({ options })
  const path = `/endpoints/${created.data.id}`
  const changed = await call('PATCH', path, { options: { only: ['a.*'], tolerance_seconds: 60 } })
  expect(changed.data).toMatchObject({ options: { only: ['a.*'], tolerance_seconds: 60 } })
  expect((await call('GET', path)).data).toMatchObject(changed.data)

  const detail = { field: 'options.tolerance_seconds', message: 'Cannot be used: doorbell signs no time' }
  const refused = { status: 400, error: { code: 'VALIDATION_ERROR', details: [detail] } }
  expect(await call('POST', '/endpoints', { ...acme, options })).toMatchObject(refused)
  const other = await call('POST', '/endpoints', acme)
  expect(await call('PATCH', `/endpoints/${other.data.id}`, { options })).toMatchObject(refused)
})

it('lists the endpoints with most deliveries', async () => {
  const { call, deliver } = open()
  const [one, other] = [await call('POST', '/endpoints', acme), await call('POST', '/endpoints', acme)]
  await deliver(one.data.id, one.data.secret ?? '')
  for (const { id, secret } of [other.data, other.data]) await deliver(id, secret ?? '')
  const at = expect.stringMatching(/Z$/) as string
  const count = (id: string, deliveries: number) => ({
    ...{ provider: 'doorbell', kind: null, endpoint: id, deliveries, latency_ms: null },
    ...{ endpoint_name: 'Acme', endpoint_labels: {}, first_received_at: at, last_received_at: at },
  })
  expect((await call('GET', '/statistics/deliveries?by=endpoint')).data).toEqual({
    groups: [count(other.data.id, 2), count(one.data.id, 1)],
  })
  expect((await call('GET', '/statistics/deliveries?by=kind&limit=1')).data).toMatchObject({
    groups: [{ provider: 'doorbell', kind: 'bell.rung', endpoint: null, deliveries: 3 }],
  })
})

it('rotates the secret of an endpoint', async () => {
  const { call, deliver } = open()
  const { data: endpoint } = await call('POST', '/endpoints', { ...acme, secret: 'the old secret' })
  const {
    id,
    secrets: [old],
  } = endpoint
  expect(endpoint.secret).toBeNull()
  const { data: added } = await call('POST', `/endpoints/${id}/secrets`)
  expect(await deliver(id, added.secret ?? '')).toBe(200)
  expect(await deliver(id, 'the old secret')).toBe(200)
  expect((await call('DELETE', `/endpoints/${id}/secrets/${old?.id}`)).status).toBe(204)
  expect(await deliver(id, 'the old secret')).toBe(401)
  expect((await call('DELETE', `/endpoints/${id}/secrets/${old?.id}`)).status).toBe(404)
})

it('waits for a handshake after the creation without a secret, and after a request', async () => {
  const { call, audit } = open()
  const until = expect.stringMatching(/Z$/) as string
  const created = await call('POST', '/endpoints', { id: 'acme', provider: 'asana', name: 'Acme' })
  expect(created.data).toMatchObject({ handshake_until: until, secret: null })
  expect((await call('POST', '/endpoints/acme/handshake')).data).toMatchObject({ handshake_until: until })
  expect((await audit.list({ limit: 1 }))[0]).toMatchObject({
    action: 'endpoint.handshake.start',
    target: 'acme',
    detail: { until },
  })
  await call('POST', '/endpoints/acme/secrets', { secret: 'by hand' })
  expect((await call('GET', '/endpoints/acme')).data).toMatchObject({ handshake_until: null })
  expect((await call('POST', '/endpoints/acme/handshake')).error?.code).toBe('CONFLICT')

  await call('POST', '/endpoints', { ...acme, id: 'other' })
  expect((await call('POST', '/endpoints/other/handshake')).error).toMatchObject({
    code: 'CONFLICT',
    message: 'doorbell sends no secret in a handshake: add a secret',
  })
  expect((await call('POST', '/endpoints/unknown/handshake')).status).toBe(404)
})

it('invents no secret for a service that creates its secret', async () => {
  const { call } = open()
  const created = await call('POST', '/endpoints', { id: 'acme', provider: 'stripe', name: 'Acme' })
  expect([created.status, created.data]).toMatchObject([
    201,
    { secret: null, secrets: [], handshake_until: null },
  ])
  expect((await call('POST', '/endpoints/acme/secrets')).status).toBe(400)
  const secret = 'the signing secret of the service'
  expect((await call('POST', '/endpoints/acme/secrets', { secret })).status).toBe(201)
  expect((await call('POST', '/endpoints/acme/secrets', { secret: ' ' })).status).toBe(400)
})

it('shows a secret that a service asks for once, and records it in the audit without the secret', async () => {
  const { call, audit, endpoints } = open()
  const path = '/endpoints/acme/handshake/secret'
  await call('POST', '/endpoints', { id: 'acme', provider: 'asana', name: 'Acme' })
  expect((await call('POST', path)).error?.code).toBe('CONFLICT')
  await endpoints.establishSecret('acme', 'the token', { isReadOnce: true })
  const shown = await call('GET', '/endpoints/acme')
  expect(shown.data.secrets).toMatchObject([{ readable: true }])
  expect(shown.text).not.toContain('the token')

  const [first, second] = await Promise.all([call('POST', path), call('POST', path)])
  expect([first.status, second.status].sort()).toEqual([200, 409])
  const { data } = first.status === 200 ? first : second
  expect(data).toEqual({ id: shown.data.secrets[0]?.id, secret: 'the token' })
  expect((await call('GET', '/endpoints/acme')).data.secrets).toMatchObject([{ readable: false }])
  const recorded = await audit.list({ limit: 10 })
  expect(recorded.filter(({ action }) => action === 'endpoint.secret.read')).toMatchObject([
    { target: 'acme', detail: { secret_id: data.id } },
  ])
  expect(JSON.stringify(recorded)).not.toContain('the token')
})

it('repeats a secret that a service asks for with its key only, and encrypts the stored response', async () => {
  const { call, stored, endpoints } = open()
  const path = '/endpoints/acme/handshake/secret'
  const key = { 'idempotency-key': 'read-1' }
  await call('POST', '/endpoints', { id: 'acme', provider: 'asana', name: 'Acme' })
  await endpoints.establishSecret('acme', 'the token', { isReadOnce: true })
  for (const status of [200, 200]) expect(await call('POST', path, undefined, key)).toMatchObject({ status })
  expect((await call('POST', path, undefined, { 'idempotency-key': 'read-2' })).status).toBe(409)
  expect(stored).not.toEqual([])
  expect(stored.join()).not.toContain('the token')
})

it('refuses to change an endpoint that has changed', async () => {
  const { call } = open()
  const created = await call('POST', '/endpoints', acme)
  const path = `/endpoints/${created.data.id}`
  const condition = { 'if-match': created.headers.get('etag') ?? '' }
  expect((await call('PATCH', path, { status: 'disabled' }, condition)).status).toBe(200)
  expect((await call('PATCH', path, { status: 'active' }, condition)).status).toBe(412)
  expect((await call('DELETE', path, undefined, condition)).status).toBe(412)
  expect((await call('DELETE', path)).status).toBe(204)
  expect((await call('DELETE', path)).error?.code).toBe('NOT_FOUND')
})

it('sends a test delivery through the gateway', async () => {
  const { call, audit, inbox } = open()
  await call('POST', '/endpoints', { ...acme, id: 'acme' })
  const sent = await call('POST', '/endpoints/acme/test-deliveries', { kind: 'bell.rung' })
  const [delivery] = await inbox.list({ limit: 1 })
  expect(sent.status).toBe(200)
  expect(sent.data).toEqual({
    kind: 'bell.rung',
    outcome: 'accepted',
    status: 200,
    delivery_id: delivery?.id,
    reason: null,
    code: null,
    message: null,
  })
  expect(delivery).toMatchObject({ endpoint: 'acme', provider: 'doorbell' })
  expect((await audit.list({ limit: 1 }))[0]).toMatchObject({
    action: 'endpoint.test',
    target: 'acme',
    detail: { kind: 'bell.rung', outcome: 'accepted', delivery_id: delivery?.id },
  })
})

it('shows why the gateway refuses a test delivery', async () => {
  const { call } = open()
  await call('POST', '/endpoints', { ...acme, id: 'acme', status: 'disabled' })
  const sent = await call('POST', '/endpoints/acme/test-deliveries', { kind: 'bell.rung' })
  expect(sent.data).toMatchObject({ outcome: 'refused', status: 410, delivery_id: null, code: 'GONE' })
  const unknown = await call('POST', '/endpoints/acme/test-deliveries', { kind: 'bell.stolen' })
  expect(unknown.error?.code).toBe('VALIDATION_ERROR')
  expect((await call('POST', '/endpoints/other/test-deliveries', { kind: 'bell.rung' })).status).toBe(404)
})

it('opens each route with its scope only', async () => {
  const { call } = open()
  const routes = [
    ['endpoints:read', 'GET', '/endpoints', 200],
    ['endpoints:read', 'GET', '/endpoints/acme', 404],
    ['endpoints:write', 'POST', '/endpoints', 400],
    ['endpoints:write', 'PATCH', '/endpoints/acme', 400],
    ['endpoints:write', 'DELETE', '/endpoints/acme', 404],
    ['endpoints:write', 'POST', '/endpoints/acme/secrets', 404],
    ['endpoints:write', 'DELETE', '/endpoints/acme/secrets/a', 404],
    ['endpoints:write', 'POST', '/endpoints/acme/handshake', 404],
    ['endpoints:write', 'POST', '/endpoints/acme/handshake/secret', 404],
    ['endpoints:write', 'POST', '/endpoints/acme/test-deliveries', 400],
  ] as const satisfies readonly (readonly [Scope, string, string, number])[]
  for (const own of ['endpoints:read', 'endpoints:write']) {
    for (const [scope, method, path, status] of routes) {
      const response = await call(method, path, undefined, { 'x-scope': own })
      expect([own, method, path, response.status]).toEqual([own, method, path, scope === own ? status : 403])
    }
  }
  expect((await call('POST', '/endpoints', acme, { token: 'read' })).error?.message).toBe(
    'This needs the permission manage',
  )
  expect((await call('GET', '/endpoints', undefined, { token: 'read' })).status).toBe(200)
})

it('records changes in the audit without secrets', async () => {
  const { call, audit } = open()
  const { data } = await call('POST', '/endpoints', { ...acme, id: 'acme', secret: 'the old secret' })
  const added = await call('POST', '/endpoints/acme/secrets', { secret: 'the new secret' })
  await call('DELETE', `/endpoints/acme/secrets/${data.secrets[0]?.id}`)
  await call('PATCH', '/endpoints/acme', { status: 'disabled' })
  await call('DELETE', '/endpoints/acme')
  const recorded = await audit.list({ limit: 10, order: 'oldest' })
  expect(recorded.map(({ action, target, detail }) => [action, target, detail])).toEqual([
    ['endpoint.create', 'acme', { provider: 'doorbell', name: 'Acme' }],
    ['endpoint.secret.add', 'acme', { secret_id: added.data.id }],
    ['endpoint.secret.remove', 'acme', { secret_id: data.secrets[0]?.id }],
    ['endpoint.update', 'acme', { changed: ['status'], status: 'disabled' }],
    ['endpoint.delete', 'acme', { provider: 'doorbell', name: 'Acme' }],
  ])
})

it('limits names by characters, as the document says', async () => {
  const { call } = open()
  const name = '🔔'.repeat(200)
  expect((await call('POST', '/endpoints', { ...acme, name })).status).toBe(201)
  expect((await call('POST', '/endpoints', { ...acme, name: `${name}!` })).error?.code).toBe(
    'VALIDATION_ERROR',
  )
})

it('accepts its own representation, and keeps its provider and the id of a deleted endpoint', async () => {
  const { call } = open()
  const created = await call('POST', '/endpoints', { ...acme, id: 'acme' })
  const { data: read, headers } = await call('GET', '/endpoints/acme')
  expect(created.headers.get('etag')).toBe(headers.get('etag'))
  const changed = await call('PATCH', '/endpoints/acme', { ...read, name: 'Acme Ltd' })
  expect(changed.data).toMatchObject({ name: 'Acme Ltd' })
  const fixed = await call('PATCH', '/endpoints/acme', { provider: 'intercom' })
  expect(fixed.error).toMatchObject({ details: [{ field: 'provider' }] })
  await call('DELETE', '/endpoints/acme')
  expect((await call('POST', '/endpoints', { ...acme, id: 'acme' })).error?.code).toBe('CONFLICT')
})

it('lists endpoints by name, provider, status and labels', async () => {
  const { call } = open()
  for (const name of ['Acme', 'Beta', 'Gamma']) {
    const createdAt = Date.now()
    await call('POST', '/endpoints', { ...acme, name })
    await expect.poll(() => Date.now(), { interval: 1 }).toBeGreaterThan(createdAt + 1)
  }
  await call('POST', '/endpoints', {
    provider: 'intercom',
    name: 'Delta',
    status: 'disabled',
    labels: { region: 'eu', plan: 'gold' },
  })
  const list = async (query: string) => {
    const { data, ...answer } = await call('GET', `/endpoints?${query}`)
    const { meta } = JSON.parse(answer.text) as { meta: { nextCursor: string; total: number } }
    return { names: (data as unknown as { name: string }[]).map(({ name }) => name), meta }
  }
  const page = await list('provider=doorbell&limit=2&cursor=')
  expect(page.names).toEqual(['Gamma', 'Beta'])
  const next = await list(`provider=doorbell&limit=2&cursor=${page.meta.nextCursor}`)
  expect(next.names).toEqual(['Acme'])
  expect((await list('search=ET')).names).toEqual(['Beta'])
  expect((await list('status=disabled')).names).toEqual(['Delta'])
  expect((await list('labels=plan%3Dgold,region%3Deu')).names).toEqual(['Delta'])
  expect((await list('labels=region%3Dus')).names).toEqual([])
  for (const labels of ['region', 'region%3Deu;plan%3Dgold'])
    expect((await call('GET', `/endpoints?labels=${labels}`)).status).toBe(400)
  expect((await list('status=active&page=2&limit=2')).meta).toMatchObject({ total: 3, totalPages: 2 })
})

it.each([
  { id: 7 },
  { id: 'a/b' },
  { id: 'a'.repeat(65) },
  { id: null },
  { provider: ['doorbell'] },
  { provider: 'unknown' },
  { provider: 'x'.repeat(64) },
  { name: '' },
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
  { extra: 1 },
])('refuses an endpoint with %j', async (changes) => {
  const { call } = open()
  const { status, error } = await call('POST', '/endpoints', { ...acme, ...changes })
  expect([status, error?.code]).toEqual([400, 'VALIDATION_ERROR'])
  expect((await call('GET', '/endpoints')).data).toEqual([])
})

it.each(['a'.repeat(65), '%00', 'a%2Fb', '%F0%9F%94%92'])('refuses the id %s', async (id) => {
  expect((await open().call('GET', `/endpoints/${id}`)).status).toBe(400)
})
