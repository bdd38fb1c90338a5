import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApi, createMemoryIdempotencyStore } from '@sallyport/rest'
import { createFetchHandler } from '@sallyport/rest/fetch'
import { getPermissions, openAccounts, type Caller } from '@sallyport/sql/accounts'
import { restMigrations } from '@sallyport/sql/rest'
import { openSqlite } from '@sallyport/sql/sqlite'
import { createReplayer } from '@sallyport/webhooks'
import { createMemoryAuditLog, createMemoryEndpointStore } from '@sallyport/test-support/webhooks'
import { createEndpoints, createSecretCipher } from '@sallyport/webhooks/endpoints'
import { expect, it, onTestFinished } from 'vitest'
import { createOperationsRoutes } from './routes.ts'

const secret = 's'.repeat(32)
const unknown = '01890a5d-ac96-774b-bcce-b302099a8057'

/** Routes with the permission and the scope that they need. */
const routes = [
  ['read', 'deliveries:read', 'GET', '/deliveries'],
  ['read', 'deliveries:read', 'GET', `/deliveries/${unknown}`],
  ['read', 'events:read', 'GET', '/events'],
  ['read', 'statistics:read', 'GET', '/status'],
  ['read', 'endpoints:read', 'GET', '/endpoints'],
  ['replay', 'replays:write', 'POST', '/replays'],
  ['replay', 'replays:write', 'POST', `/deliveries/${unknown}/replays`],
  ['erase', 'deliveries:erase', 'DELETE', `/deliveries/${unknown}/body`],
  ['manage', 'endpoints:write', 'POST', '/endpoints'],
  ['manage', 'endpoints:write', 'DELETE', `/endpoints/${unknown}`],
  ['manage', 'keys:write', 'GET', '/keys'],
  ['manage', 'keys:write', 'POST', '/keys'],
  ['manage', 'audit:read', 'GET', '/audit'],
] as const

/** An API with accounts and operations, as the reference server has it. */
async function open() {
  const folder = await mkdtemp(join(tmpdir(), 'user-roles-'))
  const database = await openSqlite({ path: join(folder, 'test.db') })
  onTestFinished(async () => {
    await database.close()
    await rm(folder, { recursive: true })
  })
  await database.migrate(
    {
      '0001-accounts': restMigrations.accounts,
      '0002-sessions': restMigrations.sessions,
      '0003-keys': restMigrations.apiKeys,
    },
    { table: 'test_migrations' },
  )
  const inbox = database.inbox()
  const accounts = openAccounts({ db: database.kysely, secrets: [secret], issuer: 'test', audience: 'test' })
  const cipher = createSecretCipher([new Uint8Array(32)])
  const endpoints = createEndpoints({ store: createMemoryEndpointStore(), cipher })
  const operations = createOperationsRoutes(
    {
      operations: {
        ...{ inbox, audit: createMemoryAuditLog(), providers: [] },
        replayer: createReplayer({ inbox, providers: [] }),
        endpoints: { endpoints, cipher },
      },
    },
    {
      keys: accounts.apiKeys,
      getAccess: (permission, scope) => ({ roles: [permission, scope] }),
      getOperator(caller) {
        const { sub: id, ...known } = caller as Caller
        return { id, permissions: getPermissions(known), ...(known.key && { scopes: known.key.scopes }) }
      },
    },
  )
  const api = createApi({
    ...accounts.api,
    secrets: [secret],
    idempotency: createMemoryIdempotencyStore(),
    routes: [...accounts.routes, ...operations],
  })
  const handle = createFetchHandler(api)
  const send = async (token: string | undefined, method: string, path: string, json?: object) => {
    const headers = {
      ...(json && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
    const body = json && { body: JSON.stringify(json) }
    const response = await handle(new Request(`http://localhost${path}`, { method, headers, ...body }))
    const answer = JSON.parse((await response.text()) || '{}') as {
      readonly data: Readonly<Record<string, unknown>>
      readonly error?: { readonly code: string; readonly message: string }
    }
    return { status: response.status, ...answer }
  }
  const logIn = async (email: string, password: string) =>
    String((await send(undefined, 'POST', '/sessions', { email, password })).data['access_token'])
  return { accounts, send, logIn }
}

const password = 'an analytical engine'

it('opens to each role exactly the routes of its permissions', async () => {
  const { accounts, send, logIn } = await open()
  await accounts.ensureAdmin({ email: 'admin@example.com', password })
  const admin = await logIn('admin@example.com', password)
  const roles: Readonly<Record<string, readonly string[]>> = {
    user: [],
    viewer: ['read'],
    support: ['read', 'replay'],
    operator: ['read', 'replay', 'erase'],
    admin: ['read', 'replay', 'erase', 'manage'],
  }
  for (const [role, permissions] of Object.entries(roles)) {
    const email = `${role}-one@example.com`
    const { data } = await send(undefined, 'POST', '/users', { email, password, name: 'Ada' })
    await send(admin, 'PATCH', `/users/${String(data['id'])}`, { role })
    const token = await logIn(email, password)
    for (const [permission, , method, path] of routes) {
      const { status, error } = await send(token, method, path)
      if (permissions.includes(permission)) expect([200, 400, 404], `${role} ${path}`).toContain(status)
      else expect([status, error?.code], `${role} ${method} ${path}`).toEqual([403, 'FORBIDDEN'])
    }
    const operator = await send(token, 'GET', '/operator')
    if (permissions.length === 0) expect(operator.status).toBe(403)
    else expect(operator.data).toMatchObject({ permissions, scopes: null })
  }
})

it('names the roles that have the permission of a route', async () => {
  const { send, logIn } = await open()
  await send(undefined, 'POST', '/users', { email: 'ada@example.com', password, name: 'Ada' })
  const token = await logIn('ada@example.com', password)
  expect((await send(token, 'POST', '/replays')).error?.message).toBe(
    'This needs the role support or operator or admin',
  )
  expect((await send(token, 'GET', '/keys')).error?.message).toBe('This needs the role admin')
})

it('opens to a key of an admin exactly the routes of its scope', async () => {
  const { accounts, send } = await open()
  await accounts.ensureAdmin({ email: 'admin@example.com', password })
  const owner = await accounts.users.find({ email: 'admin@example.com' })
  for (const own of new Set(routes.map(([, scope]) => scope))) {
    const key = await accounts.apiKeys.create({ name: 'CI', scopes: [own], ownerId: owner!.id })
    for (const [, scope, method, path] of routes) {
      const { status, error } = await send(key.text, method, path)
      if (scope === own) expect([200, 400, 404], path).toContain(status)
      else expect(error?.message, path).toBe(`This needs the scope ${scope}`)
    }
  }
})
