import { describe, expect, it } from 'vitest'
import { startApi } from './api.ts'
import { readiness } from './readiness.ts'

const account = { email: 'ada@example.com', name: 'Ada Lovelace', password: 'an analytical engine' }
const own = (base: string) => ({ origin: base, 'sec-fetch-site': 'same-origin', 'x-csrf-protection': '1' })

it('grants access tokens of 15 minutes with the issuer and the audience sallyport', async () => {
  await using api = await startApi()
  const { email, password, id } = await api.user()
  const { status, data, headers } = await api.call('POST', '/sessions', { json: { email, password } })
  expect(status).toBe(201)
  expect(headers.get('location')).toBe(`/api/v1/sessions/${data.id}`)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(data).toMatchObject({ user_id: id, token_type: 'Bearer', expires_in: 900 })
  const claims = Buffer.from(String(data['access_token']).split('.')[1]!, 'base64url').toString()
  expect(JSON.parse(claims)).toMatchObject({
    ...{ iss: 'sallyport', aud: 'sallyport', sub: id, role: 'user', sid: data.id },
  })
})

describe('REGISTRATION', () => {
  it('closed is for admins', async () => {
    await using api = await startApi({ REGISTRATION: 'closed' })
    const { token } = api.admin
    const refused = await api.call('POST', '/users', { json: account })
    expect([refused.status, refused.error.code]).toEqual([403, 'REGISTRATION_CLOSED'])
    expect((await api.call('POST', '/users', { json: account, token })).status).toBe(201)
  })

  it('invite needs an invitation of an admin', async () => {
    await using api = await startApi({ REGISTRATION: 'invite' })
    const { token } = api.admin
    const { data } = await api.call('POST', '/invitations', { token, json: {} })
    const refused = await api.call('POST', '/users', { json: account })
    expect([refused.status, refused.error.code]).toEqual([403, 'INVITATION_INVALID'])
    const json = { ...account, invitation: data['token'] }
    expect((await api.call('POST', '/users', { json })).status).toBe(201)
    expect((await api.call('GET', '/invitations', { token })).list).toEqual([])
  })

  it('unset in production is open, with a notice', async () => {
    let log = ''
    const production = {
      ...{
        NODE_ENV: 'production',
        JWT_SECRET: 'a secret of more than thirty-two bytes',
        PROVIDERS: 'codehost',
      },
      ...{ ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'a password of the admin' },
    }
    await using api = await startApi(production, undefined, (line) => (log += line))
    const notices = [expect.stringContaining('set REGISTRATION')]
    expect(await readiness(api.base, api.admin.token)).toMatchObject({ notices })
    expect(log.split('set REGISTRATION')).toHaveLength(2)
    expect((await api.call('POST', '/users', { json: account })).status).toBe(201)
    await using set = await startApi({ ...production, REGISTRATION: 'open' })
    expect(await readiness(set.base, set.admin.token)).toMatchObject({ notices: [] })
  })
})

it('requires the current password with REQUIRE_CURRENT_PASSWORD, and logs a wrong one', async () => {
  const lines: string[] = []
  const settings = { REQUIRE_CURRENT_PASSWORD: '1' }
  await using api = await startApi(settings, undefined, (line) => lines.push(line))
  const user = await api.user()
  const patch = (json: object) => api.call('PATCH', `/users/${user.id}`, { token: user.token, json })
  const change = { password: 'a difference engine' }
  expect((await patch(change)).error.details).toMatchObject([{ code: 'REQUIRED', field: 'current_password' }])
  const wrong = await patch({ ...change, current_password: change.password })
  expect([wrong.status, wrong.error.details]).toMatchObject([403, [{ field: 'current_password' }]])
  const logged = lines.map((line) => JSON.parse(line) as object)
  const failure = { event: 'login.failed', userId: user.id, sessionId: user.session }
  expect(logged).toContainEqual(expect.objectContaining(failure))
  expect(lines.join('')).not.toContain(change.password)
  expect((await patch({ ...change, current_password: user.password })).status).toBe(200)
})

it('accepts the cookie of an admin for the API, the operations and /ready', async () => {
  const lines: string[] = []
  await using api = await startApi({}, undefined, (line) => lines.push(line))
  const { email, password, id } = api.admin
  lines.length = 0
  const json = { email, password }
  const login = await api.call('POST', '/sessions/cookie', { json, headers: own(api.base) })
  expect(login.text).not.toContain('token')
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
  const headers = { ...own(api.base), cookie }
  expect((await api.call('GET', '/operator', { headers })).data).toMatchObject({ id })
  const ready = await fetch(`${api.base}/ready`, { headers: { cookie } })
  expect(await ready.json()).toMatchObject({ dependencies: { inbox: 'ok' } })
  const foreign = { ...headers, origin: 'https://attacker.example', 'sec-fetch-site': 'cross-site' }
  expect((await api.call('GET', '/posts', { headers: foreign })).error.code).toBe('CSRF_REJECTED')
  await api.call('POST', '/sessions/cookie', {
    json: { email, password: 'not this one' },
    headers: own(api.base),
  })
  expect((await api.call('DELETE', '/sessions/cookie', { headers })).status).toBe(204)
  const common = { route: '/api/v1/sessions/cookie', address: '127.0.0.1' }
  const session = { userId: id, sessionId: login.data.id }
  const logged = lines.map((line) => JSON.parse(line) as { readonly msg: string; readonly route?: string })
  expect(logged.filter(({ msg, route }) => msg === 'Security' && route === common.route)).toMatchObject([
    { ...common, event: 'login.succeeded', method: 'POST', status: 201, ...session },
    { ...common, event: 'login.failed', status: 401, code: 'INVALID_CREDENTIALS', targetId: id },
    { ...common, event: 'logout.succeeded', method: 'DELETE', status: 204, ...session },
  ])
})
