import { beforeAll, describe, expect, it } from 'vitest'
import { getProblems, unknownId, type TestUser } from './api.ts'
import { describeApi } from './describe-api.ts'

describeApi((api) => {
  let author: TestUser
  let other: TestUser
  beforeAll(async () => {
    author = await api().user('Ada')
    other = await api().user('Charles')
  })

  const write = (json: object, token = author.token) => api().call('POST', '/posts', { json, token })

  describe('a post', () => {
    it('is created with its author, and published by default', async () => {
      const answer = await write({ title: 'Notes', body: 'On the engine' })
      expect(answer).toMatchObject({
        status: 201,
        data: { author_id: author.id, title: 'Notes', body: 'On the engine', status: 'published' },
      })
      expect(answer.headers.get('location')).toBe(`/api/v1/posts/${answer.data.id}`)
      const read = await api().call('GET', `/posts/${answer.data.id}`, { token: other.token })
      expect(read).toMatchObject({ status: 200, data: answer.data })
      expect((await write({ title: 'T', body: 'B', status: 'archived' })).data['status']).toBe('archived')
    })

    it.each([{ status: 'unknown' }, { author_id: unknownId }])(
      'rejects %j at its creation',
      async (field) => {
        const answer = await write({ title: 'T', body: 'B', ...field })
        expect([answer.status, Object.keys(getProblems(answer))]).toEqual([400, Object.keys(field)])
      },
    )

    it('is changed and deleted only by its author and by admins', async () => {
      const { id } = (await write({ title: 'T', body: 'B' })).data
      const path = `/posts/${id}`
      for (const [method, json] of [
        ['PUT', { title: 'Mine', body: 'now' }],
        ['PATCH', { title: 'Mine' }],
        ['DELETE', undefined],
      ] as const) {
        expect(await api().call(method, path, { json, token: other.token })).toMatchObject({
          status: 403,
          error: { code: 'FORBIDDEN' },
        })
      }
      const archived = await api().call('PATCH', path, { json: { status: 'archived' }, token: author.token })
      expect(archived).toMatchObject({ status: 200, data: { title: 'T', status: 'archived' } })
      // PUT without a status leaves it as it is.
      const replaced = await api().call('PUT', path, {
        json: { title: 'U', body: 'C' },
        token: api().admin.token,
      })
      expect(replaced).toMatchObject({ status: 200, data: { title: 'U', status: 'archived' } })
      expect((await api().call('DELETE', path, { token: author.token })).status).toBe(204)
      expect((await api().call('DELETE', path, { token: author.token })).status).toBe(404)
    })

    it('accepts its own representation, and only its own fields change', async () => {
      const { data } = await write({ title: 'T', body: 'B' })
      const path = `/posts/${data.id}`
      const same = await api().call('PUT', path, { json: data, token: author.token })
      expect(same).toMatchObject({ status: 200, data })
      expect(same.headers.get('etag')).toBe('"1"')
      const changed = await api().call('PATCH', path, { json: { title: 'U' }, token: author.token })
      expect(changed.headers.get('etag')).toBe('"2"')
      expect(changed.data['updated_at']).not.toBe(data['updated_at'])

      const refused = await api().call('PATCH', path, {
        json: { author_id: other.id, id: unknownId, title: 'V' },
        token: author.token,
      })
      expect(Object.keys(getProblems(refused)).sort()).toEqual(['author_id', 'id'])
      expect((await api().call('PATCH', path, { json: {}, token: author.token })).status).toBe(400)
    })

    it('is changed only if it has the version that the request names', async () => {
      const { id } = (await write({ title: 'T', body: 'B' })).data
      const patch = (ifMatch: string) =>
        api().call('PATCH', `/posts/${id}`, {
          json: { title: ifMatch },
          token: author.token,
          headers: { 'if-match': ifMatch },
        })
      expect((await patch('"1"')).status).toBe(200)
      expect(await patch('"1"')).toMatchObject({ status: 412, error: { code: 'PRECONDITION_FAILED' } })
      expect((await patch('W/"2"')).status).toBe(412)
      expect((await patch('*')).status).toBe(200)
      // 403 takes precedence over 412.
      const json = { title: 'Mine' }
      const headers = { 'if-match': '"1"' }
      const foreign = await api().call('PATCH', `/posts/${id}`, { json, token: other.token, headers })
      expect(foreign).toMatchObject({ status: 403, error: { code: 'FORBIDDEN' } })
      const removed = await api().call('DELETE', `/posts/${id}`, {
        token: author.token,
        headers: { 'if-match': '"1"' },
      })
      expect(removed.status).toBe(412)
    })
  })

  describe('lists of posts', () => {
    let listed: TestUser
    const get = (query: string) =>
      api().call('GET', `/users/${listed.id}/posts?${query}`, { token: other.token })
    const titles = async (query: string) => (await get(query)).list.map(({ title }) => title)

    beforeAll(async () => {
      listed = await api().user()
      const posts = [
        { title: 'b', status: 'archived' },
        { title: 'a' },
        { title: '100% sure' },
        { title: 'under_score', status: 'archived' },
        { title: 'a' },
      ]
      for (const post of posts) await write({ body: 'B', ...post }, listed.token)
    })

    it('of a user contain the posts of the user', async () => {
      expect(await get('')).toMatchObject({
        status: 200,
        meta: { page: 1, limit: 20, total: 5, totalPages: 1 },
      })
      const all = await api().call('GET', '/posts', { token: other.token })
      expect(Number(all.meta['total'])).toBeGreaterThan(5)
      const unknown = await api().call('GET', `/users/${unknownId}/posts`, { token: other.token })
      expect(unknown).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } })
    })

    it('are sorted by creation time, newest first, or by another field', async () => {
      expect(await titles('')).toEqual(['a', 'under_score', '100% sure', 'a', 'b'])
      expect(await titles('sort=title')).toEqual(['100% sure', 'a', 'a', 'b', 'under_score'])
      expect(await titles('sort=-status,title')).toEqual(['100% sure', 'a', 'a', 'b', 'under_score'])
    })

    it.each([
      ['Un été', 'ÉTÉ'],
      // A final sigma has another lower-case letter than the sigma inside a word.
      ['ΟΔΟΣΑ', 'ΟΔΟΣ'],
    ])('are searched without regard to case, beyond ASCII too: %s', async (title, search) => {
      await write({ title, body: 'B' }, other.token)
      const found = await api().call('GET', `/posts?search=${encodeURIComponent(search)}`, {
        token: other.token,
      })
      expect(found.list.map(({ title }) => title)).toEqual([title])
    })

    it('are filtered and searched', async () => {
      expect(await titles('status=archived')).toEqual(['under_score', 'b'])
      expect(await titles('search=A')).toEqual(['a', 'a'])
      expect(await titles('search=%25')).toEqual(['100% sure'])
      expect(await titles('search=_')).toEqual(['under_score'])
      const [first, second] = (await get('sort=created_at&fields=created_at&limit=2')).list
      expect(Object.keys(first!)).toEqual(['created_at'])
      const after = await titles(`sort=created_at&createdAfter=${String(second!['created_at'])}`)
      expect(after).toEqual(['100% sure', 'under_score', 'a'])
      expect(await titles('createdAfter=2999-01-01')).toEqual([])
    })

    it('have pages with links', async () => {
      const page = await get('page=2&limit=2&sort=title')
      expect(page.list.map(({ title }) => title)).toEqual(['a', 'b'])
      expect(page.meta).toEqual({ page: 2, limit: 2, total: 5, totalPages: 3 })
      const links = page.headers.get('link')!
      for (const [rel, target] of [
        ['first', 1],
        ['prev', 1],
        ['next', 3],
        ['last', 3],
      ]) {
        expect(links).toContain(
          `</api/v1/users/${listed.id}/posts?page=${target}&limit=2&sort=title>; rel="${rel}"`,
        )
      }
      expect(await get('page=99')).toMatchObject({ status: 200, list: [], meta: { page: 99, total: 5 } })
    })

    it('are read by cursor without gaps during concurrent inserts', async () => {
      const read: unknown[] = []
      for (let cursor = '', more = true; more;) {
        const page = await get(`sort=title&limit=2&cursor=${cursor}`)
        read.push(...page.list.map(({ id }) => id))
        cursor = page.meta.nextCursor
        more = page.meta['hasMore'] === true
        // Before everything that was read: no page shows it, and none moves for it.
        await write({ title: '!', body: 'B' }, listed.token)
      }
      expect(new Set(read).size).toBe(5)
      const elsewhere = (await get('sort=title&limit=2&cursor=')).meta.nextCursor
      for (const query of [`sort=title&cursor=${elsewhere}x`, `sort=-title&cursor=${elsewhere}`]) {
        const answer = await get(query)
        expect([answer.status, Object.keys(getProblems(answer))]).toEqual([400, ['cursor']])
      }
      const other = await api().call('GET', `/posts?sort=title&cursor=${elsewhere}`, { token: author.token })
      expect(Object.keys(getProblems(other))).toEqual(['cursor'])
    })

    it.each([
      ['page=0', ['page']],
      ['page=1e1', ['page']],
      ['limit=0', ['limit']],
      ['limit=101', ['limit']],
      ['page=100001&limit=100', ['page']],
      ['page=1&cursor=', ['page']],
      ['limit=5&limit=5', ['limit']],
      ['sort=secret', ['sort']],
      ['sort=title,-title', ['sort']],
      ['fields=password', ['fields']],
      ['status=draft', ['status']],
      ['createdAfter=yesterday', ['createdAfter']],
      ['colour=red&shape=round', ['colour', 'shape']],
    ])('refuse %s', async (query, fields) => {
      const answer = await get(query)
      expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } })
      expect(Object.keys(getProblems(answer))).toEqual(fields)
    })

    it('answer 304 when they are unchanged', async () => {
      const etag = (await get('limit=3')).headers.get('etag')!
      const path = `/users/${listed.id}/posts?limit=3`
      const headers = { 'if-none-match': etag }
      const same = await api().call('GET', path, { token: other.token, headers })
      expect(same).toMatchObject({ status: 304, text: '' })
      expect(same.headers.get('etag')).toBe(etag)
      await write({ title: 'new', body: 'B' }, listed.token)
      expect((await api().call('GET', path, { token: other.token, headers })).status).toBe(200)
    })
  })
})
