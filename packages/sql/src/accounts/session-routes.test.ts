import { describe, expect, it } from 'vitest'
import { describeAccountApi, unknownId } from '../../test/account-api.ts'

describeAccountApi((api) => {
  const getClaims = (token: string): unknown =>
    JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())

  describe('logging in', () => {
    it('returns a session and tokens with Cache-Control: no-store', async () => {
      const { id, email, password } = await api().user()
      const json = { email: email.toUpperCase(), password }
      const answer = await api().call('POST', '/sessions', { json })
      expect(answer.status).toBe(201)
      expect(answer.headers.get('location')).toBe(`/api/v1/sessions/${answer.data.id}`)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(Object.keys(answer.data).sort()).toEqual([
        'access_token',
        'created_at',
        'expires_at',
        'expires_in',
        'id',
        'refresh_token',
        'token_type',
        'user_id',
      ])
      expect(answer.data).toMatchObject({ user_id: id, token_type: 'Bearer', expires_in: 900 })
      expect(getClaims(String(answer.data['access_token']))).toMatchObject({
        iss: 'test',
        aud: 'test',
        sub: id,
        role: 'user',
        sid: answer.data.id,
      })
    })

    it('answers a wrong password and an unknown address equally', async () => {
      const { email } = await api().user()
      const wrong = await api().call('POST', '/sessions', { json: { email, password: 'wrong password' } })
      const unknown = await api().call('POST', '/sessions', {
        json: { email: 'nobody@example.com', password: 'wrong password' },
      })
      expect(wrong).toMatchObject({ status: 401, error: { code: 'INVALID_CREDENTIALS' } })
      expect(wrong.headers.get('www-authenticate')).toMatch(/^Bearer/)
      expect([unknown.status, unknown.text]).toEqual([wrong.status, wrong.text])
    })

    it('reports a suspension only with the right password', async () => {
      const { id, email, password } = await api().user()
      await api().call('PATCH', `/users/${id}`, { json: { status: 'suspended' }, token: api().admin.token })
      const known = await api().call('POST', '/sessions', { json: { email, password } })
      expect(known).toMatchObject({ status: 403, error: { code: 'ACCOUNT_SUSPENDED' } })
      const guessed = await api().call('POST', '/sessions', { json: { email, password: 'a guess of it' } })
      expect(guessed).toMatchObject({ status: 401, error: { code: 'INVALID_CREDENTIALS' } })
    })

    it('accepts a password in any Unicode normalization', async () => {
      const json = { email: 'composed@example.com', name: 'Zoë', password: 'caf\u00e9 cr\u00e8me' }
      await api().call('POST', '/users', { json })
      const { email, password } = json
      await api().logIn({ email, password: password.normalize('NFD') })
    })

    it('rejects even the right password after ten failures from one network', async () => {
      const { email, password } = await api().user()
      for (let failure = 0; failure < 10; failure++) {
        const answer = await api().call('POST', '/sessions', { json: { email, password: 'not this one' } })
        expect(answer.status).toBe(401)
      }
      const answer = await api().call('POST', '/sessions', { json: { email, password } })
      expect(answer).toMatchObject({ status: 429, error: { code: 'RATE_LIMITED' } })
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(800)
      expect(answer.headers.get('ratelimit-policy')).toBe('"auth";q=1000000;w=60, "login";q=10;w=900')
      expect(answer.headers.get('ratelimit')).toMatch(/^"login";r=0;t=\d+$/)
      const headers = { 'x-client': '198.51.100.7' }
      expect((await api().call('POST', '/sessions', { json: { email, password }, headers })).status).toBe(201)
    })

    it('counts only failures', async () => {
      const { email, password } = await api().user()
      for (let login = 0; login < 12; login++) await api().logIn({ email, password })
    })

    it('does not lock an account whose user logs in many times at once', async () => {
      const { email, password } = await api().user()
      const json = { email, password }
      const answers = await Promise.all(
        Array.from({ length: 30 }, () => api().call('POST', '/sessions', { json })),
      )
      for (const { status } of answers) expect([201, 503]).toContain(status)
      await api().logIn({ email, password })
    })
  })

  describe('refreshing', () => {
    const refresh = (session: string, refresh_token: string) =>
      api().call('POST', `/sessions/${session}/tokens`, { json: { refresh_token } })

    it('returns new tokens, and the same tokens for a concurrent repetition', async () => {
      const { session, refreshToken } = await api().user()
      const [one, two] = await Promise.all([refresh(session, refreshToken), refresh(session, refreshToken)])
      expect(one.status).toBe(201)
      expect(one.headers.get('location')).toBe(`/api/v1/sessions/${session}`)
      const again = await refresh(session.toUpperCase(), refreshToken)
      expect(again.headers.get('location')).toBe(one.headers.get('location'))
      expect(one.data['refresh_token']).not.toBe(refreshToken)
      expect(two.data['refresh_token']).toBe(one.data['refresh_token'])
      const token = String(one.data['access_token'])
      expect((await api().call('GET', '/users', { token })).status).toBe(200)
    })

    it('ends the session when a used token is sent again', async () => {
      const { session, refreshToken } = await api().user()
      const first = await refresh(session, refreshToken)
      const second = await refresh(session, String(first.data['refresh_token']))
      expect(second.status).toBe(201)
      const reused = await refresh(session, refreshToken)
      expect(reused).toMatchObject({ status: 401, error: { code: 'INVALID_TOKEN' } })
      const token = String(second.data['access_token'])
      expect((await api().call('GET', '/users', { token })).status).toBe(401)
    })

    it('rejects a token of another session and a forged token', async () => {
      const [one, two] = [await api().user(), await api().user()]
      for (const token of [one.refreshToken, 'made up']) {
        expect(await refresh(two.session, token)).toMatchObject({
          status: 401,
          error: { code: 'INVALID_TOKEN' },
        })
      }
      expect((await refresh(one.session, one.refreshToken)).status).toBe(201)
    })
  })

  describe('sessions', () => {
    it('are listed only to their user', async () => {
      const first = await api().user()
      const second = await api().logIn(first)
      const { list, meta } = await api().call('GET', '/sessions', { token: first.token })
      expect(list.map(({ id }) => id)).toEqual([second.session, first.session])
      expect(meta).toMatchObject({ total: 2 })
      expect(JSON.stringify(list)).not.toContain('token')

      const page = await api().call('GET', '/sessions?cursor=&limit=1&fields=id', { token: first.token })
      expect(page.list).toEqual([{ id: second.session }])
      const next = await api().call('GET', `/sessions?limit=1&cursor=${page.meta.nextCursor}`, {
        token: first.token,
      })
      expect(next.list.map(({ id }) => id)).toEqual([first.session])
    })

    it('end with their tokens when they are deleted', async () => {
      const first = await api().user()
      const second = await api().logIn(first)
      const ended = await api().call('DELETE', `/sessions/${second.session}`, { token: first.token })
      expect(ended).toMatchObject({ status: 204, text: '' })
      expect(await api().call('GET', '/users', { token: second.token })).toMatchObject({
        status: 401,
        error: { code: 'INVALID_TOKEN' },
      })
      expect((await api().call('GET', `/sessions/${first.session}`, { token: first.token })).status).toBe(200)
      const again = await api().call('DELETE', `/sessions/${second.session}`, { token: first.token })
      expect(again.status).toBe(404)
    })

    it('are ended only if they match the ETag of the request', async () => {
      const { session, token, refreshToken } = await api().user()
      const path = `/sessions/${session}`
      const etag = async () => (await api().call('GET', path, { token })).headers.get('etag')!
      const end = (tag: string) => api().call('DELETE', path, { token, headers: { 'if-match': tag } })
      const before = await etag()
      await api().call('POST', `${path}/tokens`, { json: { refresh_token: refreshToken } })
      expect(await end(before)).toMatchObject({ status: 412, error: { code: 'PRECONDITION_FAILED' } })
      expect((await end(await etag())).status).toBe(204)
    })

    it('of others are not found, even by admins', async () => {
      const owner = await api().user()
      for (const method of ['GET', 'DELETE']) {
        const foreign = await api().call(method, `/sessions/${owner.session}`, { token: api().admin.token })
        const unknown = await api().call(method, `/sessions/${unknownId}`, { token: api().admin.token })
        expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
      }
      expect((await api().call('GET', '/users', { token: owner.token })).status).toBe(200)
    })
  })

  describe('tokens', () => {
    it.each([
      [undefined, 'TOKEN_MISSING'],
      ['', 'TOKEN_MISSING'],
      ['Basic YWRhOnB3', 'TOKEN_MISSING'],
      ['Bearer rubbish', 'INVALID_TOKEN'],
    ])('are asked for: %j', async (authorization, code) => {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
      const answer = await api().call('GET', '/users', { headers })
      expect(answer).toMatchObject({ status: 401, error: { code } })
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
    })

    it('are accepted with any case of the scheme', async () => {
      const headers = { authorization: `bEARER ${api().admin.token}` }
      expect((await api().call('GET', '/users', { headers })).status).toBe(200)
    })
  })
})
