import { beforeAll, describe, expect, it } from 'vitest'
import { getProblems, startApi, unknownId, type TestUser } from './api.ts'
import { describeApi } from './describe-api.ts'
import { fetchDocument } from './openapi.ts'

interface Collection {
  readonly path: () => string
  /** A body with a text in the searchable field, and another in a different field. */
  readonly body: (searched: string, other?: string) => Record<string, unknown>
  /** The values of fields that a request omits, at a creation and in a replacement. */
  readonly defaults: object
  readonly statuses: readonly string[]
  readonly sortable: readonly string[]
  /** The least and greatest length of texts. */
  readonly bounds: Readonly<Record<string, readonly [min: number, max: number]>>
  /** Fields with an id that requests cannot change. */
  readonly fixed: readonly string[]
}

describeApi((api) => {
  let [owner, other] = [] as unknown as [TestUser, TestUser]
  let [post, project] = ['', '']
  beforeAll(async () => {
    owner = await api().user('Owner')
    other = await api().user('Other')
    post = await create('/posts', { title: 'T', body: 'B' })
    project = await create('/projects', { name: 'P' })
  })

  const call = (method: string, path: string, json?: object, { token } = owner) =>
    api().call(method, path, { token, ...(json && { json }) })
  const create = async (path: string, json: object, user = owner) =>
    (await call('POST', path, json, user)).data.id

  const sortable = ['created_at', 'updated_at']
  const collections: Readonly<Record<string, Collection>> = {
    posts: {
      path: () => '/posts',
      body: (title, body = 'B') => ({ title, body }),
      defaults: { status: 'published' },
      statuses: ['published', 'archived'],
      sortable: [...sortable, 'title', 'status'],
      bounds: { title: [1, 200], body: [1, 3000] },
      fixed: ['author_id'],
    },
    comments: {
      path: () => `/posts/${post}/comments`,
      body: (body) => ({ body }),
      defaults: {},
      statuses: [],
      sortable,
      bounds: { body: [1, 2000] },
      fixed: ['post_id', 'author_id'],
    },
    projects: {
      path: () => '/projects',
      body: (name, description = 'D') => ({ name, description }),
      defaults: { description: null, status: 'active' },
      statuses: ['active', 'archived'],
      sortable: [...sortable, 'name', 'status'],
      bounds: { name: [1, 100], description: [0, 2000] },
      fixed: ['owner_id'],
    },
    tasks: {
      path: () => `/projects/${project}/tasks`,
      body: (title, description = 'D') => ({ title, description }),
      defaults: { description: null, assignee_id: null, due_on: null, status: 'open' },
      statuses: ['open', 'in_progress', 'done'],
      sortable: [...sortable, 'title', 'status'],
      bounds: { title: [1, 200], description: [0, 2000] },
      fixed: ['project_id'],
    },
  }
  const columns = [...sortable, 'name', 'title', 'body', 'email', 'status', 'role', 'due_on', 'id']

  describe.each(Object.entries(collections))('the collection of %s', (_, collection) => {
    const { path, body, defaults, statuses, bounds, fixed } = collection
    const [first] = Object.keys(bounds) as [string]
    const ids = async (query: string) => (await call('GET', `${path()}?${query}`)).list.map(({ id }) => id)

    /** One that no other was created in the same millisecond as. */
    async function oneAfterAll(text: string) {
      const { data } = await call('POST', path(), body(text))
      await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(String(data['created_at'])))
      return data
    }

    it('has resources with the defaults, which only their owner and admins change', async () => {
      const { data, headers } = await call('POST', path(), { ...body('x'), description: undefined })
      expect(data).toMatchObject({ ...defaults, [first]: 'x' })
      expect(headers.get('location')).toBe(`/api/v1${path()}/${data.id}`)
      const own = `${path()}/${data.id}`
      for (const [method, json] of [
        ['PUT', body('y')],
        ['PATCH', { [first]: 'y' }],
        ['DELETE', undefined],
      ] as const)
        expect((await call(method, own, json, other)).error.code, method).toBe('FORBIDDEN')
      const last = statuses.length > 0 ? { status: statuses.at(-1) } : {}
      expect((await call('PATCH', own, { ...body('y'), ...last })).data).toMatchObject({
        ...body('y'),
        ...last,
      })
      const required = Object.fromEntries(
        Object.entries(body('z')).filter(([name]) => name !== 'description'),
      )
      const replaced = await call('PUT', own, required, api().admin)
      expect(replaced.data).toMatchObject({ ...defaults, ...required, ...last })
      expect((await call('PUT', own, replaced.data)).data).toEqual(replaced.data)
      expect((await call('DELETE', own)).status).toBe(204)
      expect((await call('DELETE', own)).status).toBe(404)
    })

    it('has fixed fields', async () => {
      const own = `${path()}/${await create(path(), body('x'))}`
      const changed = Object.fromEntries(['id', ...fixed].map((name) => [name, unknownId]))
      for (const method of ['PUT', 'PATCH']) {
        const answer = await call(method, own, { ...body('x'), ...changed })
        expect([answer.status, Object.keys(getProblems(answer)).sort()]).toEqual([
          400,
          ['id', ...fixed].sort(),
        ])
      }
      const answer = await call('POST', path(), { ...body('x'), ...changed })
      expect(Object.keys(getProblems(answer)).sort()).toEqual(['id', ...fixed].sort())
    })

    it('has texts of limited length', async () => {
      const own = `${path()}/${await create(path(), body('x'))}`
      for (const [name, [min, max]] of Object.entries(bounds)) {
        const json = (length: number) => ({ ...body('x'), [name]: 'x'.repeat(length) })
        for (const length of [min, max]) expect((await call('POST', path(), json(length))).status).toBe(201)
        for (const length of min > 0 ? [min - 1, max + 1] : [max + 1]) {
          for (const answer of [
            await call('POST', path(), json(length)),
            await call('PUT', own, json(length)),
            await call('PATCH', own, { [name]: 'x'.repeat(length) }),
          ])
            expect([length, answer.status, Object.keys(getProblems(answer))]).toEqual([length, 400, [name]])
        }
      }
    })

    it('is listed newest first, sorted by its fields, and filtered by creation time', async () => {
      const [earlier, later] = [await oneAfterAll('first'), await oneAfterAll('second')]
      expect(await ids('limit=2')).toEqual([later.id, earlier.id])
      expect((await ids('sort=created_at&limit=100')).slice(-2)).toEqual([earlier.id, later.id])
      for (const column of columns) {
        const { status } = await call('GET', `${path()}?sort=-${column}`)
        expect([column, status]).toEqual([column, collection.sortable.includes(column) ? 200 : 400])
      }
      await call('PATCH', `${path()}/${earlier.id}`, { [first]: 'changed' })
      expect(await ids(`createdAfter=${String(later['created_at'])}`)).toEqual([])
      expect(await ids(`createdAfter=${String(earlier['created_at'])}`)).toEqual([later.id])
    })

    it('is filtered by its states, and searched in one field', async () => {
      for (const { statuses: states } of Object.values(collections))
        for (const status of states) {
          if (statuses.includes(status)) continue
          const refused = await call('GET', `${path()}?status=${status}`)
          expect(Object.keys(getProblems(refused)), status).toEqual(['status'])
        }
      if (statuses.length > 0) {
        const answer = await call('POST', path(), { ...body('x'), status: 'lost' })
        expect(Object.keys(getProblems(answer))).toEqual(['status'])
      }
      const made = new Map<string, string>()
      for (const status of statuses)
        made.set(status, await create(path(), { ...body('with a status'), status }))
      for (const [status, id] of made) {
        const found = await ids(`status=${status}&limit=100`)
        expect([...made.values()].filter((one) => found.includes(one))).toEqual([id])
      }
      const needle = await create(path(), body('A needle'))
      if (Object.keys(bounds).length > 1) await create(path(), body('hay', 'needle'))
      expect(await ids('search=NEEDLE')).toEqual([needle])
    })
  })

  describe('a task', () => {
    const tasks = () => `/projects/${project}/tasks`

    it('is created by the owner of the project and by admins', async () => {
      const full = {
        title: 'U',
        description: '',
        assignee_id: other.id,
        due_on: '2028-02-29',
        status: 'done',
      }
      expect(await call('POST', tasks(), full, api().admin)).toMatchObject({ status: 201, data: full })
      expect((await call('POST', tasks(), full, other)).status).toBe(403)
      expect((await call('POST', `/projects/${unknownId}/tasks`, full, other)).status).toBe(404)
      const wrong = { title: '', assignee_id: 'nobody', due_on: '2027-02-29', status: 'late' }
      expect(Object.keys(getProblems(await call('POST', tasks(), wrong))).sort()).toEqual(
        Object.keys(wrong).sort(),
      )
    })

    it('is assigned to existing users only, which is reported with other problems', async () => {
      const path = `${tasks()}/${await create(tasks(), { title: 'T' })}`
      const json = { title: 'T', assignee_id: unknownId }
      for (const [method, target] of [
        ['POST', tasks()],
        ['PUT', path],
        ['PATCH', path],
      ] as const) {
        expect(getProblems(await call(method, target, json))).toEqual({
          assignee_id: 'There is no such user',
        })
        const wrong = { ...json, title: '', ...(method !== 'POST' && { project_id: unknownId }) }
        expect(Object.keys(getProblems(await call(method, target, wrong))).sort()).toEqual(
          Object.keys(wrong).sort(),
        )
      }
      // A refusal that is kept for its key says as much.
      for (let time = 0; time < 2; time++) {
        const headers = { 'idempotency-key': 'assigned-to-nobody' }
        const kept = await api().call('POST', tasks(), { json, token: owner.token, headers })
        expect([kept.status, Object.keys(getProblems(kept))]).toEqual([400, ['assignee_id']])
      }
      const assigned = await call('PATCH', path, { assignee_id: other.id.toUpperCase() })
      expect(assigned.data['assignee_id']).toBe(other.id)
    })

    it('is changed but not deleted by its assignee', async () => {
      const path = `${tasks()}/${await create(tasks(), { title: 'T', assignee_id: other.id })}`
      const json = { status: 'in_progress' }
      expect((await call('PATCH', path, json, other)).data).toMatchObject({ ...json, assignee_id: other.id })
      expect((await call('DELETE', path, undefined, other)).status).toBe(403)
      const returned = await call('PUT', path, { title: 'T' }, other)
      expect(returned.data).toMatchObject({ ...json, assignee_id: null })
      expect((await call('PATCH', path, json, other)).status).toBe(403)
    })

    it('exists under its project only', async () => {
      const id = await create(tasks(), { title: 'T' })
      const elsewhere = await create('/projects', { name: 'P' })
      for (const method of ['GET', 'DELETE'])
        expect((await call(method, `/projects/${elsewhere}/tasks/${id}`)).status).toBe(404)
    })
  })

  it('lists the posts of a user', async () => {
    const user = await api().user()
    const id = await create('/posts', { title: 'T', body: 'B' }, user)
    expect((await call('GET', `/users/${user.id}/posts`)).list.map((one) => one.id)).toEqual([id])
    expect((await call('GET', `/users/${unknownId}/posts`)).error.code).toBe('NOT_FOUND')
  })

  it('deletes what belongs to a post, a project and a user, and unassigns tasks in a new version', async () => {
    const user = await api().user()
    const own = `/posts/${await create('/posts', { title: 'T', body: 'B' }, user)}`
    const comment = `/posts/${post}/comments/${await create(`/posts/${post}/comments`, { body: 'B' }, user)}`
    const foreign = `${own}/comments/${await create(`${own}/comments`, { body: 'B' })}`
    const group = `/projects/${await create('/projects', { name: 'P' }, user)}`
    const work = `${group}/tasks/${await create(`${group}/tasks`, { title: 'T' }, user)}`
    const tasks = `/projects/${project}/tasks`
    const { data } = await call('POST', tasks, { title: 'T', assignee_id: user.id })
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(String(data['updated_at'])))
    expect((await call('DELETE', `/users/${user.id}`, undefined, api().admin)).status).toBe(204)
    for (const gone of [own, comment, foreign, group, work])
      expect((await call('GET', gone)).error.code, gone).toBe('NOT_FOUND')
    const left = await call('GET', `${tasks}/${data.id}`)
    expect([left.data['assignee_id'], left.headers.get('etag')]).toEqual([null, '"2"'])
    expect(left.data['updated_at']).not.toBe(data['updated_at'])
  })
})

it('serves no collections with RESOURCES=off, and users as before', async () => {
  await using api = await startApi({ RESOURCES: 'off' })
  const { token } = api.admin
  const user = await api.user()
  for (const path of ['/posts', '/projects', `/users/${user.id}/posts`, `/posts/${unknownId}/comments`])
    expect((await api.call('GET', path, { token })).error.code, path).toBe('NOT_FOUND')
  const { paths } = await fetchDocument(api.base)
  const shown = Object.keys(paths).join()
  for (const name of ['posts', 'comments', 'projects', 'tasks']) expect(shown).not.toContain(`/${name}`)
  expect(shown).toContain('/users')
  expect((await api.call('DELETE', `/users/${user.id}`, { token })).status).toBe(204)
})
