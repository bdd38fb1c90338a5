import { AbortedTransactionError, Kysely, sql } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newPath, removeFiles } from '../../test/files.ts'
import { openSqlite, createSqliteDialect } from './index.ts'
import type { SqliteDialectOptions } from './dialect.ts'

interface Tables {
  users: { id: number; name: string }
}

const gone = { name: 'SqliteError', code: 'SQLITE_ABORT_ROLLBACK' }

let path: string
let db: Kysely<Tables>
beforeEach(async () => {
  path = await newPath()
  await (await openSqlite({ path })).close()
  db = open({})
  await sql`create table users (id integer primary key, name text)`.execute(db)
  await add(db, 1)
})
afterEach(() => db.destroy())
afterAll(removeFiles)

function open(options: Partial<SqliteDialectOptions>): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: createSqliteDialect({ path, ...options }) })
}

async function using(
  options: Partial<SqliteDialectOptions>,
  work: (own: Kysely<Tables>) => Promise<void>,
): Promise<void> {
  const own = open(options)
  try {
    await work(own)
  } finally {
    await own.destroy()
  }
}

const add = (own: Kysely<Tables>, id: number, name = '') =>
  own.insertInto('users').values({ id, name }).execute()
const ids = async (own = db) =>
  (await own.selectFrom('users').select('id').orderBy('id').execute()).map(({ id }) => id)

/** An error that rolls the transaction back, in an application that continues. */
const endTransaction = (own: Kysely<Tables>) =>
  expect(sql`insert or rollback into users values (1, 'again')`.execute(own)).rejects.toMatchObject({
    code: 'SQLITE_CONSTRAINT_PRIMARYKEY',
  })

describe('a transaction that SQLite has rolled back', () => {
  it('takes nothing more, so that nothing of it stays', async () => {
    const failing = db.transaction().execute(async (own) => {
      await add(own, 2)
      await endTransaction(own)
      await expect(add(own, 3)).rejects.toMatchObject(gone)
      await expect(ids(own)).rejects.toMatchObject(gone)
      throw new Error('never mind')
    })
    await expect(failing).rejects.toThrow('never mind')
    expect(await ids()).toEqual([1])
  })

  it('is not said to be committed', async () => {
    const failing = db.transaction().execute(async (own) => {
      await add(own, 2)
      await endTransaction(own)
    })
    await expect(failing).rejects.toBeInstanceOf(AbortedTransactionError)
    expect(await ids()).toEqual([1])
  })

  it('is over when the disk is full, for its savepoints too', async () => {
    await sql`pragma max_page_count = 100`.execute(db)
    const own = await db.startTransaction().execute()
    await add(own, 2)
    const inner = await own.savepoint('inner').execute()
    await expect(add(inner, 3, 'z'.repeat(1_000_000))).rejects.toMatchObject({ code: 'SQLITE_FULL' })
    await expect(inner.rollbackToSavepoint('inner').execute()).rejects.toMatchObject(gone)
    await expect(add(own, 4)).rejects.toMatchObject(gone)
    await own.rollback().execute()
    await add(db, 5)
    expect(await ids()).toEqual([1, 5])
  })

  it('continues after an error that does not end the transaction', async () => {
    await db.transaction().execute(async (own) => {
      await expect(add(own, 1)).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_PRIMARYKEY' })
      await add(own, 2)
    })
    expect(await ids()).toEqual([1, 2])
  })
})

it('rolls back when its caller throws what another transaction was ended with', async () => {
  const failing = db.transaction().execute(async (own) => {
    await add(own, 2)
    throw new AbortedTransactionError()
  })
  await expect(failing).rejects.toBeInstanceOf(AbortedTransactionError)
  await add(db, 3)
  await using({}, async (other) => {
    expect(await ids(other)).toEqual([1, 3])
  })
})

it('refuses to write in a transaction that was begun to read', async () => {
  const reading = db.transaction().setAccessMode('read only')
  for (const write of [
    'insert into users values (2, null) returning id',
    'delete from users',
    'create table t (id)',
  ])
    await expect(
      reading.execute(async (own) => {
        const savepoint = sql`savepoint here`.execute(own)
        await savepoint
        expect(await ids(own)).toEqual([1])
        await sql.raw(write).execute(own)
      }),
    ).rejects.toMatchObject({ code: 'SQLITE_READONLY' })
  await db.transaction().execute((own) => add(own, 2))
  expect(await ids()).toEqual([1, 2])
})

describe('the one connection', () => {
  it('times out waiting callers, including a query inside another transaction', async () => {
    await using({ connectTimeoutMs: 20 }, async (own) => {
      const failing = own.transaction().execute(async (transaction) => {
        await add(transaction, 2)
        await ids(own)
      })
      await expect(failing).rejects.toMatchObject({
        code: 'OVERLOADED',
        status: 503,
        headers: { 'Retry-After': '1' },
        cause: { code: 'POOL_EXHAUSTED' },
      })
      expect(await ids(own)).toEqual([1])
    })
  })

  it('is lent in the order in which it was asked for', async () => {
    const order: number[] = []
    const asking = [1, 2, 3, 4].map((turn) => ids().then(() => order.push(turn)))
    await Promise.all(asking)
    expect(order).toEqual([1, 2, 3, 4])
  })

  it('is taken from a transaction that waits for nothing, which is rolled back', async () => {
    await using({ idleInTransactionTimeoutMs: 20, connectTimeoutMs: 60_000 }, async (own) => {
      const idle = await own.startTransaction().execute()
      await add(idle, 2)
      expect(await ids(own)).toEqual([1])
      const other = await own.startTransaction().execute()
      await expect(add(idle, 3)).rejects.toMatchObject(gone)
      await expect(idle.commit().execute()).rejects.toBeInstanceOf(AbortedTransactionError)
      await other.rollback().execute()
      await add(own, 4)
      expect(await ids(own)).toEqual([1, 4])
    })
  })

  it('stays with a statement that takes longer than a transaction may wait', async () => {
    await using({ idleInTransactionTimeoutMs: 1 }, async (own) => {
      await own.transaction().execute(async (transaction) => {
        await sql`insert into users with recursive n(i) as (select 2 union all select i + 1 from n where i < 200000)
          select i, 'n' from n`.execute(transaction)
      })
      expect(await ids(own)).toHaveLength(200_000)
    })
  })
})

it.each([
  { connectTimeoutMs: 0 },
  { maxWaiting: 0 },
  { idleInTransactionTimeoutMs: 2 ** 31 },
  { connectTimeoutMs: 1.5 },
])('refuses %j', async (options) => {
  expect(() => open(options)).toThrow(TypeError)
  await expect(openSqlite({ path, ...options })).rejects.toThrow(TypeError)
})
