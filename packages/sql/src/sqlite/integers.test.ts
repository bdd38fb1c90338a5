import { sql, type Kysely } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newPath, removeFiles } from '../../test/files.ts'
import { openSqlite, type SqliteDatabase } from './index.ts'

interface Tables {
  posts: { id: number | bigint; size: number | null }
}

const large = 1_234_567_890_123_456_789n

let database: SqliteDatabase
let db: Kysely<Tables>
beforeEach(async () => {
  database = await openSqlite({ path: await newPath() })
  db = database.kysely as unknown as Kysely<Tables>
  await sql`create table posts (id integer primary key, size real)`.execute(db)
})
afterEach(() => database.close())
afterAll(removeFiles)

describe.each(['kysely', 'reads'] as const)('an integer that is read by %s', (name) => {
  const read = async (expression: string) => {
    const { rows } = await sql
      .raw<{ value: unknown }>(`select ${expression} as value`)
      .execute(database[name])
    return rows[0]?.value
  }

  it('is a number', async () => {
    expect(await read('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER)
    expect(await read('-9007199254740991')).toBe(Number.MIN_SAFE_INTEGER)
    expect(await read('(select count(*) from posts)')).toBe(0)
    expect(await read('1e300')).toBe(1e300)
  })

  it('fails its query when a number would lose digits, and is read as text', async () => {
    for (const unsafe of ['9007199254740992', '-9007199254740992', `${large}`])
      await expect(read(unsafe)).rejects.toBeInstanceOf(RangeError)
    expect(await read(`cast(${large} as text)`)).toBe(`${large}`)
    expect(await read(`lower(${large}) = ${large}`)).toBe(1)
    expect(await read('1')).toBe(1)
  })
})

it('returns the exact id of an inserted row', async () => {
  const { insertId } = await db
    .insertInto('posts')
    .values({ id: large, size: 1e17 })
    .executeTakeFirstOrThrow()
  expect(insertId).toBe(large)
  const { rows } = await sql`select size from posts where id = ${large}`.execute(db)
  expect(rows).toEqual([{ size: 1e17 }])
})

it('changes nothing by a statement that would return one which a number cannot hold', async () => {
  const insert = (own: Kysely<Tables>, id: bigint) =>
    own.insertInto('posts').values({ id, size: 1 }).returning('id').execute()
  const ids = async () => (await sql`select cast(id as text) as id from posts order by id`.execute(db)).rows
  await expect(insert(db, large)).rejects.toBeInstanceOf(RangeError)
  expect(await ids()).toEqual([])
  await db.transaction().execute(async (own) => {
    expect(await insert(own, 1n)).toEqual([{ id: 1 }])
    await expect(insert(own, large)).rejects.toBeInstanceOf(RangeError)
    expect(await insert(own, 2n)).toEqual([{ id: 2 }])
  })
  expect(await insert(db, 3n)).toEqual([{ id: 3 }])
  expect(await ids()).toEqual([{ id: '1' }, { id: '2' }, { id: '3' }])
})
