import { describe, expect, it, vi } from 'vitest'
import { createMemorySessionStore } from '../sessions/memory-session-store.ts'
import { createSessions } from '../sessions/sessions.ts'
import { createCookieSessions } from './cookie-sessions.ts'
import type { CookieRequest } from './same-origin.ts'

const secrets = ['a-secret-of-more-than-thirty-two-bytes']
const minute = 60_000

type Headers = Readonly<Record<string, string>>

const request = (method: string, headers: Headers): CookieRequest => ({
  method,
  header: (name) => headers[name],
})

const page = { host: 'api.example', 'sec-fetch-site': 'same-origin', origin: 'https://api.example' }
const unsafe = { ...page, 'x-csrf-protection': '1' }
const rejected = { code: 'CSRF_REJECTED', status: 403 }

function open() {
  const clock = { time: 1_000_000 }
  const ended: string[] = []
  const sessions = createSessions({
    store: createMemorySessionStore(),
    secrets,
    now: () => clock.time,
    onEnded: (ids, reason) => ended.push(...ids.map(() => reason)),
  })
  const cookies = createCookieSessions({ sessions, now: () => clock.time })

  /** A browser without its own checks: it sends the cookie with every request. */
  function createBrowser(initial = '') {
    let cookie = initial
    const response = (): { setHeader: (name: string, value: string) => void; set: string[] } => {
      const set: string[] = []
      return {
        set,
        setHeader(_, value) {
          set.push(value)
          cookie = value.split(';')[0] ?? ''
        },
      }
    }
    const withCookie = (headers: Headers) => (cookie === '' ? headers : { ...headers, cookie })
    return {
      get cookie() {
        return cookie
      },
      async logIn(headers: Headers = unsafe) {
        const answer = response()
        const login = request('POST', withCookie(headers))
        cookies.checkLogin(login)
        await cookies.start(login, await sessions.create({ userId: 'ann' }), answer)
        return answer.set
      },
      async send(method: string, headers: Headers = method === 'GET' ? page : unsafe) {
        const answer = response()
        const session = await cookies.authenticate(request(method, withCookie(headers)), answer)
        return { session, set: answer.set }
      },
      async logOut() {
        const answer = response()
        const logout = request('DELETE', withCookie(unsafe))
        const session = await cookies.authenticate(logout, answer)
        await cookies.end(logout, session!, answer)
        return answer.set
      },
    }
  }
  return { clock, ended, sessions, cookies, createBrowser }
}

it('sets a cookie that no script, form, neighbor or plain HTTP reaches', async () => {
  const [set] = await open().createBrowser().logIn()
  expect(set).toMatch(
    /^__Host-sallyport=[\w.-]+; Path=\/; Max-Age=604800; HttpOnly; Secure; SameSite=Strict$/,
  )
})

it('returns the session of the cookie until the logout', async () => {
  const browser = open().createBrowser()
  expect(await browser.send('GET')).toEqual({ session: undefined, set: [] })
  await browser.logIn()
  const token = browser.cookie
  expect((await browser.send('POST')).session?.userId).toBe('ann')
  expect(await browser.logOut()).toEqual([
    '__Host-sallyport=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Strict',
  ])
  const thief = open().createBrowser(token)
  await expect(thief.send('GET')).rejects.toMatchObject({ code: 'INVALID_TOKEN' })
})

describe('on a loopback address', () => {
  const headers = { host: 'localhost:3111', origin: 'http://localhost:3111', 'x-csrf-protection': '1' }

  it('sets a cookie for plain HTTP', async () => {
    const { createBrowser } = open()
    for (const host of ['localhost:3111', '127.0.0.1:3111', '[::1]:3111', 'a.localhost']) {
      const browser = createBrowser()
      const [set] = await browser.logIn({ ...headers, host, origin: `http://${host}` })
      expect(set).toMatch(/^sallyport=[\w.-]+; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/)
      expect(
        (await browser.send('POST', { ...headers, host, origin: `http://${host}` })).session,
      ).toBeDefined()
    }
  })

  it('ignores the cookie without a prefix elsewhere', async () => {
    const { createBrowser } = open()
    const browser = createBrowser()
    await browser.logIn(headers)
    for (const host of ['api.example', 'localhost.example', '127.0.0.1.example', 'xlocalhost']) {
      expect((await browser.send('GET', { ...page, host })).session).toBe(undefined)
    }
  })
})

