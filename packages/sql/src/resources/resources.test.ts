import { beforeAll, describe, expect, it } from 'vitest'
import {
  describeAccountApi,
  getProblems,
  unknownId,
  type Answer,
  type TestUser,
} from '../../test/account-api.ts'

describeAccountApi((api) => {
  let owner: TestUser
  let other: TestUser
  beforeAll(async () => {
    owner = await api().user('Ada')
    other = await api().user('Charles')
  })

  const call = (method: string, path: string, json?: unknown, { token } = owner, headers = {}) =>
    api().call(method, path, { token, headers, ...(json !== undefined && { json }) })
  const write = (json: object, user = owner) => call('POST', '/notes', json, user)
  const newNote = async (json: object = {}) => (await write({ title: 'Milk', ...json })).data
  const remarkOn = (note: string, text = 'Bought.', user = other) =>
    call('POST', `/notes/${note}/remarks`, { text }, user)
  const refusal = ({ status, ...answer }: Answer) => [status, getProblems({ status, ...answer })]

  describe('a resource', () => {
    it('is created for its owner, with its defaults', async () => {
      const answer = await write({ title: 'Milk' })
      expect(answer).toMatchObject({
        status: 201,
        data: { owner_id: owner.id, title: 'Milk', text: null, reader_id: null, status: 'open' },
      })
      expect(answer.data.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
      expect(answer.headers.get('location')).toBe(`/api/v1/notes/${answer.data.id}`)
      const read = await call('GET', `/notes/${answer.data.id}`, undefined, other)
      expect(read).toMatchObject({ status: 200, data: answer.data })
      expect(read.headers.get('etag')).toBe(answer.headers.get('etag'))
      const full = { title: 'Eggs', text: '', reader_id: other.id, status: 'done' }
      expect((await write(full)).data).toMatchObject(full)
    })

    it('is changed and deleted only by its owner and by admins', async () => {
      const { id } = await newNote({ text: 'Two', status: 'done' })
      const path = `/notes/${id}`
      for (const [method, json] of [
        ['PUT', { title: 'Mine' }],
        ['PATCH', { title: 'Mine' }],
        ['DELETE', undefined],
      ] as const)
        expect((await call(method, path, json, other)).error.code).toBe('FORBIDDEN')
      const patched = await call('PATCH', path, { title: 'Eggs' })
      expect(patched).toMatchObject({ status: 200, data: { title: 'Eggs', text: 'Two', status: 'done' } })
      // PUT clears omitted fields, except those with an initial value.
      const replaced = await call('PUT', path, { title: 'Tea' }, api().admin)
      expect(replaced).toMatchObject({ status: 200, data: { title: 'Tea', text: null, status: 'done' } })
      expect((await call('DELETE', path)).status).toBe(204)
      for (const method of ['GET', 'DELETE']) expect((await call(method, path)).error.code).toBe('NOT_FOUND')
    })

    it('accepts its own representation', async () => {
      const note = await newNote({ text: 'Two' })
      for (const method of ['PUT', 'PATCH']) {
        const same = await call(method, `/notes/${note.id}`, note)
        expect(same).toMatchObject({ status: 200, data: note })
        expect(same.headers.get('etag')).toBe('"1"')
      }
      const changed = await call('PATCH', `/notes/${note.id}`, { title: 'Eggs' })
      expect(changed.headers.get('etag')).toBe('"2"')
      expect(changed.data['updated_at']).not.toBe(note['updated_at'])
    })

    it('is changed only in the version that the request names', async () => {
      const { id } = await newNote()
      const patch = (tag: string, user = owner) =>
        call('PATCH', `/notes/${id}`, { title: 'Eggs' }, user, { 'if-match': tag })
      expect((await patch('"1"')).status).toBe(200)
      expect((await patch('"1"')).error.code).toBe('PRECONDITION_FAILED')
      expect((await patch('W/"2"')).status).toBe(412)
      expect((await patch('abc')).error.code).toBe('BAD_REQUEST')
      expect((await patch('*')).status).toBe(200)
      // 403 takes precedence over 412.
      expect((await patch('"1"', other)).error.code).toBe('FORBIDDEN')
      const removal = (headers: object) => call('DELETE', `/notes/${id}`, undefined, owner, headers)
      expect((await removal({ 'if-match': '"1"' })).status).toBe(412)
      expect((await removal({ 'if-none-match': '*' })).status).toBe(412)
    })

    it('exists only under its parent, and is deleted with the parent', async () => {
      const [one, two] = [await newNote(), await newNote()]
      const remark = await remarkOn(one.id)
      const path = `/notes/${one.id}/remarks/${remark.data.id}`
      expect(remark).toMatchObject({ status: 201, data: { note_id: one.id, author_id: other.id } })
      expect(remark.headers.get('location')).toBe(`/api/v1${path}`)
      expect((await call('GET', path)).data).toEqual(remark.data)
      await remarkOn(two.id)
      const listed = await call('GET', `/notes/${one.id}/remarks`)
      expect([listed.list, listed.meta['total']]).toEqual([[remark.data], 1])
      for (const parent of [two.id, unknownId])
        for (const method of ['GET', 'DELETE'])
          expect(
            (await call(method, `/notes/${parent}/remarks/${remark.data.id}`, undefined, other)).status,
          ).toBe(404)
      expect((await remarkOn(unknownId)).status).toBe(404)
      // The owner of the parent is not the author.
      expect((await call('PATCH', path, { text: 'x' })).status).toBe(403)
      await call('DELETE', `/notes/${one.id}`)
      for (const gone of [path, `/notes/${one.id}/remarks`])
        expect((await call('GET', gone)).status).toBe(404)
    })

    // Regression: the same key and body created a resource for each spelling of the path.
    it('has one Location, one Idempotency-Key and one cursor for all spellings of its path', async () => {
      const { id } = await newNote()
      await remarkOn(id)
      const spellings = [`/notes/${id}`, `/notes/${id.toUpperCase()}`, `/%6eotes/${id.replace('-', '%2D')}`]
      const locations = new Set<string | null>()
      for (const path of spellings) {
        const headers = { 'idempotency-key': 'one' }
        const created = await call('POST', `${path}/remarks`, { text: 'Bought.' }, other, headers)
        locations.add(created.headers.get('location'))
        expect((await call('POST', `${path}/remarks`, { text: 'x' })).headers.get('location')).toMatch(
          new RegExp(`^/api/v1/notes/${id}/remarks/[^/]+$`),
        )
      }
      expect(locations.size).toBe(1)
      const { meta } = await call('GET', `${spellings[0]!}/remarks?limit=1&cursor=`)
      for (const path of spellings) {
        const next = await call('GET', `${path}/remarks?limit=1&cursor=${meta.nextCursor}`)
        expect([next.status, next.headers.get('link')]).toEqual([
          200,
          expect.stringContaining(`</api/v1/notes/${id}/remarks?limit=1&`),
        ])
      }
    })
  })

  describe('the problems of a body', () => {
    const fixed = 'Cannot be changed'

    it.each(['PUT', 'PATCH'])(
      'of %s are those of the schema and of fields that cannot change',
      async (method) => {
        const { id } = await newNote()
        const json = {
          id: unknownId,
          owner_id: unknownId,
          created_at: '2026-01-01T00:00:00.000Z',
          updated_at: 'x',
        }
        const [status, problems] = refusal(
          await call(method, `/notes/${id}`, { ...json, title: 7, text: 7, colour: 1 }),
        )
        expect([status, problems]).toMatchObject([
          400,
          { id: fixed, owner_id: fixed, created_at: fixed, colour: 'Unknown field' },
        ])
        expect(Object.keys(problems!).sort()).toEqual([
          'colour',
          'created_at',
          'id',
          'owner_id',
          'text',
          'title',
          'updated_at',
        ])
      },
    )

    it('name each field once', async () => {
      const { id } = await newNote()
      const remark = (await remarkOn(id)).data
      const json = { id: 'x', note_id: unknownId, author_id: other.id.toUpperCase(), text: '' }
      const answer = await call('PATCH', `/notes/${id}/remarks/${remark.id}`, json, other)
      expect(answer.error.details!.map(({ field }) => field).sort()).toEqual(['id', 'note_id', 'text'])
    })

    it('include unknown fields, and an empty change without other problems', async () => {
      const path = `/notes/${(await newNote()).id}`
      const unknown = await call('PATCH', path, { nick: 'x', nack: 1 })
      expect(unknown.error.details).toEqual(
        ['nick', 'nack'].map((field) => ({ code: 'UNKNOWN', field, in: 'body', message: 'Unknown field' })),
      )
      expect(refusal(await call('PATCH', path, {}))).toEqual([
        400,
        { '': 'Name at least one field to change' },
      ])
      for (const body of [[], 'text', 7, null])
        expect(Object.keys(refusal(await call('PATCH', path, body))[1]!)).toEqual([''])
      const odd = JSON.parse('{"__proto__": 1, "constructor": 2, "toString": 3}') as unknown
      expect(Object.keys(refusal(await call('PATCH', path, odd))[1]!)).toEqual(
        expect.arrayContaining(['__proto__', 'constructor', 'toString']),
      )
    })

    // Regression: the key was checked after the body, and a review after the schema.
    it('include those of a review and of the Idempotency-Key', async () => {
      const json = { title: '', reader_id: unknownId, colour: 1 }
      const answer = await call('POST', '/notes', json, owner, { 'idempotency-key': 'a b' })
      expect(refusal(answer)).toMatchObject([400, { reader_id: 'There is no such user' }])
      expect(Object.keys(getProblems(answer)).sort()).toEqual([
        'Idempotency-Key',
        'colour',
        'reader_id',
        'title',
      ])
    })

    it('do not depend on a missing resource, and are not shown without permission', async () => {
      const missing = await call('PATCH', `/notes/${unknownId}`, { id: owner.id, title: '' })
      expect(Object.keys(refusal(missing)[1]!)).toEqual(['title'])
      const { id } = await newNote()
      expect((await call('PATCH', `/notes/${id}`, { owner_id: other.id }, other)).status).toBe(403)
    })
  })

  describe('a list', () => {
    let listed: TestUser
    beforeAll(async () => {
      listed = await api().user()
      for (const note of [
        { title: 'bb', status: 'done' },
        { title: 'aa' },
        { title: '100% sure' },
        { title: 'under_line', status: 'done' },
        { title: 'aa' },
      ])
        await write(note, listed)
    })
    const get = (query: string) => call('GET', `/users/${listed.id}/notes?${query}`)
    const titles = async (query: string) => (await get(query)).list.map(({ title }) => title)

    it('is that of its scope', async () => {
      expect(await get('')).toMatchObject({
        status: 200,
        meta: { page: 1, limit: 20, total: 5, totalPages: 1 },
      })
      expect(Number((await call('GET', '/notes')).meta['total'])).toBeGreaterThan(5)
      expect((await call('GET', `/users/${unknownId}/notes`)).error.code).toBe('NOT_FOUND')
    })

    it('is sorted, filtered and searched as it is written', async () => {
      expect(await titles('')).toEqual(['aa', 'under_line', '100% sure', 'aa', 'bb'])
      expect(await titles('sort=title')).toEqual(['100% sure', 'aa', 'aa', 'bb', 'under_line'])
      expect(await titles('sort=-status,title')).toEqual(['100% sure', 'aa', 'aa', 'bb', 'under_line'])
      expect(await titles('status=done')).toEqual(['under_line', 'bb'])
      expect(await titles('search=A')).toEqual(['aa', 'aa'])
      expect(await titles('search=%25')).toEqual(['100% sure'])
      expect(await titles('search=_')).toEqual(['under_line'])
      const [first, second] = (await get('sort=created_at&fields=created_at&limit=2')).list
      expect(Object.keys(first!)).toEqual(['created_at'])
      const after = `sort=created_at&createdAfter=${String(second!['created_at'])}`
      expect(await titles(after)).toEqual(['100% sure', 'under_line', 'aa'])
      expect(await titles('createdAfter=2999-01-01')).toEqual([])
    })

    it.each(["' OR '1'='1", '\\', '"; --', '${7*7}', '{{7*7}}', '\u202e', 'ß', '🚪'])(
      'has no result for %j',
      async (text) => {
        const answer = await get(`search=${encodeURIComponent(text)}`)
        expect([answer.status, answer.list]).toEqual([200, []])
      },
    )

    it.each([
      ['Un été', 'ÉTÉ'],
      // A final sigma has another lower-case letter than the sigma inside a word.
      ['ΟΔΟΣΑ', 'ΟΔΟΣ'],
    ])('is searched without regard to case beyond ASCII: %s', async (title, search) => {
      await write({ title }, other)
      const found = await call('GET', `/notes?search=${encodeURIComponent(search)}`)
      expect(found.list.map(({ title }) => title)).toEqual([title])
    })

    it('has pages with links', async () => {
      const page = await get('page=2&limit=2&sort=title')
      expect(page.list.map(({ title }) => title)).toEqual(['aa', 'bb'])
      expect(page.meta).toEqual({ page: 2, limit: 2, total: 5, totalPages: 3 })
      const target = (page: number) => `</api/v1/users/${listed.id}/notes?page=${page}&limit=2&sort=title>`
      expect(page.headers.get('link')).toBe(
        [
          `${target(1)}; rel="first"`,
          `${target(1)}; rel="prev"`,
          `${target(3)}; rel="next"`,
          `${target(3)}; rel="last"`,
        ].join(', '),
      )
      expect(await get('page=99')).toMatchObject({ status: 200, list: [], meta: { page: 99, total: 5 } })
    })

    it('is read by cursor without gaps during concurrent inserts', async () => {
      const read: unknown[] = []
      for (let cursor = '', more = true; more;) {
        const page = await get(`sort=title&limit=2&cursor=${cursor}`)
        read.push(...page.list.map(({ id }) => id))
        cursor = page.meta.nextCursor
        more = page.meta['hasMore'] === true
        // Before everything that was read: no page shows it, and none moves for it.
        await write({ title: '!!' }, listed)
      }
      expect(new Set(read).size).toBe(5)
    })

    it('answers 304 while it is unchanged', async () => {
      const etag = (await get('limit=3')).headers.get('etag')!
      const again = () =>
        call('GET', `/users/${listed.id}/notes?limit=3`, undefined, owner, { 'if-none-match': etag })
      expect(await again()).toMatchObject({ status: 304, text: '' })
      await write({ title: 'new' }, listed)
      expect((await again()).status).toBe(200)
    })
  })

  describe('of fifty concurrent requests', () => {
    const fifty = async (send: (index: number) => Promise<Answer>) => {
      const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => send(index)))
      const counts = Map.groupBy(answers, ({ status }) => status)
      return {
        answers,
        counts: Object.fromEntries([...counts].map(([status, { length }]) => [status, length])),
      }
    }

    it('one Idempotency-Key creates one resource', async () => {
      const user = await api().user()
      const create = () => call('POST', '/notes', { title: 'Once' }, user, { 'idempotency-key': 'together' })
      const { answers, counts } = await fifty(create)
      const { 201: created = 0, 409: busy = 0 } = counts
      expect(created).toBeGreaterThan(0)
      expect(created + busy).toBe(50)
      const again = await create()
      for (const { status, text } of answers) if (status === 201) expect(text).toBe(again.text)
      expect((await call('GET', `/users/${user.id}/notes`)).meta['total']).toBe(1)
    })

    it('one changes a version, and one deletes the resource', async () => {
      const path = `/notes/${(await newNote()).id}`
      const { answers, counts } = await fifty((index) =>
        call('PATCH', path, { title: `Milk ${index}` }, owner, { 'if-match': '"1"' }),
      )
      expect(counts).toEqual({ 200: 1, 412: 49 })
      expect((await call('GET', path)).text).toBe(answers.find(({ status }) => status === 200)!.text)
      expect((await fifty(() => call('DELETE', path))).counts).toEqual({ 204: 1, 404: 49 })
    })
  })
})
