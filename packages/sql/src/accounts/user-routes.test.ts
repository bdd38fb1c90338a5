import { describe, expect, it } from 'vitest'
import { describeAccountApi, getProblems, unknownId } from '../../test/account-api.ts'

describeAccountApi((api) => {
  const account = (email: string) => ({ email, name: 'Ada', password: 'an analytical engine' })

  describe('registering', () => {
    it('creates a user with the role user, and never returns the password', async () => {
      const answer = await api().call('POST', '/users', { json: account('Ada@Example.com') })
      expect(answer.status).toBe(201)
      const { id, created_at, ...others } = answer.data
      expect(answer.headers.get('location')).toBe(`/api/v1/users/${id}`)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
      expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      expect(others).toEqual({
        email: 'ada@example.com',
        endpoints: null,
        name: 'Ada',
        role: 'user',
        status: 'active',
        issuer: null,
        updated_at: created_at,
      })
      const read = await api().call('GET', `/users/${id}`, { token: api().admin.token })
      expect(read.data).toEqual(answer.data)
      expect(read.headers.get('etag')).toBe(answer.headers.get('etag'))
    })

    it('rejects a taken address in any case', async () => {
      await api().call('POST', '/users', { json: account('taken@example.com') })
      const answer = await api().call('POST', '/users', { json: account('TAKEN@example.com') })
      expect(answer).toMatchObject({ status: 409, error: { code: 'EMAIL_TAKEN' } })
      expect(getProblems(answer)).toHaveProperty('email')
    })

    it('reports every problem at once', async () => {
      const json = { email: 'nobody', name: 'A', password: '1234567', role: 'admin', extra: 1 }
      const answer = await api().call('POST', '/users', { json })
      expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } })
      expect(Object.keys(getProblems(answer)).sort()).toEqual(['email', 'extra', 'name', 'password', 'role'])
    })

    it.each([
      ['name', 'A', false],
      ['name', 'Al', true],
      ['name', '🚪'.repeat(100), true],
      ['name', '🚪'.repeat(101), false],
      ['name', 'Al\0', false],
      ['name', 'Al\ud800', false],
      ['password', '1234567', false],
      ['password', '12345678', true],
      ['password', '🚪'.repeat(128), true],
      ['password', 'x'.repeat(129), false],
      ['password', 'a password\0', false],
      ['email', `${'a'.repeat(64)}@${'b.'.repeat(94)}co`, false],
      ['email', `${'a'.repeat(65)}@example.com`, false],
      ['email', 'eve\r\nBcc: all@example.com', false],
    ])('bounds %s: %j is %j', async (field, value, valid) => {
      const email = `bounds${Math.trunc(performance.now() * 1000)}@example.com`
      const answer = await api().call('POST', '/users', { json: { ...account(email), [field]: value } })
      expect(answer.status).toBe(valid ? 201 : 400)
      if (!valid) expect(Object.keys(getProblems(answer))).toEqual([field])
    })
  })

  it('lists users by name, e-mail address, status and role', async () => {
    const { token } = api().admin
    const [one, two] = [await api().user('Needle one'), await api().user('Needle two')]
    await api().call('PATCH', `/users/${one.id}`, { token, json: { status: 'suspended' } })
    const ids = async (query: string) =>
      (await api().call('GET', `/users?search=needle&${query}`, { token })).list.map(({ id }) => id)
    expect(await ids('')).toEqual([two.id, one.id])
    for (const sort of ['created_at', 'updated_at', 'name', 'email', 'status'])
      expect([...(await ids(`sort=-${sort}`))].sort()).toEqual([one.id, two.id].sort())
    expect(await ids('sort=name')).toEqual([one.id, two.id])
    expect(await ids('status=suspended')).toEqual([one.id])
    await api().call('PATCH', `/users/${two.id}`, { token, json: { role: 'viewer' } })
    expect(await ids('role=viewer')).toEqual([two.id])
    for (const query of [
      'sort=role',
      'sort=password_hash',
      'status=archived',
      'role=root',
      'fields=password_hash',
    ])
      expect((await api().call('GET', `/users?${query}`, { token })).error.code).toBe('VALIDATION_ERROR')
  })

  describe('changing a user', () => {
    it('is allowed to the user and to admins', async () => {
      const [owner, other] = [await api().user(), await api().user()]
      const path = `/users/${owner.id}`
      const json = { name: 'Grace' }
      expect(await api().call('PATCH', path, { json, token: other.token })).toMatchObject({
        status: 403,
        error: { code: 'FORBIDDEN' },
      })
      expect(await api().call('PATCH', path, { json, token: owner.token })).toMatchObject({
        status: 200,
        data: { name: 'Grace', email: owner.email },
      })
      const replaced = await api().call('PUT', path, {
        json: { email: 'grace@example.com', name: 'Grace H.' },
        token: api().admin.token,
      })
      expect(replaced).toMatchObject({ status: 200, data: { name: 'Grace H.', email: 'grace@example.com' } })
      // No password was sent, so it is still the same.
      await api().logIn({ email: 'grace@example.com', password: owner.password })
    })

    it('accepts its own representation', async () => {
      const owner = await api().user()
      const read = await api().call('GET', `/users/${owner.id}`, { token: owner.token })
      for (const method of ['PUT', 'PATCH']) {
        const answer = await api().call(method, `/users/${owner.id}`, { json: read.data, token: owner.token })
        expect(answer).toMatchObject({ status: 200, data: read.data })
        expect(answer.headers.get('etag')).toBe(read.headers.get('etag'))
      }
    })

    it('reports all read-only fields together', async () => {
      const owner = await api().user()
      const json = {
        id: unknownId,
        created_at: '2020-01-01T00:00:00.000Z',
        updated_at: '2020-01-01T00:00:00.000Z',
      }
      const answer = await api().call('PATCH', `/users/${owner.id}`, { json, token: api().admin.token })
      expect(answer.status).toBe(400)
      expect(Object.keys(getProblems(answer)).sort()).toEqual(['created_at', 'id', 'updated_at'])
    })

    it('allows only admins to change role and status', async () => {
      const owner = await api().user()
      for (const json of [{ role: 'admin' }, { status: 'suspended' }]) {
        const answer = await api().call('PATCH', `/users/${owner.id}`, { json, token: owner.token })
        expect(answer).toMatchObject({ status: 403, error: { code: 'FORBIDDEN' } })
      }
      const promoted = await api().call('PATCH', `/users/${owner.id}`, {
        json: { role: 'admin' },
        token: api().admin.token,
      })
      expect(promoted.data['role']).toBe('admin')
      // PUT without them leaves them as they are.
      const replaced = await api().call('PUT', `/users/${owner.id}`, {
        json: { email: owner.email, name: 'Boss' },
        token: api().admin.token,
      })
      expect(replaced.data).toMatchObject({ role: 'admin', status: 'active' })
    })

    it('needs something to change, and the required fields to replace', async () => {
      const owner = await api().user()
      const patch = await api().call('PATCH', `/users/${owner.id}`, { json: {}, token: owner.token })
      expect(patch).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } })
      const put = await api().call('PUT', `/users/${owner.id}`, { json: { name: 'Ada' }, token: owner.token })
      expect(Object.keys(getProblems(put))).toEqual(['email'])
    })

    it('refuses an address that is taken', async () => {
      const [one, two] = [await api().user(), await api().user()]
      const answer = await api().call('PATCH', `/users/${one.id}`, {
        json: { email: two.email.toUpperCase() },
        token: one.token,
      })
      expect(answer).toMatchObject({ status: 409, error: { code: 'EMAIL_TAKEN' } })
    })

    it.each([
      ['a new password', { password: 'another password' }],
      ['another role', { role: 'admin' }],
      ['a suspension', { status: 'suspended' }],
    ])('ends the sessions of the user at once with %s', async (_, json) => {
      const owner = await api().user()
      const changed = await api().call('PATCH', `/users/${owner.id}`, { json, token: api().admin.token })
      expect(changed.status).toBe(200)
      expect(await api().call('GET', '/users', { token: owner.token })).toMatchObject({
        status: 401,
        error: { code: 'INVALID_TOKEN' },
      })
      const refreshed = await api().call('POST', `/sessions/${owner.session}/tokens`, {
        json: { refresh_token: owner.refreshToken },
      })
      expect(refreshed).toMatchObject({ status: 401, error: { code: 'INVALID_TOKEN' } })
    })

    it('leaves sessions alone otherwise', async () => {
      const owner = await api().user()
      await api().call('PATCH', `/users/${owner.id}`, { json: { name: 'Other' }, token: owner.token })
      expect((await api().call('GET', '/users', { token: owner.token })).status).toBe(200)
    })

    it('lets one of many changes of one version through, and all without If-Match', async () => {
      const owner = await api().user()
      const path = `/users/${owner.id}`
      const etag = (await api().call('GET', path, { token: owner.token })).headers.get('etag')!
      const change = (headers: Record<string, string>) => (_: unknown, index: number) =>
        api().call('PATCH', path, { json: { name: `Name ${index}` }, token: owner.token, headers })
      const guarded = await Promise.all(Array.from({ length: 6 }, change({ 'if-match': etag })))
      expect(guarded.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412, 412])
      const free = await Promise.all(Array.from({ length: 6 }, change({})))
      expect(free.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    })
  })

  describe('deleting a user', () => {
    it('is for admins, and happens once', async () => {
      const owner = await api().user()
      const path = `/users/${owner.id}`
      const note = (await api().call('POST', '/notes', { json: { title: 'Milk' }, token: owner.token })).data
      expect((await api().call('DELETE', path, { token: owner.token })).status).toBe(403)
      const deleted = await api().call('DELETE', path, { token: api().admin.token })
      expect(deleted).toMatchObject({ status: 204, text: '' })
      expect((await api().call('DELETE', path, { token: api().admin.token })).status).toBe(404)
      for (const gone of [path, `/notes/${note.id}`])
        expect((await api().call('GET', gone, { token: api().admin.token })).error.code).toBe('NOT_FOUND')
      expect((await api().call('GET', '/users', { token: owner.token })).status).toBe(401)
    })

    it('honours If-Match', async () => {
      const owner = await api().user()
      const headers = { 'if-match': '"7"' }
      const answer = await api().call('DELETE', `/users/${owner.id}`, { token: api().admin.token, headers })
      expect(answer).toMatchObject({ status: 412, error: { code: 'PRECONDITION_FAILED' } })
    })
  })
})