it('refuses a login by plain HTTP from another machine', async () => {
  const headers = { ...unsafe, host: '10.0.0.5:3111', origin: 'http://10.0.0.5:3111' }
  await expect(open().createBrowser().logIn(headers)).rejects.toMatchObject({ code: 'HTTPS_REQUIRED' })
})

describe('against forged requests', () => {
  const withoutHeader = page
  const oldBrowser = { host: page.host, origin: page.origin, 'x-csrf-protection': '1' }
  const withoutOrigin = { host: page.host, 'x-csrf-protection': '1' }
  const refused: readonly (readonly [string, string, Headers])[] = [
    ['a form of another site', 'POST', { ...withoutHeader, 'sec-fetch-site': 'cross-site', origin: 'null' }],
    ['a form with text/plain', 'POST', { ...page, 'content-type': 'text/plain' }],
    ['a script of another site', 'POST', { ...unsafe, 'sec-fetch-site': 'cross-site' }],
    ['a page of a neighboring domain', 'DELETE', { ...unsafe, 'sec-fetch-site': 'same-site' }],
    ['a change from the address bar', 'POST', { ...unsafe, 'sec-fetch-site': 'none' }],
    ['a change without the header', 'PATCH', withoutHeader],
    ['a header with another value', 'POST', { ...unsafe, 'x-csrf-protection': 'true' }],
    ['an unknown value of Sec-Fetch-Site', 'POST', { ...unsafe, 'sec-fetch-site': '' }],
    ['a read of another site', 'GET', { ...page, 'sec-fetch-site': 'cross-site' }],
    ['an old browser on another origin', 'POST', { ...oldBrowser, origin: 'https://evil.example' }],
    ['an old browser on another port', 'POST', { ...oldBrowser, origin: 'https://api.example:8443' }],
    ['an old browser in a sandbox', 'POST', { ...oldBrowser, origin: 'null' }],
    ['a change without an origin', 'POST', withoutOrigin],
    ['a method that the server does not know', 'PROPFIND', withoutHeader],
  ]

  it.each(refused)('refuses %s', async (_, method, headers) => {
    const browser = open().createBrowser()
    await browser.logIn()
    await expect(browser.send(method, headers)).rejects.toMatchObject(rejected)
    if (method === 'POST') await expect(browser.logIn(headers)).rejects.toMatchObject(rejected)
  })

  it('accepts an old browser on its own origin', async () => {
    const browser = open().createBrowser()
    await browser.logIn(oldBrowser)
    expect((await browser.send('POST', oldBrowser)).session).toBeDefined()
    expect((await browser.send('GET', withoutOrigin)).session).toBeDefined()
  })

  it('accepts a read that a user starts in the address bar', async () => {
    const browser = open().createBrowser()
    await browser.logIn()
    expect((await browser.send('GET', { ...page, 'sec-fetch-site': 'none' })).session).toBeDefined()
  })
})

it('refuses two cookies with different values', async () => {
  const { createBrowser } = open()
  const browser = createBrowser()
  await browser.logIn()
  const tossed = createBrowser(`${browser.cookie}; __Host-sallyport=forged`)
  await expect(tossed.send('GET')).rejects.toMatchObject({ code: 'INVALID_TOKEN' })
  const repeated = createBrowser(`${browser.cookie}; ${browser.cookie}`)
  expect((await repeated.send('GET')).session).toBeDefined()
})

it('reads no cookie out of the value of another', async () => {
  const { createBrowser } = open()
  const attacker = createBrowser()
  await attacker.logIn()
  const victim = createBrowser(`theme=dark,${attacker.cookie}`)
  expect((await victim.send('GET')).session).toBe(undefined)
})

it('ends the session of the cookie at a new login', async () => {
  const { createBrowser, ended } = open()
  const browser = createBrowser()
  await browser.logIn()
  const old = browser.cookie
  await browser.logIn()
  expect(ended).toEqual(['revoked'])
  await expect(createBrowser(old).send('GET')).rejects.toMatchObject({ code: 'INVALID_TOKEN' })
  expect((await browser.send('GET')).session).toBeDefined()
})

