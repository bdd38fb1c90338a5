import { createApiKeys, createMemoryApiKeyStore, parseBearer } from '@sallyport/auth'
import { createFetchHandler } from '@sallyport/rest/fetch'
import { createReplayer, createMemoryInbox } from '@sallyport/webhooks'
import { createMemoryAuditLog } from '@sallyport/test-support/webhooks'
import { expect, it, onTestFinished, vi } from 'vitest'
import { authorize as authorizeUser } from '../../test/operations.ts'
import type { Operator, Permission, Scope } from '../access.ts'
import { createOperations } from '../operations.ts'

interface Body {
  readonly data: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: string; readonly message: string }
}

function open() {
  /** The users who own keys, with their current permissions. */
  const users = new Map<string, readonly Permission[]>([['ann', ['read', 'replay', 'erase', 'manage']]])
  const clock = { time: Date.now() }
  const keys = createApiKeys<Operator>({
    store: createMemoryApiKeyStore(),
    getOwner: (id) => {
      const permissions = users.get(id)
      return permissions && { id, permissions }
    },
    now: () => clock.time,
  })
  const inbox = createMemoryInbox()
  const audit = createMemoryAuditLog()
  const api = createOperations(
    { operations: { inbox, audit, replayer: createReplayer({ inbox, providers: [] }) } },
    {
      keys,
      async authorize(request) {
        const token = parseBearer(request.header('authorization'))
        if (!keys.isApiKey(token)) return authorizeUser(request)
        const { key, owner } = await keys.verify(token)
        return { ...owner, scopes: key.scopes, key }
      },
    },
  )
  const fetch = createFetchHandler(api)
  const send = async (token: string, method: string, path: string, body?: object) => {
    const response = await fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      }),
    )
    const text = await response.text()
    return { status: response.status, headers: response.headers, ...(JSON.parse(text || '{}') as Body) }
  }
  const create = async (scopes: readonly Scope[], body: object = {}, token = 'all') => {
    const { status, data } = await send(token, 'POST', '/keys', { name: 'CI', scopes, ...body })
    expect(status).toBe(201)
    return { id: String(data['id']), key: String(data['key']) }
  }
  return { users, clock, audit, fetch, send, create }
}

it('creates a key, shows it once and lists it without its secret', async () => {
  const { send, create, audit } = open()
  const { id, key } = await create(['deliveries:read'])
  const shown = await send('all', 'GET', `/keys/${id}`)
  expect(shown.data).toEqual({
    id,
    name: 'CI',
    scopes: ['deliveries:read'],
    endpoints: null,
    created_by: 'ann',
    created_at: expect.any(String) as string,
    expires_at: null,
    last_used_at: null,
    prefix: `sp_${id}`,
  })
  expect((await send('all', 'GET', '/keys')).data).toEqual([shown.data])
  const recorded = await audit.list({ limit: 10 })
  expect(recorded).toMatchObject([{ action: 'key.create', target: id, actor: { id: 'ann' } }])
  expect(JSON.stringify(recorded)).not.toContain(key.slice(-72, -8))
})

it('opens exactly the routes of the scopes', async () => {
  const { send, create } = open()
  const unknown = '01890a5d-ac96-774b-bcce-b302099a8057'
  const routes = [
    ['deliveries:read', 'GET', '/deliveries'],
    ['deliveries:read', 'GET', `/deliveries/${unknown}`],
    ['events:read', 'GET', '/events'],
    ['events:read', 'GET', `/deliveries/${unknown}/data?event=a`],
    ['statistics:read', 'GET', '/status'],
    ['replays:write', 'POST', '/replays'],
    ['replays:write', 'POST', `/deliveries/${unknown}/replays`],
    ['deliveries:erase', 'DELETE', `/deliveries/${unknown}/body`],
    ['audit:read', 'GET', '/audit'],
    ['keys:write', 'GET', '/keys'],
    ['keys:write', 'POST', '/keys'],
    ['keys:write', 'DELETE', '/keys/0123456789abcdef'],
  ] as const
  for (const own of new Set(routes.map(([scope]) => scope))) {
    const { key } = await create([own])
    for (const [scope, method, path] of routes) {
      const { status, error } = await send(key, method, path)
      if (scope === own) expect([200, 400, 404], path).toContain(status)
      else expect(error?.message, path).toBe(`This needs the scope ${scope}`)
    }
    expect((await send(key, 'GET', '/operator')).data).toMatchObject({ id: 'ann', scopes: [own] })
  }
})

it('limits a key to the current permissions of its owner', async () => {
  const { send, create, users, clock } = open()
  const { key } = await create(['deliveries:read', 'audit:read'])
  expect((await send(key, 'GET', '/audit')).status).toBe(200)
  users.set('ann', ['read'])
  clock.time += 5000
  expect((await send(key, 'GET', '/audit')).status).toBe(403)
  expect((await send(key, 'GET', '/deliveries')).status).toBe(200)
  users.delete('ann')
  clock.time += 5000
  expect((await send(key, 'GET', '/deliveries')).status).toBe(401)
})

