import { afterAll, afterEach, expect, it } from 'vitest'
import { newPath, removeFiles } from '../../test/files.ts'
import { getDelivery } from '../../test/records.ts'
import { openSqlite, type SqliteDatabase } from './index.ts'

const opened: SqliteDatabase[] = []
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close()
})
afterAll(removeFiles)

it('assigns unique positions in the order of settlement', async () => {
  const path = await newPath()
  const databases = [await openSqlite({ path }), await openSqlite({ path })] as const
  opened.push(...databases)
  const [inbox, other] = [databases[0].inbox(), databases[1].inbox()]
  const lease = async (id: string) => {
    const { events } = await inbox.record(getDelivery(id), { leaseMs: 60_000 })
    return { id, lease: events[0]?.lease ?? '' }
  }
  const [a, b, c, d] = await Promise.all([lease('a'), lease('b'), lease('c'), lease('d'), lease('e')])
  const done = { status: 'done' } as const
  // One that is settled twice at once is settled once; one that is tried again takes no place.
  const settled = await inbox.settle('publish', [
    { ...b, outcome: done },
    { ...b, outcome: done },
    { ...c, outcome: { status: 'retry', afterMs: 0, error: 'away' } },
    { ...a, outcome: done },
    { ...d, lease: 'of another process', outcome: done },
  ])
  expect(settled).toEqual([true, false, true, true, false])
  expect(await other.forwarded(['c', 'a', 'c'])).toEqual([true, false, false])
  expect(
    await Promise.all([inbox.settle('publish', [{ ...d, outcome: done }]), inbox.forwarded(['e'])]),
  ).toEqual([[true], [true]])
  const rows = await databases[0].kysely
    .selectFrom('events')
    .select(['id', 'published_sequence'])
    .orderBy('published_sequence')
    .execute()
  expect(rows.map(({ id, published_sequence }) => [id, published_sequence])).toEqual([
    ['b', 1],
    ['a', 2],
    ['c', 3],
    ['d', 4],
    ['e', 5],
  ])
  expect(await databases[1].kysely.selectFrom('sequences').selectAll().execute()).toEqual([
    { name: 'published', value: 5 },
  ])
})
