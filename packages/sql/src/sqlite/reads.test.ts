import Database from 'better-sqlite3'
import { Kysely, sql } from 'kysely'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import { newPath, removeFiles } from '../../test/files.ts'
import { openSqlite, type SqliteDatabase } from './index.ts'
import { readsDialect } from './reads-dialect.ts'

interface Tables {
  users: { id: number; email: string; photo: Uint8Array | null }
}

let path: string
let database: SqliteDatabase
let db: Kysely<Tables>
let reads: Kysely<Tables>
beforeEach(async () => {
  path = await newPath()
  database = await openSqlite({ path, busyTimeoutMs: 50 })
  db = database.kysely as unknown as Kysely<Tables>
  reads = database.reads as unknown as Kysely<Tables>
  await db.schema
    .createTable('users')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('photo', 'blob')
    .execute()
})
afterEach(() => database.close())
afterAll(removeFiles)

const add = (own: Kysely<Tables>, id: number, email = 'É@example.org') =>
  own
    .insertInto('users')
    .values({ id, email, photo: Uint8Array.of(id) })
    .execute()
const ids = async (own: Kysely<Tables>) =>
  (await own.selectFrom('users').select('id').orderBy('id').execute()).map(({ id }) => id)

it('reads what was committed a moment ago, by this process and by others', async () => {
  const other = await openSqlite({ path })
  for (let id = 1; id <= 50; id++) {
    await add(id % 2 === 0 ? db : (other.kysely as unknown as Kysely<Tables>), id)
    const found = await reads.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
    expect(found).toMatchObject({ id, email: 'É@example.org' })
    expect(new Uint8Array(found?.photo ?? [])).toEqual(Uint8Array.of(id))
  }
  await other.close()
})

it('reads what was there before a transaction that is under way, without waiting for it', async () => {
  await add(db, 1)
  await db.transaction().execute(async (transaction) => {
    await add(transaction, 2)
    expect(await ids(reads)).toEqual([1])
    expect(await ids(transaction)).toEqual([1, 2])
  })
  expect(await ids(reads)).toEqual([1, 2])
})

it('sees columns and tables that are new', async () => {
  await add(db, 1)
  expect(await sql`select * from users`.execute(reads)).toMatchObject({ rows: [{ id: 1 }] })
  await db.schema.alterTable('users').addColumn('name', 'text').execute()
  const { rows } = await sql`select * from users`.execute(reads)
  expect(rows).toMatchObject([{ id: 1, name: null }])
})

it('folds case as the other connections do, and streams', async () => {
  await add(db, 1)
  const found = reads
    .selectFrom('users')
    .select('id')
    .where(sql`lower(email)`, '=', 'é@example.org')
  const seen: number[] = []
  for await (const { id } of found.stream(1)) seen.push(id)
  expect(seen).toEqual([1])
})

it('changes nothing, and begins no transaction', async () => {
  await expect(add(reads, 1)).rejects.toBeInstanceOf(TypeError)
  await expect(sql`begin immediate`.execute(reads)).rejects.toBeInstanceOf(TypeError)
  await expect(reads.transaction().execute(() => Promise.resolve())).rejects.toBeInstanceOf(TypeError)
  await add(db, 1)
  expect(await ids(db)).toEqual([1])
})

it('says what SQLite says of a query that it cannot run', async () => {
  await expect(sql`select * from nowhere`.execute(reads)).rejects.toMatchObject({
    name: 'SqliteError',
    code: 'SQLITE_ERROR',
  })
})

it('asks elsewhere when the file cannot be read here', async () => {
  await add(db, 1)
  const blind = new Kysely<Tables>({
    dialect: readsDialect(`${path}.gone`, (query) => db.executeQuery(query)),
  })
  expect(await ids(blind)).toEqual([1])
  await blind.destroy()
})

it('asks elsewhere, where there is patience, when the database is locked against readers too', async () => {
  const lonely = `${path}.lonely`
  const owner = new Database(lonely)
  owner.exec('pragma journal_mode = wal; pragma locking_mode = exclusive; create table users (id integer)')
  let asked = 0
  const locked = new Kysely<Tables>({
    dialect: readsDialect(lonely, () => {
      asked += 1
      return Promise.resolve({ rows: [{ id: 7 }] })
    }),
  })
  expect(await ids(locked)).toEqual([7])
  owner.close()
  expect(await ids(locked)).toEqual([])
  expect(asked).toBe(1)
  await locked.destroy()
})

it('is closed with the database, whose last changes are then in its file', async () => {
  await add(db, 1)
  expect(await ids(reads)).toEqual([1])
  await database.close()
  await expect(ids(reads)).rejects.toThrow()
  const raw = new Database(path, { readonly: true })
  expect(raw.prepare('select id from users').all()).toEqual([{ id: 1 }])
  raw.close()
})
