import { generateKeyPairSync } from 'node:crypto'
import { startIssuer, type TestIssuer } from '@sallyport/test-support/issuer'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { getGroups } from './identity.ts'
import { createOidcLogin, type OidcLoginOptions } from './oidc-login.ts'

const host = 'http://localhost:3111'
const redirectUri = `${host}/login/callback`
const ann = { sub: 'ann-7', email: 'ann@example.com', email_verified: true, groups: ['platform'] }

let issuer: TestIssuer
let now = Date.now()
beforeAll(async () => {
  issuer = await startIssuer({ redirectUris: [redirectUri], logoutUris: [`${host}/console`] })
})
afterAll(() => issuer[Symbol.asyncDispose]())
beforeEach(() => {
  issuer.user = ann
  now = Date.now()
})

const createLogin = (options: Partial<OidcLoginOptions<'read' | 'replay'>> = {}) =>
  createOidcLogin<'read' | 'replay'>({
    issuer: issuer.url,
    clientId: issuer.clientId,
    ...(options.privateKey === undefined && { clientSecret: issuer.clientSecret }),
    redirectUri,
    secrets: ['s'.repeat(32)],
    home: '/console',
    permissions: (identity) => (getGroups(identity, 'groups').includes('platform') ? ['read', 'replay'] : []),
    now: () => now,
    ...options,
  })

type Login = ReturnType<typeof createLogin>

/** A browser with the cookies of the host and those of the issuer. */
function openBrowser() {
  const jar = new Map<string, string>()
  return {
    jar,
    atIssuer: new Map<string, string>(),
    async send(handler: (request: Request) => Promise<Response>, url: string, headers = {}) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await handler(
        new Request(new URL(url, host), { headers: { host: 'localhost:3111', cookie, ...headers } }),
      )
      for (const text of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
        if (value === '') jar.delete(name)
        else jar.set(name, value)
      }
      return response
    },
    request: (method = 'GET', more: Readonly<Record<string, string>> = {}) => ({
      method,
      header: (name: string) =>
        ({
          host: 'localhost:3111',
          'sec-fetch-site': 'same-origin',
          cookie: [...jar].map(([key, value]) => `${key}=${value}`).join('; '),
          ...more,
        })[name],
    }),
  }
}

type Browser = ReturnType<typeof openBrowser>

/** Logs in up to the address of the callback. */
async function reachCallback(login: Login, browser: Browser, path = '/login'): Promise<URL> {
  const { headers, status } = await browser.send((request) => login.login(request), path)
  expect(status).toBe(303)
  return issuer.follow(headers.get('location') ?? '', browser.atIssuer)
}

async function logIn(login: Login, browser: Browser, path?: string) {
  const url = await reachCallback(login, browser, path)
  return browser.send((request) => login.callback(request), url.href)
}

it('logs a user in and out', async () => {
  const login = createLogin()
  const browser = openBrowser()
  await expect(login.authorize(browser.request())).rejects.toMatchObject({ code: 'TOKEN_MISSING' })

  const done = await logIn(login, browser, '/login?return_to=/console/deliveries?status=dead')
  expect([done.status, done.headers.get('location')]).toEqual([303, '/console/deliveries?status=dead'])
  expect(await login.authorize(browser.request())).toEqual({
    id: `${issuer.url} ann-7`,
    name: 'ann@example.com',
    permissions: ['read', 'replay'],
  })

  const end = await browser.send((request) => login.logout(request), '/logout')
  const address = new URL(end.headers.get('location') ?? '')
  expect(address.origin).toBe(issuer.url)
  expect(address.searchParams.get('post_logout_redirect_uri')).toBe(`${host}/console`)
  expect(address.searchParams.get('id_token_hint')).toMatch(/^ey/)
  expect(browser.jar.size).toBe(0)
  await expect(login.authorize(browser.request())).rejects.toMatchObject({ code: 'TOKEN_MISSING' })
})

