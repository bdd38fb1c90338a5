import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from './api.ts'
import { readiness } from './readiness.ts'

let api: TestApi
let text = ''
beforeAll(async () => {
  api = await startApi({ ACCESS_LOG: '1' }, undefined, (line) => (text += line))
})
afterAll(() => api[Symbol.asyncDispose]())

async function createKey(scopes: readonly string[]) {
  const json = { name: 'CI', scopes }
  const { data, headers } = await api.call('POST', '/keys', { token: api.admin.token, json })
  return { id: data.id, token: String(data['key']), data, headers }
}

describe('an API key', () => {
  it('is created by an admin, shown once, and has the rights of its scopes', async () => {
    const { call, admin, user } = api
    const json = { name: 'CI', scopes: ['deliveries:read'] }
    expect((await call('POST', '/keys', { token: (await user()).token, json })).status).toBe(403)
    const { id, token, data, headers } = await createKey(['deliveries:read', 'endpoints:read'])
    expect(token).toMatch(/^sp_[0-9a-f]{16}_[0-9a-f]{72}$/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(data).toMatchObject({ created_by: admin.id, expires_at: null, prefix: `sp_${id}` })
    for (const path of ['/keys', `/keys/${id}`])
      expect((await call('GET', path, { token: admin.token })).text).not.toContain(token.split('_')[2])

    expect((await call('GET', '/operator', { token })).data).toMatchObject({
      ...{ id: admin.id, name: admin.email, scopes: ['deliveries:read', 'endpoints:read'] },
    })
    for (const path of ['/deliveries', '/endpoints', '/unprocessed-deliveries', '/replay-jobs'])
      expect((await call('GET', path, { token })).status, path).toBe(200)
    for (const [method, path, scope] of [
      ['GET', '/events', 'events:read'],
      ['POST', '/replays', 'replays:write'],
      ['GET', '/statistics', 'statistics:read'],
      ['POST', '/endpoints', 'endpoints:write'],
      ['GET', '/keys', 'keys:write'],
    ] as const) {
      const refused = await call(method, path, { token })
      expect(refused.error, path).toEqual({ code: 'FORBIDDEN', message: `This needs the scope ${scope}` })
      const challenge = `error="insufficient_scope", scope="${scope}"`
      expect(refused.headers.get('www-authenticate')).toContain(challenge)
    }
    expect((await call('POST', '/posts', { token, json: { title: 'A', body: 'B' } })).error.message).toBe(
      'API keys cannot do this: log in as a user',
    )
    await expect
      .poll(async () => (await call('GET', `/keys/${id}`, { token: admin.token })).data['last_used_at'])
      .toEqual(expect.any(String))
    expect((await call('DELETE', `/keys/${id}`, { token: admin.token })).status).toBe(204)
    expect((await call('GET', '/deliveries', { token })).error.code).toBe('INVALID_TOKEN')
  })

  it('shows the state of dependencies with the scope of statistics', async () => {
    const [reader, other] = [await createKey(['statistics:read']), await createKey(['events:read'])]
    expect(await readiness(api.base, reader.token)).toHaveProperty('dependencies')
    expect(await readiness(api.base, other.token)).toEqual({ status: 'ok' })
  })

  it('calls the tools of its scopes, and reads the refusal of the others', async () => {
    const { token } = await createKey(['deliveries:read'])
    const callTool = async (name: string, args: object, as = token) => {
      const params = { name, arguments: args }
      const json = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
      return await api.call('POST', '/mcp', { token: as, json })
    }
    expect((await callTool('listDeliveries', { limit: 1 })).text).toContain('untrusted')
    const refused = await callTool('createReplayJob', { body: { all: true } })
    expect(refused.text).toContain('This needs the scope replays:write')
    const { token: user } = await api.user()
    expect((await callTool('listDeliveries', {}, user)).status).toBe(403)
  })

  it('does not get the response to its owner with the same Idempotency-Key', async () => {
    const { token } = await createKey(['endpoints:write'])
    const request = {
      json: { provider: 'codehost', name: 'Acme Ltd' },
      headers: { 'idempotency-key': 'the-same' },
    }
    const ids = new Set<string>()
    for (const each of [api.admin.token, token])
      ids.add((await api.call('POST', '/endpoints', { ...request, token: each })).data.id)
    expect(ids.size).toBe(2)
  })

  it('is named in the security log, which has no key', async () => {
    const { id, token } = await createKey(['deliveries:read'])
    text = ''
    await api.call('GET', '/events', { token })
    await api.call('GET', '/users', { token })
    await api.call('GET', '/deliveries', { token: `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}` })
    const lines = text.trim().split('\n')
    const logged = lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
    const denied = { event: 'access.denied', status: 403, userId: api.admin.id, keyId: id }
    expect(logged.filter(({ msg }) => msg === 'Security')).toMatchObject([
      { ...denied, route: '/api/v1/events' },
      { ...denied, route: '/api/v1/users' },
      { event: 'access.denied', route: '/api/v1/deliveries', status: 401, code: 'INVALID_TOKEN' },
    ])
    expect(text).not.toContain(token.split('_')[2]!.slice(0, 64))
  })
})
