import { Kysely, sql, type Generated } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newPath, removeFiles } from '../../test/files.ts'
import { openSqlite, createSqliteDialect } from './index.ts'

interface Tables {
  users: { id: Generated<number>; email: string; photo: Uint8Array | null }
}

let path: string
let db: Kysely<Tables>
beforeEach(async () => {
  path = await newPath()
  await (await openSqlite({ path })).close()
  db = new Kysely<Tables>({ dialect: createSqliteDialect({ path, busyTimeoutMs: 50 }) })
  await db.schema
    .createTable('users')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .addColumn('photo', 'blob')
    .execute()
})
afterEach(() => db.destroy())
afterAll(removeFiles)

const emails = async () =>
  (await db.selectFrom('users').select('email').orderBy('id').execute()).map((r) => r.email)

describe('createSqliteDialect', () => {
  it('reads and writes rows and returns the number of changes', async () => {
    const photo = Uint8Array.of(1, 2, 3)
    const inserted = await db.insertInto('users').values({ email: 'a@example.org', photo }).executeTakeFirst()
    expect(inserted).toMatchObject({ insertId: 1n, numInsertedOrUpdatedRows: 1n })
    const returned = await db
      .insertInto('users')
      .values({ email: 'b@example.org', photo: null })
      .returning('id')
      .executeTakeFirst()
    expect(returned).toEqual({ id: 2 })
    const row = await db.selectFrom('users').selectAll().where('id', '=', 1).executeTakeFirstOrThrow()
    expect([row.email, new Uint8Array(row.photo ?? [])]).toEqual(['a@example.org', photo])
    const { numDeletedRows } = await db.deleteFrom('users').executeTakeFirst()
    expect(numDeletedRows).toBe(2n)
  })

  it('says what SQLite says, by its code', async () => {
    const values = { email: 'a@example.org', photo: null }
    await db.insertInto('users').values(values).execute()
    await expect(db.insertInto('users').values(values).execute()).rejects.toMatchObject({
      name: 'SqliteError',
      code: 'SQLITE_CONSTRAINT_UNIQUE',
    })
    await expect(sql`select * from nowhere`.execute(db)).rejects.toMatchObject({ code: 'SQLITE_ERROR' })
  })

  it('holds interactive transactions apart, commits them, rolls them back', async () => {
    const add = (own: Kysely<Tables>, email: string) =>
      own.insertInto('users').values({ email, photo: null }).execute()
    const failing = db.transaction().execute(async (transaction) => {
      await add(transaction, 'lost@example.org')
      throw new Error('never mind')
    })
    const holding = db.transaction().execute(async (transaction) => {
      await add(transaction, 'a@example.org')
      await new Promise((resolve) => setTimeout(resolve, 20))
      await add(transaction, 'b@example.org')
    })
    const beside = add(db, 'c@example.org')
    await expect(failing).rejects.toThrow('never mind')
    await Promise.all([holding, beside])
    expect(await emails()).toEqual(['a@example.org', 'b@example.org', 'c@example.org'])
  })

  it('goes back to savepoints', async () => {
    const transaction = await db.startTransaction().execute()
    await transaction.insertInto('users').values({ email: 'a@example.org', photo: null }).execute()
    const inner = await transaction.savepoint('a "name"').execute()
    await inner.insertInto('users').values({ email: 'b@example.org', photo: null }).execute()
    await inner.rollbackToSavepoint('a "name"').execute()
    await inner.releaseSavepoint('a "name"').execute()
    await transaction.commit().execute()
    expect(await emails()).toEqual(['a@example.org'])
  })

  it('takes the write lock at the beginning, unless the transaction only reads', async () => {
    const other = new Kysely<Tables>({ dialect: createSqliteDialect({ path, busyTimeoutMs: 50 }) })
    await db.transaction().execute(async () => {
      await expect(other.transaction().execute(() => Promise.resolve())).rejects.toMatchObject({
        ...{ code: 'OVERLOADED', status: 503, cause: { code: 'SQLITE_BUSY' } },
      })
      const read = await other
        .transaction()
        .setAccessMode('read only')
        .execute((transaction) => transaction.selectFrom('users').selectAll().execute())
      expect(read).toEqual([])
    })
    await other.destroy()
  })

  it('streams what it has read', async () => {
    for (const email of ['a', 'b', 'c']) await db.insertInto('users').values({ email, photo: null }).execute()
    const seen: string[] = []
    for await (const { email } of db.selectFrom('users').select('email').orderBy('id').stream(2))
      seen.push(email)
    expect(seen).toEqual(['a', 'b', 'c'])
  })

  it('leaves the event loop alone while SQLite works', async () => {
    let ticks = 0
    const ticking = setInterval(() => ticks++, 5)
    await sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000000) select max(i) from n`.execute(
      db,
    )
    clearInterval(ticking)
    expect(ticks).toBeGreaterThan(3)
  })
})
