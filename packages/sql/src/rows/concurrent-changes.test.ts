import type { Kysely } from 'kysely'
import { expect, it } from 'vitest'
import { createAuthor, describeRows, type RowTables } from '../../test/row-tables.ts'
import { createRepository } from './repository.ts'

async function newPost(db: Kysely<RowTables>) {
  const { id } = await createAuthor(db)
  return createRepository(db, 'posts', { noun: 'post' }).insert({ author_id: id, title: 'T', body: 'B' })
}

describeRows((database) => {
  it.each([60, 200])('applies %d concurrent changes of one row', async (count) => {
    const pauses: number[] = []
    const pause = (forMs: number) => Promise.resolve(pauses.push(forMs))
    const posts = createRepository(database(), 'posts', { noun: 'post', changeTimeoutMs: 600_000, pause })
    const { id } = await newPost(database())
    const changes = Array.from({ length: count }, (_, index) =>
      posts.change({ id }, () => ({ title: `T${index}` })),
    )
    const versions = (await Promise.all(changes)).map(({ version }) => version)
    expect(versions.sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, index) => index + 2))
    expect(pauses).toEqual([])
  })

  it('retries after a version conflict, and gives up after too many', async () => {
    const pauses: number[] = []
    const pause = (forMs: number) => Promise.resolve(pauses.push(forMs))
    const other = createRepository(database(), 'posts', { noun: 'post' })
    const posts = createRepository(database(), 'posts', { noun: 'post', random: () => 0.5, pause })
    const { id } = await newPost(database())
    let faster = 2
    const append = () =>
      posts.change({ id }, async ({ title }) => {
        if (faster-- > 0) await other.change({ id }, (row) => ({ title: `${row.title}-` }))
        return { title: `${title}+` }
      })
    expect(await append()).toMatchObject({ title: 'T--+', version: 4 })
    expect(pauses).toEqual([1, 2])
    faster = Infinity
    await expect(append()).rejects.toMatchObject({
      ...{ code: 'SERVICE_UNAVAILABLE', status: 503, headers: { 'Retry-After': '1' } },
    })
  })
})