describe('logins of several tabs', () => {
  const begin = async (login: Login, browser: Browser, path: string) => {
    const response = await browser.send((request) => login.login(request), `/login?return_to=${path}`)
    return response.headers.get('location') ?? ''
  }
  const finish = async (login: Login, browser: Browser, location: string) => {
    const url = await issuer.follow(location, browser.atIssuer)
    const { status, headers } = await browser.send((request) => login.callback(request), url.href)
    return [status, headers.get('location')]
  }

  it('end, the three newest', async () => {
    const [login, browser] = [createLogin(), openBrowser()]
    const tabs: string[] = []
    for (const path of ['/1', '/2', '/3', '/4']) tabs.push(await begin(login, browser, path))
    const ends: unknown[] = []
    for (const location of tabs) ends.push(await finish(login, browser, location))
    expect(ends).toEqual([
      [400, null],
      [303, '/2'],
      [303, '/3'],
      [303, '/4'],
    ])
    expect([...browser.jar.keys()].sort()).toEqual(['sallyport-issuer', 'sallyport-session'])
  })

  it('end when another one fails', async () => {
    const [login, browser] = [createLogin(), openBrowser()]
    const tabs = [await begin(login, browser, '/1'), await begin(login, browser, '/2')] as const
    issuer.user = undefined
    expect(await finish(login, browser, tabs[0])).toEqual([403, null])
    issuer.user = ann
    expect(await finish(login, browser, tabs[1])).toEqual([303, '/2'])
  })

  it('end after their own ten minutes', async () => {
    const [login, browser] = [createLogin(), openBrowser()]
    const first = await begin(login, browser, '/1')
    now += 400_000
    const second = await begin(login, browser, '/2')
    now += 201_000
    expect(await finish(login, browser, first)).toEqual([400, null])
    expect(await finish(login, browser, second)).toEqual([303, '/2'])
  })

  it('fit one cookie', async () => {
    const [login, browser] = [createLogin(), openBrowser()]
    let last = ''
    for (const letter of 'abc') last = await begin(login, browser, `/${letter.repeat(900)}`)
    expect(browser.jar.get('sallyport-login')?.length).toBeLessThan(2500)
    expect(await finish(login, browser, last)).toEqual([303, `/${'c'.repeat(900)}`])
  })
})

it('authenticates by a private key', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  await using keyed = await startIssuer({ redirectUris: [redirectUri], publicKey })
  keyed.user = ann
  const login = createLogin({
    issuer: keyed.url,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  })
  const browser = openBrowser()
  const { headers } = await browser.send((request) => login.login(request), '/login')
  const url = await keyed.follow(headers.get('location') ?? '')
  expect((await browser.send((request) => login.callback(request), url.href)).status).toBe(303)
})

it('sets cookies that no script can read', async () => {
  const login = createLogin()
  const browser = openBrowser()
  const url = await reachCallback(login, browser)
  const cookies = (await browser.send((request) => login.callback(request), url.href)).headers.getSetCookie()
  expect(cookies).toHaveLength(3)
  for (const cookie of cookies) expect(cookie).toContain('; HttpOnly;')
  expect(cookies.find((cookie) => cookie.startsWith('sallyport-session='))).toContain('SameSite=Strict')
})

it('fits the headers of a login into the buffer of a proxy, without a long token for the logout', async () => {
  issuer.user = {
    ...ann,
    groups: ['platform', ...Array.from({ length: 85 }, (_, id) => `group-number-${id}`)],
  }
  const login = createLogin()
  const browser = openBrowser()
  const { headers } = await logIn(login, browser)
  expect([...headers].flat().join(': ').length).toBeLessThan(3500)
  const end = await browser.send((request) => login.logout(request), '/logout')
  expect(end.headers.get('location')).toContain(issuer.url)
  expect(end.headers.get('location')).not.toContain('id_token_hint')
})

