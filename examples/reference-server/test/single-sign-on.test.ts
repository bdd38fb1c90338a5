import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../src/config/config.ts'
import { ann, startSingleSignOn, type TestSingleSignOn } from './issuer.ts'

describe('a server with an issuer', () => {
  let server: TestSingleSignOn
  const lines: string[] = []
  beforeAll(async () => {
    server = await startSingleSignOn({ PASSWORD_LOGIN: 'off' }, (line) => lines.push(line))
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const send = (path: string, cookies: readonly string[] = [], headers = {}) =>
    fetch(new URL(path, server.api.base), {
      redirect: 'manual',
      headers: { cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; '), ...headers },
    })

  const codes: string[] = []
  async function logIn() {
    const begun = await send('/api/v1/sessions/sso?return_to=/console/keys')
    const callback = await server.issuer.follow(begun.headers.get('location') ?? '')
    codes.push(callback.searchParams.get('code') ?? '-none-')
    return send(callback.href, begun.headers.getSetCookie())
  }

  it('gives a user of the issuer the permissions of the groups, until the logout', async () => {
    server.issuer.user = { ...ann, groups: ['support'] }
    const done = await logIn()
    expect([done.status, done.headers.get('location')]).toEqual([303, '/console/keys'])
    const cookies = done.headers.getSetCookie()
    const own = { 'sec-fetch-site': 'same-origin' }
    const operator = await send('/api/v1/operator', cookies, own)
    expect(await operator.json()).toMatchObject({
      data: { name: 'ann@example.com', permissions: ['read', 'replay'] },
    })

    const end = await send('/api/v1/sessions/sso/end', cookies, own)
    expect(end.headers.get('location')).toContain(`${server.issuer.url}/session/end?`)
  })

  it('refuses passwords except that of the first admin', async () => {
    const { api } = server
    const account = { email: 'user@example.com', password: 'a good password', name: 'User' }
    expect((await api.call('POST', '/users', { json: account })).error.code).toBe('REGISTRATION_CLOSED')
    await api.call('POST', '/users', { json: account, token: api.admin.token })
    const json = { email: account.email, password: account.password }
    expect((await api.call('POST', '/sessions', { json })).error.code).toBe('INVALID_CREDENTIALS')
    expect((await api.logIn(api.admin)).id).toBe(api.admin.id)
  })

  it('documents its routes', async () => {
    const document = (await (await send('/api/openapi.json')).json()) as { readonly paths: object }
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining(
        ['/sessions/sso', '/sessions/sso/callback', '/sessions/sso/end'].map((path) => `/api/v1${path}`),
      ),
    )
  })

  it('logs no token, code or secret', async () => {
    server.issuer.user = ann
    const done = await logIn()
    server.issuer.user = undefined
    const refused = await logIn()
    expect(refused.headers.get('location')).toBe('/console?login_error=denied')
    const text = lines.join('')
    expect(text).toContain('"code":"denied: access_denied"')
    const values = done.headers.getSetCookie().map((cookie) => /=([^;]{20,})/.exec(cookie)?.[1] ?? '-none-')
    for (const secret of [...values, ...codes, server.issuer.clientSecret, 'eyJ'])
      expect(text).not.toContain(secret)
  })
})

describe('the settings', () => {
  const complete = {
    OIDC_ISSUER: 'https://id.example',
    OIDC_CLIENT_ID: 'sallyport',
    OIDC_CLIENT_SECRET: 'secret',
    OIDC_ROLES: '{"platform": "admin"}',
    PUBLIC_URL: 'https://hooks.example',
  }
  const getProblems = (environment: Record<string, string>) => {
    const result = readConfig(
      { NODE_ENV: 'production', JWT_SECRET: 'x'.repeat(32), ADMIN_EMAIL: '', ...environment },
      [],
    )
    return 'problems' in result ? result.problems : []
  }

  it('are complete', () => {
    expect(getProblems(complete)).toEqual([])
  })

  it.each([
    [{ OIDC_CLIENT_ID: '' }, ['OIDC_ISSUER needs OIDC_CLIENT_ID']],
    [{ OIDC_ROLES: '' }, ['OIDC_ISSUER needs OIDC_ROLES']],
    [{ PUBLIC_URL: '' }, ['OIDC_ISSUER needs PUBLIC_URL']],
    [{ OIDC_ROLES: '[]' }, ['OIDC_ROLES has to be a JSON object with a role for each group']],
    [{ OIDC_CLIENT_SECRET: '' }, [expect.stringContaining('Set either clientSecret or privateKey')]],
    [{ OIDC_ISSUER: 'http://id.example' }, [expect.stringContaining('issuer must be an https address')]],
    [{ PUBLIC_URL: 'http://hooks.example' }, [expect.stringContaining('redirectUri must be')]],
    [{ PASSWORD_LOGIN: 'off' }, ['PASSWORD_LOGIN=off needs ADMIN_EMAIL, which remains as a way in']],
  ])('report %o', (changed, problems) => {
    expect(getProblems({ ...complete, ...changed })).toEqual(problems)
  })

  it('refuse to switch passwords off without an issuer', () => {
    const admin = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'a good password' }
    expect(getProblems({ PASSWORD_LOGIN: 'off', ...admin })).toEqual(['PASSWORD_LOGIN=off needs OIDC_ISSUER'])
  })
})