describe('renewal', () => {
  it('renews the cookie every fifteen minutes of use', async () => {
    const { createBrowser, clock } = open()
    const browser = createBrowser()
    await browser.logIn()
    clock.time += 15 * minute - 1
    expect((await browser.send('GET')).set).toEqual([])
    clock.time += 1
    const { set } = await browser.send('GET')
    expect(set).toHaveLength(1)
    expect((await browser.send('GET')).set).toEqual([])
  })

  it('gives the same cookie to parallel requests', async () => {
    const { createBrowser, clock, ended } = open()
    const browser = createBrowser()
    await browser.logIn()
    clock.time += 16 * minute
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => createBrowser(browser.cookie).send('GET')),
    )
    expect(new Set(answers.map(({ set }) => set[0]?.split(';')[0])).size).toBe(1)
    expect(ended).toEqual([])
  })

  it('survives a response that is lost, for as long as the session lasts', async () => {
    const { createBrowser, clock, ended } = open()
    const browser = createBrowser()
    await browser.logIn()
    const old = browser.cookie
    clock.time += 16 * minute
    await browser.send('GET')
    clock.time += 6 * 24 * 60 * minute
    const tab = createBrowser(old)
    const { session, set } = await tab.send('GET')
    expect(session?.userId).toBe('ann')
    expect(set).toHaveLength(1)
    expect((await tab.send('POST')).session).toBeDefined()
    expect(ended).toEqual([])
  })

  it('ends the session when a cookie before the previous one returns', async () => {
    const { createBrowser, clock, ended } = open()
    const browser = createBrowser()
    await browser.logIn()
    const stolen = browser.cookie
    for (let turn = 0; turn < 2; turn++) {
      clock.time += 16 * minute
      await browser.send('GET')
    }
    await expect(createBrowser(stolen).send('GET')).rejects.toMatchObject({
      code: 'INVALID_TOKEN',
      cause: expect.objectContaining({ name: 'RefreshTokenReuse', userId: 'ann' }) as unknown,
    })
    expect(ended).toEqual(['reuse'])
    await expect(browser.send('GET')).rejects.toMatchObject({ code: 'INVALID_TOKEN' })
  })

  it('checks a long request again without its old cookie', async () => {
    const { cookies, sessions, createBrowser, clock, ended } = open()
    const browser = createBrowser()
    await browser.logIn()
    const stream = request('GET', { ...page, cookie: browser.cookie })
    const response = { setHeader: vi.fn() }
    const session = await cookies.authenticate(stream, response)
    for (let turn = 0; turn < 3; turn++) {
      clock.time += 16 * minute
      await browser.send('GET')
      expect((await cookies.authenticate(stream, response))?.id).toBe(session?.id)
    }
    expect(response.setHeader).not.toHaveBeenCalled()
    expect(ended).toEqual([])
    await sessions.revoke(session!.id)
    await expect(cookies.authenticate(stream, response)).rejects.toMatchObject({ code: 'INVALID_TOKEN' })
  })

  it('ends the session after seven days without use', async () => {
    const { createBrowser, clock } = open()
    const browser = createBrowser()
    await browser.logIn()
    clock.time += 7 * 24 * 60 * minute
    await expect(browser.send('GET')).rejects.toMatchObject({
      code: 'INVALID_TOKEN',
      message: 'The session has ended; log in again',
    })
  })
})

it('rejects a name that no cookie can have', () => {
  const { sessions } = open()
  for (const name of ['', 'a=b', 'a b', 'ä']) {
    expect(() => createCookieSessions({ sessions, name })).toThrow(TypeError)
  }
})

describe('a login that the host has bound to the browser', () => {
  it.each([
    ['https://api.example', /^__Host-sallyport=.*; Secure; SameSite=Strict$/],
    ['http://localhost:3111', /^sallyport=.*; HttpOnly; SameSite=Strict$/],
  ])('gets a cookie at %s', async (origin, cookie) => {
    const { cookies, sessions } = open()
    const set: string[] = []
    cookies.startAt(origin, await sessions.create({ userId: 'ann' }), {
      setHeader: (_, value) => void set.push(value),
    })
    expect(set).toEqual([expect.stringMatching(cookie)])
  })

  it('gets no cookie by plain HTTP', async () => {
    const { cookies, sessions } = open()
    const grant = await sessions.create({ userId: 'ann' })
    expect(() => {
      cookies.startAt('http://api.example', grant, { setHeader: () => undefined })
    }).toThrow('Log in by HTTPS')
  })
})
