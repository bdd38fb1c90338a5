import { describe, expect, it } from 'vitest'
import { getProblems, unknownId } from './api.ts'
import { describeApi } from './describe-api.ts'

describeApi((api) => {
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
        name: 'Ada',
        role: 'user',
        status: 'active',
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
    ])('bounds %s: %j is %j', async (field, value, valid) => {
      const email = `bounds${Math.trunc(performance.now() * 1000)}@example.com`
      const answer = await api().call('POST', '/users', { json: { ...account(email), [field]: value } })
      expect(answer.status).toBe(valid ? 201 : 400)
      if (!valid) expect(Object.keys(getProblems(answer))).toEqual([field])
    })
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
    it('is for admins, takes what it owns along, and happens once', async () => {
      const [owner, other] = [await api().user(), await api().user()]
      const create = async (path: string, json: object, token = owner.token) =>
        (await api().call('POST', path, { json, token })).data.id
      const post = await create('/posts', { title: 'T', body: 'B' })
      const foreign = await create('/posts', { title: 'T', body: 'B' }, other.token)
      const comment = await create(`/posts/${foreign}/comments`, { body: 'B' })
      const project = await create('/projects', { name: 'P' })
      const others = await create('/projects', { name: 'P' }, other.token)
      const task = await create(
        `/projects/${others}/tasks`,
        { title: 'T', assignee_id: owner.id },
        other.token,
      )

      const path = `/users/${owner.id}`
      expect((await api().call('DELETE', path, { token: owner.token })).status).toBe(403)
      const deleted = await api().call('DELETE', path, { token: api().admin.token })
      expect(deleted).toMatchObject({ status: 204, text: '' })
      expect((await api().call('DELETE', path, { token: api().admin.token })).status).toBe(404)

      const { token } = other
      for (const gone of [
        path,
        `/posts/${post}`,
        `/posts/${foreign}/comments/${comment}`,
        `/projects/${project}`,
      ]) {
        expect(await api().call('GET', gone, { token })).toMatchObject({
          status: 404,
          error: { code: 'NOT_FOUND' },
        })
      }
      const left = await api().call('GET', `/projects/${others}/tasks/${task}`, { token })
      expect(left).toMatchObject({ status: 200, data: { assignee_id: null } })
      expect(left.headers.get('etag')).toBe('"2"')
      expect((await api().call('GET', '/users', { token: owner.token })).status).toBe(401)
    })

    it('changes the tasks that were assigned to it, and says when', async () => {
      const { token, id } = await api().user()
      const project = await api().call('POST', '/projects', { json: { name: 'P' }, token: api().admin.token })
      const tasks = `/projects/${project.data.id}/tasks`
      const json = { title: 'T', assignee_id: id }
      const { data } = await api().call('POST', tasks, { json, token: api().admin.token })
      const before = String(data['updated_at'])
      await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(before))
      await api().call('DELETE', `/users/${id}`, { token: api().admin.token })
      const left = await api().call('GET', `${tasks}/${data.id}`, { token: api().admin.token })
      expect(left.data['assignee_id']).toBe(null)
      expect(Date.parse(String(left.data['updated_at']))).toBeGreaterThan(Date.parse(before))
      expect((await api().call('GET', tasks, { token })).status).toBe(401)
    })

    it('honours If-Match', async () => {
      const owner = await api().user()
      const headers = { 'if-match': '"7"' }
      const answer = await api().call('DELETE', `/users/${owner.id}`, { token: api().admin.token, headers })
      expect(answer).toMatchObject({ status: 412, error: { code: 'PRECONDITION_FAILED' } })
    })
  })
})