it('uses the prefix __Host- at https', async () => {
  const login = createLogin({ redirectUri: 'https://hooks.example/login/callback' })
  const { headers } = await openBrowser().send((request) => login.login(request), '/login')
  expect(headers.get('set-cookie')).toMatch(/^__Host-sallyport-login=.*; Secure; SameSite=Lax$/)
})

it('accepts tokens after the issuer has replaced its keys', async () => {
  const login = createLogin()
  expect((await logIn(login, openBrowser())).status).toBe(303)
  issuer.rotateKeys()
  // The keys of an issuer are fetched at most once a minute.
  vi.useFakeTimers({ toFake: ['Date'], now: (now += 61_000) })
  onTestFinished(() => void vi.useRealTimers())
  expect((await logIn(login, openBrowser())).status).toBe(303)
})

describe('refuses', () => {
  it('a callback in another browser', async () => {
    const login = createLogin()
    const url = await reachCallback(login, openBrowser())
    const victim = openBrowser()
    const response = await victim.send((request) => login.callback(request), url.href)
    expect([response.status, await response.text()]).toEqual([400, 'The login has expired; log in again'])
    expect(victim.jar.size).toBe(0)
  })

  it('the callback of another login of the same browser', async () => {
    const login = createLogin()
    const url = await reachCallback(login, openBrowser())
    const victim = openBrowser()
    await reachCallback(login, victim)
    expect((await victim.send((request) => login.callback(request), url.href)).status).toBe(400)
  })

  it('a second use of a callback', async () => {
    const login = createLogin()
    const browser = openBrowser()
    const url = await reachCallback(login, browser)
    const kept = new Map(browser.jar)
    expect((await browser.send((request) => login.callback(request), url.href)).status).toBe(303)
    expect((await browser.send((request) => login.callback(request), url.href)).status).toBe(400)
    // The issuer refuses the code, even with the cookie.
    for (const [name, value] of kept) browser.jar.set(name, value)
    const again = await browser.send((request) => login.callback(request), url.href)
    expect([again.status, await again.text()]).toEqual([400, 'The login has expired; log in again'])
  })

  it('a callback after ten minutes', async () => {
    const login = createLogin()
    const browser = openBrowser()
    const url = await reachCallback(login, browser)
    now += 601_000
    expect((await browser.send((request) => login.callback(request), url.href)).status).toBe(400)
  })

  it('an answer of another issuer', async () => {
    const login = createLogin()
    const browser = openBrowser()
    const url = await reachCallback(login, browser)
    url.searchParams.set('iss', 'https://other.example')
    const response = await browser.send((request) => login.callback(request), url.href)
    expect([response.status, await response.text()]).toEqual([400, 'The answer of the issuer is not valid'])
  })

  it('an answer without its issuer', async () => {
    const login = createLogin()
    const browser = openBrowser()
    const url = await reachCallback(login, browser)
    url.searchParams.delete('iss')
    expect((await browser.send((request) => login.callback(request), url.href)).status).toBe(400)
  })

  it('a user whom the issuer refuses', async () => {
    issuer.user = undefined
    const browser = openBrowser()
    const response = await logIn(createLogin(), browser)
    expect([response.status, browser.jar.size]).toEqual([403, 0])
  })

  it('a user without a permission', async () => {
    issuer.user = { ...ann, groups: ['sales'] }
    const browser = openBrowser()
    expect((await logIn(createLogin(), browser)).status).toBe(403)
    expect(browser.jar.size).toBe(0)
  })

  it('a session after its time', async () => {
    const login = createLogin({ sessionSeconds: 60 })
    const browser = openBrowser()
    await logIn(login, browser)
    now += 61_000
    await expect(login.authorize(browser.request())).rejects.toMatchObject({ code: 'TOKEN_MISSING' })
  })

  it('a session with another key', async () => {
    const browser = openBrowser()
    await logIn(createLogin(), browser)
    const other = createLogin({ secrets: ['o'.repeat(32)] })
    await expect(other.authorize(browser.request())).rejects.toMatchObject({ code: 'TOKEN_MISSING' })
    const rotated = createLogin({ secrets: ['o'.repeat(32), 's'.repeat(32)] })
    expect(await rotated.authorize(browser.request())).toMatchObject({ name: 'ann@example.com' })
  })

  it('the cookie of a login as a session', async () => {
    const login = createLogin()
    const browser = openBrowser()
    await reachCallback(login, browser)
    browser.jar.set('sallyport-session', browser.jar.get('sallyport-login') ?? '')
    await expect(login.authorize(browser.request())).rejects.toMatchObject({ code: 'TOKEN_MISSING' })
  })

  it('requests of other sites', async () => {
    const login = createLogin()
    const browser = openBrowser()
    await logIn(login, browser)
    const cross = { 'sec-fetch-site': 'cross-site' }
    for (const request of [browser.request('GET', cross), browser.request('POST')])
      await expect(login.authorize(request)).rejects.toMatchObject({ code: 'CSRF_REJECTED' })
    const end = await browser.send((request) => login.logout(request), '/logout', cross)
    expect(end.status).toBe(403)
    expect(await login.authorize(browser.request())).toMatchObject({ name: 'ann@example.com' })
  })

  it('a path of another origin to return to', async () => {
    const done = await logIn(createLogin(), openBrowser(), '/login?return_to=/a/..//evil.example')
    expect(done.headers.get('location')).toBe('/console')
  })
})

