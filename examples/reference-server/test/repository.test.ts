import {
  afterFilter,
  answerList,
  createCursorCodec,
  defineListQuery,
  type CursorEnvelope,
} from '@sallyport/rest'
import type { Kysely } from 'kysely'
import { expect, it } from 'vitest'
import { createRepository } from '../src/database/repository.ts'
import type { Tables } from '../src/database/tables.ts'
import { isUniqueViolation } from '../src/database/violations.ts'
import { createUsers } from '../src/users/repository.ts'
import { describeDatabases } from './databases.ts'
import { unknownId } from './api.ts'

const cursors = createCursorCodec({ keys: ['k'.repeat(32)] })
const byTitle = defineListQuery({
  sortable: ['title', 'created_at'],
  defaultSort: '-created_at',
  searchable: 'title',
  filterable: { createdAfter: afterFilter('created_at') },
})

let addresses = 0
const newUser = (db: Kysely<Tables>) => {
  addresses += 1
  const email = `user${addresses}@example.com`
  return createUsers(db).insert({ email, name: 'U', password_hash: 'x', role: 'user', status: 'active' })
}

describeDatabases((database) => {
  it('reports a duplicate value', async () => {
    const { email } = await newUser(database())
    const again = { email, name: 'V', password_hash: 'x', role: 'user', status: 'active' } as const
    const error: unknown = await createUsers(database())
      .insert(again)
      .catch((thrown: unknown) => thrown)
    expect(isUniqueViolation(error)).toBe(true)
  })

  it('rejects a reference to a missing row', async () => {
    const posts = createRepository(database(), 'posts', { noun: 'post' })
    const post = { author_id: unknownId, title: 'T', body: 'B', status: 'published' } as const
    await expect(posts.insert(post)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('applies concurrent changes, each to the current row', async () => {
    const users = createUsers(database())
    const { id } = await newUser(database())
    const append = () => users.change({ id }, ({ name }) => ({ name: `${name}+` }))
    await Promise.all(Array.from({ length: 8 }, append))
    expect(await users.get({ id })).toMatchObject({ name: 'U++++++++', version: 9 })
  })

  it('keeps the version without a change, and removes only existing rows', async () => {
    const users = createUsers(database())
    const user = await newUser(database())
    expect(await users.change({ id: user.id }, () => ({}))).toEqual(user)
    const refusal = new Error('no')
    await expect(
      users.remove({ id: user.id }, () => {
        throw refusal
      }),
    ).rejects.toBe(refusal)
    await users.remove({ id: user.id }, () => undefined)
    await expect(users.remove({ id: user.id }, () => undefined)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('lists the requested page after requests for other pages', async () => {
    const posts = createRepository(database(), 'posts', { noun: 'post' })
    const author = await newUser(database())
    for (const title of ['a', 'b', 'c', 'd', 'e']) {
      await posts.insert({ author_id: author.id, title, body: 'B', status: 'published' })
    }
    const list = async (text: string, scope = {}) => {
      const { rows, total } = await posts.list(byTitle.parse(text, { cursors }), scope)
      return { ids: rows.map(({ id }) => id), total }
    }
    for (const sort of ['title', '-title', 'created_at', '-created_at']) {
      const { ids, total } = await list(`sort=${sort}&limit=100`)
      expect(ids).toHaveLength(total)
      for (const [page, limit] of [
        [1, 2],
        [2, 2],
        [1, 3],
        [1, 2],
        [2, 1],
      ] as const) {
        const expected = ids.slice((page - 1) * limit, page * limit)
        expect(await list(`sort=${sort}&page=${page}&limit=${limit}`)).toEqual({ ids: expected, total })
      }
      const own = await list(`sort=${sort}&limit=100`, { author_id: author.id })
      expect(own.total).toBe(5)
      expect(await list(`sort=${sort}&page=1&limit=2`, { author_id: author.id })).toEqual({
        ids: own.ids.slice(0, 2),
        total: 5,
      })
      expect(await list(`sort=${sort}&page=1&limit=2&search=no+such+title`)).toEqual({ ids: [], total: 0 })
    }
    const { total } = await list('limit=1')
    const { id } = await posts.insert({ author_id: author.id, title: 'f', body: 'B', status: 'published' })
    expect(await list('limit=1')).toEqual({ ids: [id], total: total + 1 })
  })

  it('deletes the resources of a user, and unassigns tasks of others', async () => {
    const db = database()
    const [gone, stays] = [await newUser(db), await newUser(db)]
    const posts = createRepository(db, 'posts', { noun: 'post' })
    const projects = createRepository(db, 'projects', { noun: 'project' })
    const tasks = createRepository(db, 'tasks', { noun: 'task' })
    const post = await posts.insert({ author_id: gone.id, title: 'T', body: 'B', status: 'published' })
    const project = await projects.insert({
      owner_id: stays.id,
      name: 'P',
      description: null,
      status: 'active',
    })
    const task = await tasks.insert({
      project_id: project.id,
      title: 'T',
      description: null,
      assignee_id: gone.id,
      due_on: '2028-02-29',
      status: 'open',
    })
    await createUsers(db).remove({ id: gone.id }, () => undefined)
    expect(await posts.find({ id: post.id })).toBeUndefined()
    expect(await tasks.get({ id: task.id })).toMatchObject({ assignee_id: null, version: 2 })
  })

  it('lists by page and by cursor, filtered and searched, within a scope', async () => {
    const db = database()
    let time = Date.parse('2026-01-01T00:00:00Z')
    const posts = createRepository(db, 'posts', { noun: 'post', now: () => (time += 1000) })
    const [author, other] = [await newUser(db), await newUser(db)]
    for (const title of ['b', 'A_1', 'a', 'a', '100%']) {
      await posts.insert({ author_id: author.id, title, body: 'B', status: 'published' })
    }
    await posts.insert({ author_id: other.id, title: 'a', body: 'B', status: 'published' })
    const list = (query: string) => posts.list(byTitle.parse(query, { cursors }), { author_id: author.id })

    const page = await list('page=2&limit=2')
    expect(page.rows.map(({ title }) => title)).toEqual(['a', 'A_1'])
    expect(page.total).toBe(5)
    expect((await list('search=A')).rows).toHaveLength(3)
    expect((await list('search=_')).rows.map(({ title }) => title)).toEqual(['A_1'])
    const later = await list('createdAfter=2026-01-01T00:00:03Z&sort=created_at')
    expect(later.rows.map(({ title }) => title)).toEqual(['a', '100%'])

    const read: string[] = []
    for (let cursor = ''; ;) {
      const query = byTitle.parse(`sort=-title&limit=2&cursor=${cursor}`, { cursors })
      const page = await posts.list(query, { author_id: author.id })
      const { body } = await answerList(query, { address: { url: '/', query: '' }, cursors }, () => page)
      const { data, meta } = body as CursorEnvelope<(typeof page.rows)[number]>
      read.push(...data.map(({ id }) => id))
      if (!meta.hasMore) break
      cursor = meta.nextCursor
    }
    expect(read).toEqual((await list('sort=-title&limit=100')).rows.map(({ id }) => id))
    expect(new Set(read).size).toBe(5)
  })
})
