import Database from 'better-sqlite3'
import { CamelCasePlugin, CompiledQuery, Kysely, sql, type Driver } from 'kysely'
import type { Migration } from 'kysely/migration'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import { newPath, removeFiles } from '../../test/files.ts'
import { migrateWithTimeout, migrate } from './migrate.ts'
import { openSqlite, createSqliteDialect, type SqliteDatabase } from './index.ts'

const table = 'my_migrations'
const migration = (...statements: readonly string[]): Migration => ({
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
})

const first = {
  '0001': migration(
    'create table users (id integer primary key, email text)',
    'create table posts (id integer primary key, author integer references users (id) on delete cascade)',
    `insert into users values (1, 'ada'), (2, 'grace')`,
    'insert into posts values (1, 1), (2, 2)',
  ),
}
/** What SQLite's manual has for most changes of a table. */
const rebuilding = (rows: string) => ({
  ...first,
  '0002': migration(
    'create table new_users (id integer primary key, email text not null unique)',
    `insert into new_users ${rows}`,
    'drop table users',
    'alter table new_users rename to users',
  ),
})

let path: string
let database: SqliteDatabase
let db: Kysely<unknown>
beforeEach(async () => {
  path = await newPath()
  database = await openSqlite({ path, busyTimeoutMs: 1, idleInTransactionTimeoutMs: 1 })
  db = database.kysely as unknown as Kysely<unknown>
})
afterEach(() => database.close())
afterAll(removeFiles)

async function getValues(query: string): Promise<unknown[]> {
  const { rows } = await sql.raw<object>(query).execute(db)
  return rows.flatMap((row) => Object.values(row) as unknown[])
}

it('keeps the rows that refer to a recreated table', async () => {
  await migrate(db, first, { table })
  await migrate(db, rebuilding('select * from users'), { table })
  expect(await getValues('select author from posts')).toEqual([1, 2])
  expect(await getValues('pragma foreign_keys')).toEqual([1])
  await expect(sql`insert into posts values (3, 99)`.execute(db)).rejects.toMatchObject({
    code: 'SQLITE_CONSTRAINT_FOREIGNKEY',
  })
})

it('keeps them where a plugin changes the names of columns, by which they were all deleted', async () => {
  await migrate(db, first, { table })
  await migrate(db.withPlugin(new CamelCasePlugin()), rebuilding('select * from users'), { table })
  expect(await getValues('select author from posts')).toEqual([1, 2])
})

it.each([
  ['', []],
  [', where a plugin changes the names of columns', [new CamelCasePlugin()]],
])('changes nothing when the connection that enforced no foreign keys was replaced%s', async (_, plugins) => {
  await migrate(db, first, { table })
  const dialect = createSqliteDialect({ path })
  const createDriver = (): Driver => {
    const driver = dialect.createDriver()
    const begin = driver.beginTransaction.bind(driver)
    driver.beginTransaction = async (connection, settings) => {
      await connection.executeQuery(CompiledQuery.raw('pragma foreign_keys = on'))
      await begin(connection, settings)
    }
    return driver
  }
  const replaced = new Kysely<unknown>({ dialect: { ...dialect, createDriver }, plugins })
  const migrating = migrate(replaced, rebuilding('select * from users'), { table })
  await expect(migrating).rejects.toMatchObject({
    code: 'WORKER_DIED',
    message: expect.stringContaining('Foreign keys are enforced again') as string,
  })
  await replaced.destroy()
  expect(await getValues('select author from posts')).toEqual([1, 2])
})

it('leaves no row that refers to none, and says in which tables there would be one', async () => {
  await migrate(db, first, { table })
  const migrating = migrate(db, rebuilding('select * from users where id = 1'), { table })
  await expect(migrating).rejects.toMatchObject({
    code: 'DATABASE_INCONSISTENT',
    message: expect.stringContaining('(posts → users)') as string,
  })
  expect(await getValues('select id from users')).toEqual([1, 2])
  expect(await getValues('select author from posts')).toEqual([1, 2])
  expect(await getValues('pragma foreign_keys')).toEqual([1])
})

it('enforces foreign keys again when a migration has failed', async () => {
  await expect(migrate(db, { '0001': migration('nonsense') }, { table })).rejects.toThrow('nonsense')
  expect(await getValues('pragma foreign_keys')).toEqual([1])
})

it('is not kept from running by what was wrong before', async () => {
  await migrate(db, first, { table })
  const raw = new Database(path)
  raw.exec(`pragma foreign_keys = off; insert into posts values (3, 99);
    create table odd (id integer references users (email)); insert into odd values (1)`)
  raw.close()
  await migrate(db, { ...first, '0002': migration('drop table odd') }, { table })
  await migrate(db, { ...first, '0002': migration(), '0003': migration('create table more (id)') }, { table })
  expect(await getValues('select author from posts')).toEqual([1, 2, 99])
})

it('waits while another process writes, for longer than a statement does', async () => {
  const other = new Database(path)
  other.exec('begin immediate')
  const migrating = migrateWithTimeout(db, first, { table }, { timeoutMs: 60_000, pauseMs: 1 })
  // Its turn comes after the first attempt.
  await expect(db.transaction().execute(async () => undefined)).rejects.toMatchObject({ code: 'OVERLOADED' })
  other.exec('commit')
  other.close()
  await migrating
  expect(await getValues('select id from users')).toEqual([1, 2])
})

it('says so when another process writes all the time', async () => {
  const other = new Database(path)
  other.exec('begin immediate')
  await expect(migrateWithTimeout(db, first, { table }, { timeoutMs: 0, pauseMs: 1 })).rejects.toMatchObject({
    code: 'DATABASE_BUSY',
    cause: { code: 'SQLITE_BUSY' },
  })
  other.close()
})

it('does not retry a failed migration whose error looks like a busy database', async () => {
  let tries = 0
  const up = async () => {
    tries += 1
    throw Object.assign(new Error('of another database'), { code: 'SQLITE_BUSY' })
  }
  await expect(migrate(db, { '0001': { up } }, { table })).rejects.toThrow('of another database')
  expect(tries).toBe(1)
})

it('lets a migration take its time between two statements', async () => {
  const up = async (own: Kysely<unknown>) => {
    await sql`create table slow (id integer)`.execute(own)
    await sleep(50)
    await sql`insert into slow values (1)`.execute(own)
  }
  await migrate(db, { '0001': { up } }, { table })
  expect(await getValues('select id from slow')).toEqual([1])
})