it('answers 503 while the issuer is unavailable, and recovers', async () => {
  let isDown = true
  let requests = 0
  const login = createLogin({
    fetch: (...request) => {
      requests++
      return isDown ? Promise.reject(new Error('down')) : fetch(...request)
    },
  })
  for (let attempt = 0; attempt < 3; attempt++) {
    const response = await openBrowser().send((request) => login.login(request), '/login')
    expect(response.status).toBe(503)
  }
  expect(requests).toBe(1)
  isDown = false
  const later = performance.now() + 5001
  const clock = vi.spyOn(performance, 'now').mockReturnValue(later)
  onTestFinished(() => {
    clock.mockRestore()
  })
  expect((await logIn(login, openBrowser())).status).toBe(303)
})

it('refuses the metadata of another issuer', async () => {
  const response = await fetch(`${issuer.url}/.well-known/openid-configuration`)
  const metadata = { ...((await response.json()) as object), issuer: 'https://other.example' }
  const login = createLogin({ fetch: () => Promise.resolve(Response.json(metadata)) })
  const answer = await openBrowser().send((request) => login.login(request), '/login')
  expect([answer.status, await answer.text()]).toEqual([400, 'The answer of the issuer is not valid'])
})

it('refuses an endless answer of the issuer', async () => {
  const endless = new ReadableStream({
    pull(controller) {
      controller.enqueue(new Uint8Array(65_536))
    },
  })
  const login = createLogin({ fetch: () => Promise.resolve(new Response(endless)) })
  expect((await openBrowser().send((request) => login.login(request), '/login')).status).toBe(503)
})

it('keeps the endpoints that a user is limited to', async () => {
  const login = createLogin({ endpoints: ({ subject }) => (subject === 'ann-7' ? 'region=eu' : undefined) })
  const browser = openBrowser()
  await logIn(login, browser)
  expect(await login.authorize(browser.request())).toMatchObject({ endpoints: 'region=eu' })
})

it('requires https and one credential', () => {
  expect(() => createLogin({ issuer: 'http://id.example' })).toThrow('issuer must be an https address')
  expect(() => createLogin({ redirectUri: 'http://hooks.example/cb' })).toThrow('redirectUri must be')
  expect(() =>
    createOidcLogin({
      ...{ issuer: issuer.url, clientId: 'x', redirectUri, secrets: ['s'.repeat(32)] },
      permissions: () => [],
    }),
  ).toThrow('Set either clientSecret or privateKey')
})
