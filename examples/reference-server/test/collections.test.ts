import { beforeAll, describe, expect, it } from 'vitest'
import { getProblems } from './api.ts'
import { describeApi } from './describe-api.ts'

interface Collection {
  readonly path: () => string
  /** Creates a body with one text in the searchable field and another text in a different field. */
  readonly body: (searched: string, other: string) => object
  readonly statuses: readonly string[]
  readonly sortable: readonly string[]
}

describeApi((api) => {
  let [post, project] = ['', '']
  beforeAll(async () => {
    post = (await create('/posts', { title: 'T', body: 'B' })).id
    project = (await create('/projects', { name: 'P' })).id
  })

  const call = (method: string, path: string, json?: object) =>
    api().call(method, path, { token: api().admin.token, ...(json && { json }) })
  const get = (path: string) => call('GET', path)
  const create = async (path: string, json: object) => (await call('POST', path, json)).data

  let accounts = 0
  const email = (text: string) => `${text}.${(accounts += 1)}@example.com`
  const collections: Readonly<Record<string, Collection>> = {
    users: {
      path: () => '/users',
      body: (name, other) => ({ name, email: email(other), password: 'a password' }),
      statuses: ['active', 'suspended'],
      sortable: ['created_at', 'updated_at', 'name', 'email', 'status'],
    },
    posts: {
      path: () => '/posts',
      body: (title, body) => ({ title, body }),
      statuses: ['published', 'archived'],
      sortable: ['created_at', 'updated_at', 'title', 'status'],
    },
    comments: {
      path: () => `/posts/${post}/comments`,
      body: (body) => ({ body }),
      statuses: [],
      sortable: ['created_at', 'updated_at'],
    },
    projects: {
      path: () => '/projects',
      body: (name, description) => ({ name, description }),
      statuses: ['active', 'archived'],
      sortable: ['created_at', 'updated_at', 'name', 'status'],
    },
    tasks: {
      path: () => `/projects/${project}/tasks`,
      body: (title, description) => ({ title, description }),
      statuses: ['open', 'in_progress', 'done'],
      sortable: ['created_at', 'updated_at', 'title', 'status'],
    },
  }
  const columns = [
    'created_at',
    'updated_at',
    'name',
    'title',
    'body',
    'email',
    'status',
    'role',
    'due_on',
    'id',
  ]

  describe.each(Object.entries(collections))('a list of %s', (_, { path, body, statuses, sortable }) => {
    const ids = async (query: string) => (await get(`${path()}?${query}`)).list.map(({ id }) => id)
    const one = (searched: string, other = 'elsewhere') => create(path(), body(searched, other))

    /** One that no other was created in the same millisecond as. */
    async function oneAfterAll(text: string) {
      const made = await one(text)
      await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(String(made['created_at'])))
      return made
    }

    it('is sorted by creation time, newest first, and by the sortable fields', async () => {
      const made = [(await oneAfterAll('first')).id, (await oneAfterAll('second')).id]
      expect(await ids('limit=2')).toEqual(made.toReversed())
      expect((await ids('sort=created_at&limit=100')).slice(-2)).toEqual(made)
      for (const column of columns) {
        const { status } = await get(`${path()}?sort=-${column}`)
        expect([column, status]).toEqual([column, sortable.includes(column) ? 200 : 400])
      }
    })

    it('is filtered by status', async () => {
      const known = Object.values(collections).flatMap((collection) => collection.statuses)
      for (const status of new Set(known)) {
        const refused = await get(`${path()}?status=${status}`)
        if (!statuses.includes(status)) expect(Object.keys(getProblems(refused)), status).toEqual(['status'])
      }
      const made = new Map<string, string>()
      for (const status of statuses) {
        const { id } = await one('with a status')
        await call('PATCH', `${path()}/${id}`, { status })
        made.set(status, id)
      }
      for (const [status, id] of made) {
        const found = await ids(`status=${status}&limit=100`)
        expect(found).toContain(id)
        for (const other of made.values()) if (other !== id) expect(found).not.toContain(other)
      }
    })

    it('is filtered by creation time, not by the time of a change', async () => {
      const earlier = await oneAfterAll('earlier')
      const later = await oneAfterAll('later')
      const at = String(later['created_at'])
      const text = Object.keys(body('', ''))[0]!
      await call('PATCH', `${path()}/${earlier.id}`, { [text]: 'changed' })
      expect(await ids(`createdAfter=${at}`)).toEqual([])
      expect(await ids(`createdAfter=${String(earlier['created_at'])}`)).toEqual([later.id])
    })

    it('is searched in one field', async () => {
      const [there] = [await one('A needle'), await one('hay', 'needle')]
      expect(await ids('search=NEEDLE')).toEqual([there.id])
    })
  })
})
