import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { describeAccountApi, type AccountApi } from '../../test/account-api.ts'

/** The time after which all processes know a change. */
const limitMs = 5000

// The accounts are opened with this clock, which runs and can be set.
beforeAll(() => vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true }))
afterAll(() => vi.useRealTimers())

describeAccountApi((api) => {
  async function createKey(ownerId: string, scopes = ['notes:read']) {
    const { key, text } = await api().accounts.apiKeys.create({ name: 'CI', scopes, ownerId })
    return { id: key.id, token: text }
  }

  it('cannot use the routes of users', async () => {
    const { call, admin } = api()
    const { token } = await createKey(admin.id, ['users:write'])
    for (const [method, path, json] of [
      ['GET', '/users', undefined],
      ['PATCH', `/users/${admin.id}`, { name: 'Stolen' }],
      ['DELETE', `/users/${admin.id}`, undefined],
      ['GET', '/sessions', undefined],
      ['DELETE', '/sessions/cookie', undefined],
      ['POST', '/notes', { title: 'Milk' }],
    ] as const)
      expect((await call(method, path, { token, json })).error, `${method} ${path}`).toEqual({
        code: 'FORBIDDEN',
        message: 'API keys cannot do this: log in as a user',
      })
  })

  it('is a caller of its own', async () => {
    const { getCallerId } = api().accounts.api
    const key = { id: 'one', scopes: [], endpoints: null, expiresAt: null }
    const session = { role: 'admin', sid: 's' } as const
    expect(getCallerId({ sub: 'ann', key })).not.toBe(getCallerId({ sub: 'ann', ...session }))
    expect(getCallerId({ sub: 'ann', key })).not.toBe(getCallerId({ sub: 'ann', key: { ...key, id: 'two' } }))
  })

  it.each([
    [
      'suspension',
      ({ call, admin: { token } }: AccountApi, path: string) =>
        call('PATCH', path, { token, json: { status: 'suspended' } }),
    ],
    [
      'demotion',
      ({ call, admin: { token } }: AccountApi, path: string) =>
        call('PATCH', path, { token, json: { role: 'user' } }),
    ],
    ['deletion', ({ call, admin: { token } }: AccountApi, path: string) => call('DELETE', path, { token })],
  ])('stops after the %s of its owner', async (_, change) => {
    const { call, user, admin, accounts } = api()
    const { id } = await user()
    await call('PATCH', `/users/${id}`, { token: admin.token, json: { role: 'admin' } })
    const { token } = await createKey(id)
    expect((await accounts.apiKeys.verify(token)).owner.id).toBe(id)
    expect((await change(api(), `/users/${id}`)).status).toBeLessThan(300)
    vi.setSystemTime(Date.now() + limitMs)
    await expect(accounts.apiKeys.verify(token)).rejects.toMatchObject({ code: 'INVALID_TOKEN' })
    expect((await call('GET', '/notes', { token })).status).toBe(401)
  })
})