it('refuses a key with more rights than its creator', async () => {
  const { send, create } = open()
  const { key } = await create(['keys:write', 'deliveries:read'])
  const scopes: readonly Scope[] = ['deliveries:read', 'deliveries:erase']
  expect(await send(key, 'POST', '/keys', { name: 'More', scopes })).toMatchObject({
    status: 403,
    error: { message: 'A key cannot have more rights than its creator: remove deliveries:erase' },
  })
  expect((await send(key, 'POST', '/keys', { name: 'Chain', scopes: ['keys:write'] })).status).toBe(403)
  expect((await send('read', 'POST', '/keys', { name: 'Reader', scopes: ['deliveries:read'] })).status).toBe(
    403,
  )
  const child = await create(['deliveries:read'], {}, key)
  expect((await send(child.key, 'GET', '/deliveries')).status).toBe(200)
})

it('limits a key to endpoints', async () => {
  const { send, create } = open()
  const endpoints = 'region=eu'
  const { id, key } = await create(['deliveries:read', 'keys:write', 'statistics:read'], { endpoints })
  expect((await send('all', 'GET', `/keys/${id}`)).data).toMatchObject({ endpoints })
  expect((await send(key, 'GET', '/operator')).data).toMatchObject({ endpoints })
  expect((await send(key, 'GET', '/deliveries')).data).toEqual([])
  for (const [method, path] of [
    ['GET', '/statistics/deliveries'],
    ['GET', '/keys'],
    ['POST', '/keys'],
  ] as const) {
    const body = method === 'POST' ? { name: 'More', scopes: ['deliveries:read'] } : undefined
    expect((await send(key, method, path, body)).status, path).toBe(403)
  }
  expect(
    (await send('all', 'POST', '/keys', { name: 'CI', scopes: ['audit:read'], endpoints: 'eu' })).status,
  ).toBe(400)
})

it('deletes the keys that a key created', async () => {
  const { send, create, audit } = open()
  const parent = await create(['keys:write', 'deliveries:read'])
  const child = await create(['deliveries:read'], {}, parent.key)
  expect((await send('all', 'DELETE', `/keys/${parent.id}`)).status).toBe(204)
  expect((await send(child.key, 'GET', '/deliveries')).status).toBe(401)
  expect((await send('all', 'DELETE', `/keys/${parent.id}`)).status).toBe(404)
  const [deleted, , created] = await audit.list({ limit: 10, order: 'newest' })
  expect(deleted).toMatchObject({ action: 'key.delete', detail: { deleted: [child.id] } })
  const byKey = await audit.list({ limit: 1, target: child.id })
  expect(byKey[0]).toMatchObject({ actor: { id: 'ann' }, detail: { key: parent.id } })
  expect(created).toMatchObject({ action: 'key.create', target: parent.id })
})

// Regression: the stream of a deleted key went on for a minute.
it('ends the stream of a deleted key within a second', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { fetch, send, create } = open()
  const { id, key } = await create(['deliveries:read'])
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(new Request('http://localhost/deliveries/stream', { headers }))
  expect(response.status).toBe(200)
  const received = response.text()
  expect((await send('all', 'DELETE', `/keys/${id}`)).status).toBe(204)
  await vi.advanceTimersByTimeAsync(1000)
  expect(await received).toContain('retry: 2000')
})

it('ends the stream of an operator whose limit changes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const inbox = createMemoryInbox()
  let endpoints = 'region=eu'
  const api = createOperations(
    { operations: { inbox } },
    { authorize: () => ({ id: 'ann', permissions: ['read'], endpoints }) },
  )
  const response = await createFetchHandler(api)(new Request('http://localhost/deliveries/stream'))
  const received = response.text()
  await vi.advanceTimersByTimeAsync(3000)
  endpoints = 'region=us'
  await vi.advanceTimersByTimeAsync(1000)
  expect(await received).toContain('retry: 2000')
})

it('lets a key expire, and the keys that it creates no later', async () => {
  const { send, create, clock } = open()
  const at = (ms: number) => ({ expires_at: new Date(clock.time + ms).toISOString() })
  const parent = await create(['keys:write', 'deliveries:read'], at(60_000))
  const longer = { name: 'Longer', scopes: ['deliveries:read'], ...at(60_001) }
  expect((await send(parent.key, 'POST', '/keys', longer)).status).toBe(400)
  const child = await create(['deliveries:read'], {}, parent.key)
  expect((await send('all', 'GET', `/keys/${child.id}`)).data['expires_at']).toBe(at(60_000).expires_at)
  clock.time += 60_000
  expect((await send(child.key, 'GET', '/deliveries')).status).toBe(401)
  expect((await send(parent.key, 'GET', '/keys')).status).toBe(401)
})

it('rejects keys without a valid name, scope or expiry', async () => {
  const { send } = open()
  const valid = { name: 'CI', scopes: ['deliveries:read'] }
  for (const body of [
    { ...valid, name: '' },
    { ...valid, scopes: [] },
    { ...valid, scopes: ['deliveries:read', 'deliveries:read'] },
    { ...valid, scopes: ['admin'] },
    { ...valid, scopes: ['toString'] },
    { ...valid, expires_at: '2020-01-01T00:00:00Z' },
    { ...valid, expires_at: 'never' },
    { ...valid, id: '0123456789abcdef' },
  ]) {
    expect((await send('all', 'POST', '/keys', body)).status, JSON.stringify(body)).toBe(400)
  }
})
