import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { newPath, removeFiles } from '../../test/files.ts'
import { openSqlite } from './index.ts'

afterAll(removeFiles)
const { signal } = new AbortController()

it('runs the handler of a consumer once per event, and again after a failure', async () => {
  const database = await openSqlite({ path: await newPath() })
  const db = database.kysely.$extendTables<{ rings: { id: string } }>()
  await sql`create table rings (id text)`.execute(db)
  let isBroken = true
  const handler = database.once('rings', async (event: { id: string }, transaction) => {
    await transaction.$extendTables<{ rings: { id: string } }>().insertInto('rings').values(event).execute()
    if (isBroken) throw new Error('broken')
  })
  const rows = () => db.selectFrom('rings').selectAll().execute()
  await expect(handler({ id: 'a' }, signal)).rejects.toThrow('broken')
  expect(await rows()).toEqual([])
  isBroken = false
  await Promise.all([
    handler({ id: 'a' }, signal),
    handler({ id: 'a' }, signal),
    handler({ id: 'b' }, signal),
  ])
  expect((await rows()).map(({ id }) => id).sort()).toEqual(['a', 'b'])
  const other: string[] = []
  await database.once('other', ({ id }: { id: string }) => other.push(id))({ id: 'a' }, signal)
  expect(other).toEqual(['a'])
  await database.close()
})
