import {
  answerList,
  createCursorCodec,
  defineListQuery,
  type CursorEnvelope,
  listFilter,
} from '@sallyport/rest'
import { expect, it } from 'vitest'
import { createAuthor, describeRows } from '../../test/row-tables.ts'
import { createRepository } from './repository.ts'
import { isUniqueViolation } from './violations.ts'

const cursors = createCursorCodec({ keys: ['k'.repeat(32)] })
const byTitle = defineListQuery({
  sortable: ['title', 'created_at'],
  defaultSort: '-created_at',
  searchable: 'title',
  filterable: { createdAfter: listFilter.after('created_at') },
})

describeRows((database) => {
  it('reports a duplicate value', async () => {
    const { email } = await createAuthor(database())
    const error: unknown = await createRepository(database(), 'authors', { noun: 'author' })
      .insert({ email })
      .catch((thrown: unknown) => thrown)
    expect(isUniqueViolation(error)).toBe(true)
  })

  it('rejects a reference to a missing row', async () => {
    const posts = createRepository(database(), 'posts', { noun: 'post' })
    await expect(posts.insert({ author_id: 'nobody', title: 'T', body: 'B' })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  })

  it('applies concurrent changes, each to the current row', async () => {
    const users = createRepository(database(), 'authors', { noun: 'author' })
    const { id, email } = await createAuthor(database())
    const append = () => users.change({ id }, ({ email }) => ({ email: `${email}+` }))
    await Promise.all(Array.from({ length: 8 }, append))
    expect(await users.get({ id })).toMatchObject({ email: `${email}++++++++`, version: 9 })
  })

  it('keeps the version without a change, and removes only existing rows', async () => {
    const users = createRepository(database(), 'authors', { noun: 'author' })
    const user = await createAuthor(database())
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
    const author = await createAuthor(database())
    for (const title of ['a', 'b', 'c', 'd', 'e']) {
      await posts.insert({ author_id: author.id, title, body: 'B' })
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
    const { id } = await posts.insert({ author_id: author.id, title: 'f', body: 'B' })
    expect(await list('limit=1')).toEqual({ ids: [id], total: total + 1 })
  })

  it('lists by page and by cursor, filtered and searched, within a scope', async () => {
    const db = database()
    let time = Date.parse('2026-01-01T00:00:00Z')
    const posts = createRepository(db, 'posts', { noun: 'post', now: () => (time += 1000) })
    const [author, other] = [await createAuthor(db), await createAuthor(db)]
    for (const title of ['b', 'A_1', 'a', 'a', '100%']) {
      await posts.insert({ author_id: author.id, title, body: 'B' })
    }
    await posts.insert({ author_id: other.id, title: 'a', body: 'B' })
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
