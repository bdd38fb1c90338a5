import Database from 'better-sqlite3'
import { Kysely, sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import { newPath, removeFiles } from '../../test/files.ts'
import { openSqlite, createSqliteDialect } from './index.ts'
import type { SqliteDialectOptions } from './dialect.ts'

interface Tables {
  users: { id: number }
}

const overloaded = {
  ...{ code: 'OVERLOADED', status: 503, headers: { 'Retry-After': '1' } },
  cause: { name: 'SqliteError', code: 'SQLITE_BUSY' },
}

let path: string
let other: Database.Database
let opened: Kysely<Tables>[]
beforeEach(async () => {
  opened = []
  path = await newPath()
  await (await openSqlite({ path })).close()
  other = new Database(path)
  other.exec('create table users (id integer primary key); begin immediate')
})
afterEach(async () => {
  other.close()
  await Promise.all(opened.map((db) => db.destroy()))
})
afterAll(removeFiles)

function open(options: Partial<SqliteDialectOptions>): Kysely<Tables> {
  const db = new Kysely<Tables>({ dialect: createSqliteDialect({ path, ...options }) })
  opened.push(db)
  return db
}

const add = (db: Kysely<Tables>, id: number) => db.insertInto('users').values({ id }).execute()
const ids = async (db: Kysely<Tables>) =>
  (await db.selectFrom('users').select('id').orderBy('id').execute()).map(({ id }) => id)

// A writer that waits for the lock of another process must not block readers.
it('lets others read while writes wait for the lock of another process', async () => {
  const db = open({ busyTimeoutMs: 60_000 })
  const writing = [db.transaction().execute((own) => add(own, 1)), add(db, 2)]
  expect(await Promise.all(Array.from({ length: 10 }, () => ids(db)))).toEqual(Array(10).fill([]))
  other.exec('commit')
  await Promise.all(writing)
  expect(await ids(db)).toEqual([1, 2])
})

it('rejects a write as busy at the timeout and continues', async () => {
  const db = open({ busyTimeoutMs: 20 })
  await expect(db.transaction().execute((own) => add(own, 1))).rejects.toMatchObject(overloaded)
  await expect(add(db, 1)).rejects.toMatchObject(overloaded)
  expect(await ids(db)).toEqual([])
  other.exec('commit')
  await db.transaction().execute((own) => add(own, 1))
  expect(await ids(db)).toEqual([1])
})

it('gives no caller a connection with changed settings', async () => {
  const db = open({ busyTimeoutMs: 20 })
  let reading: Promise<unknown> | undefined
  await db.connection().execute(async (own) => {
    await sql`pragma foreign_keys = off`.execute(own)
    reading = sql`pragma foreign_keys`.execute(db)
    await expect(own.transaction().execute((transaction) => add(transaction, 1))).rejects.toMatchObject(
      overloaded,
    )
    await sql`pragma foreign_keys = on`.execute(own)
  })
  expect(await reading).toMatchObject({ rows: [{ foreign_keys: 1 }] })
})

// A retry must not join the transaction of another caller.
it('does not continue on the connection of another caller after a rejection', async () => {
  const db = open({ busyTimeoutMs: 60_000, connectTimeoutMs: 500 })
  expect(await ids(db)).toEqual([])
  await db.connection().execute(async (own) => {
    const first = add(own, 1).catch((error: unknown) => error)
    const idle = await db.startTransaction().setAccessMode('read only').execute()
    expect(await first).toMatchObject({ code: 'OVERLOADED', cause: { code: 'POOL_EXHAUSTED' } })
    other.exec('commit')
    const second = add(own, 2)
    await idle.rollback().execute()
    await second
  })
  expect(await ids(db)).toEqual([2])
})

// A statement that had waited for its turn for longer than for a lock was refused at the first sight of one.
it('waits for a lock as long as ever once it has waited for its turn', async () => {
  const busyTimeoutMs = 1000
  const db = open({ busyTimeoutMs, connectTimeoutMs: 500 })
  expect(await ids(db)).toEqual([])
  await db.connection().execute(async (own) => {
    const first = add(own, 1).catch((error: unknown) => error)
    const reader = await db.startTransaction().setAccessMode('read only').execute()
    expect(await first).toMatchObject({ code: 'OVERLOADED', cause: { code: 'POOL_EXHAUSTED' } })
    const asked = performance.now()
    const second = add(own, 2)
    while (performance.now() - asked <= busyTimeoutMs) await ids(reader)
    await reader.rollback().execute()
    // Its turn has come, and what it is first answered is that the database is locked.
    await Promise.all([second, sleep(50).then(() => other.exec('commit'))])
  })
  expect(await ids(db)).toEqual([2])
})

it('counts those that wait for a lock as well when it refuses more', async () => {
  const db = open({ busyTimeoutMs: 60_000, maxWaiting: 1 })
  const writing = add(db, 1)
  // It is there once the write has tried.
  await ids(db)
  const settled = await Promise.allSettled(Array.from({ length: 3 }, () => ids(db)))
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  other.exec('commit')
  await writing
  expect(await ids(db)).toEqual([1])
})
