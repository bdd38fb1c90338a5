import { describe, expect, it } from 'vitest'
import { base, describeAccountApi, type Answer, type Credentials } from '../../test/account-api.ts'

/** The headers of a script of the console in a browser. */
const ownPage = { origin: base, 'sec-fetch-site': 'same-origin' }
const unsafe = { ...ownPage, 'x-csrf-protection': '1' }
const otherSite = { origin: 'https://attacker.example', 'sec-fetch-site': 'cross-site' }

const readCookie = ({ headers }: Answer) => headers.get('set-cookie')?.split(';')[0] ?? ''

describeAccountApi((api) => {
  const logIn = ({ email, password }: Credentials, headers: Readonly<Record<string, string>> = unsafe) =>
    api().call('POST', '/sessions/cookie', { json: { email, password }, headers })

  /** Registers a user and logs in; `send` sends a request of the console. */
  async function openBrowser(user?: Credentials) {
    const account = user ?? (await api().user())
    const answer = await logIn(account)
    expect(answer.status).toBe(201)
    const cookie = readCookie(answer)
    return {
      answer,
      cookie,
      send: (
        method: string,
        path: string,
        options: { readonly json?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
      ) => {
        const own = method === 'GET' ? ownPage : unsafe
        return api().call(method, path, { ...options, headers: { cookie, ...own, ...options.headers } })
      },
    }
  }

  describe('a login with a cookie', () => {
    it('answers without tokens', async () => {
      const user = await api().user()
      const { answer, cookie } = await openBrowser(user)
      expect(answer.headers.get('set-cookie')).toMatch(
        /^sallyport=[\w.-]+; Path=\/; Max-Age=60\d{4}; HttpOnly; SameSite=Strict$/,
      )
      expect(answer.data).toMatchObject({ user_id: user.id })
      expect(answer.headers.get('location')).toBe(`/api/v1/sessions/${answer.data.id}`)
      expect(answer.text).not.toContain('token')
      expect(answer.text).not.toContain(cookie.split('.')[1])
    })

    it('authenticates every route with the current role', async () => {
      const { send } = await openBrowser(api().admin)
      const created = await send('POST', '/notes', { json: { title: 'Milk' } })
      expect(created.data).toMatchObject({ owner_id: api().admin.id })
      const user = await openBrowser()
      expect((await user.send('GET', '/notes')).status).toBe(200)
      expect((await user.send('DELETE', `/users/${api().admin.id}`)).error.code).toBe('FORBIDDEN')
    })

    it('ends by a logout', async () => {
      const { send } = await openBrowser()
      const logout = await send('DELETE', '/sessions/cookie')
      expect(logout.status).toBe(204)
      expect(logout.headers.get('set-cookie')).toMatch(/^sallyport=; Path=\/; Max-Age=0; HttpOnly;/)
      expect((await send('GET', '/notes')).error.code).toBe('INVALID_TOKEN')
    })

    it('is not ended by the logout of a bearer token', async () => {
      const { token } = await api().user()
      expect((await api().call('DELETE', '/sessions/cookie', { token })).status).toBe(404)
      expect((await api().call('GET', '/notes', { token })).status).toBe(200)
    })

    it('ends with a suspension', async () => {
      const user = await api().user()
      const { send } = await openBrowser(user)
      const { token } = api().admin
      await api().call('PATCH', `/users/${user.id}`, { token, json: { status: 'suspended' } })
      expect((await send('GET', '/notes')).status).toBe(401)
      expect((await logIn(user)).error.code).toBe('ACCOUNT_SUSPENDED')
    })

    it('is listed with the sessions of the user', async () => {
      const { answer, send } = await openBrowser()
      const { list } = await send('GET', '/sessions')
      expect(list.map(({ id }) => id)).toContain(answer.data.id)
    })

    it('yields to a bearer token', async () => {
      const user = await api().user()
      const { send } = await openBrowser(api().admin)
      const headers = { authorization: `Bearer ${user.token}` }
      const sessions = async (headers: Readonly<Record<string, string>>) =>
        (await send('GET', '/sessions', { headers })).list.map(({ user_id }) => user_id)
      expect(await sessions(headers)).toEqual([user.id])
      expect(await sessions({ authorization: 'Basic YTpi' })).toContain(api().admin.id)
    })

    it('shares the limit of failed logins with the other login', async () => {
      const { email } = await api().user()
      const wrong = { email, password: 'not this one' }
      for (let turn = 0; turn < 5; turn++) {
        expect((await logIn(wrong)).error.code).toBe('INVALID_CREDENTIALS')
        expect((await api().call('POST', '/sessions', { json: wrong })).status).toBe(401)
      }
      expect((await logIn(wrong)).status).toBe(429)
      expect((await api().call('POST', '/sessions', { json: wrong })).status).toBe(429)
    })
  })

  describe('a request of another site', () => {
    it('changes nothing with the cookie', async () => {
      const user = await api().user()
      const { send } = await openBrowser(user)
      const attempts = [
        otherSite,
        { ...otherSite, 'x-csrf-protection': '1' },
        { 'sec-fetch-site': 'same-site' },
        { 'x-csrf-protection': '' },
      ]
      for (const headers of attempts) {
        const { status, error } = await send('PATCH', `/users/${user.id}`, {
          json: { name: 'Forged' },
          headers,
        })
        expect({ status, code: error.code }).toEqual({ status: 403, code: 'CSRF_REJECTED' })
      }
      expect((await send('GET', `/users/${user.id}`)).data['name']).toBe('Somebody')
    })

    it('reads nothing with the cookie', async () => {
      const { send } = await openBrowser()
      expect((await send('GET', '/notes', { headers: otherSite })).error.code).toBe('CSRF_REJECTED')
    })

    it('logs nobody in or out', async () => {
      const user = await api().user()
      for (const headers of [otherSite, ownPage, {}]) {
        const { status, headers: answered, error } = await logIn(user, headers)
        expect({ status, code: error.code }).toEqual({ status: 403, code: 'CSRF_REJECTED' })
        expect(answered.get('set-cookie')).toBe(null)
      }
      const { send } = await openBrowser(user)
      expect((await send('DELETE', '/sessions/cookie', { headers: otherSite })).status).toBe(403)
      expect((await send('GET', '/notes')).status).toBe(200)
    })
  })

  it('refuses a login by plain HTTP from another machine', async () => {
    const headers = { ...unsafe, origin: 'http://192.0.2.7:3111' }
    expect((await logIn(api().admin, headers)).error.code).toBe('HTTPS_REQUIRED')
  })

  it('sets a secure cookie behind a proxy with HTTPS', async () => {
    const headers = { ...unsafe, origin: 'https://hooks.example.com' }
    expect((await logIn(api().admin, headers)).headers.get('set-cookie')).toMatch(
      /^__Host-sallyport=[\w.-]+; Path=\/; Max-Age=60\d{4}; HttpOnly; Secure; SameSite=Strict$/,
    )
  })
})
