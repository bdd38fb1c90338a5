import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { newPath, removeFiles } from '../../test/files.ts'
import { openSqlite, type SqliteDatabase } from './index.ts'
import { migrate } from './migrate.ts'
import { inboxMigrations } from './migrations.ts'
import { claimQueries } from './claim.ts'
import { laneQueries } from './claim-lanes.ts'
import { rescheduleQueries } from './reschedule.ts'

const opened: SqliteDatabase[] = []
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close()
})
afterAll(removeFiles)

async function open(path: string): Promise<SqliteDatabase> {
  const database = await openSqlite({ path })
  opened.push(database)
  return database
}

describe('openSqlite', () => {
  it('makes a folder and a file that only their owner reads', async () => {
    const path = await newPath()
    const database = await open(path)
    await database.inbox().ping()
    expect((await stat(dirname(path))).mode & 0o777).toBe(0o700)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await stat(`${path}-wal`)).mode & 0o777).toBe(0o600)
  })

  it('survives many that open a new file at once', async () => {
    const path = await newPath()
    const databases = await Promise.all(Array.from({ length: 6 }, () => open(path)))
    for (const database of databases) await database.inbox().ping()
    const migrations = await databases[0]!.kysely
      .$extendTables<{ sallyport_migrations: { name: string } }>()
      .selectFrom('sallyport_migrations')
      .select('name')
      .execute()
    expect(migrations.map(({ name }) => name)).toEqual(Object.keys(inboxMigrations))
  })

  it('refuses a database of a newer version, and leaves it as it is', async () => {
    const path = await newPath()
    await (await open(path)).close()
    const raw = new Database(path)
    raw.prepare(`insert into sallyport_migrations values ('9999-future@', '2099-01-01T00:00:00.000Z')`).run()
    raw.close()
    await expect(openSqlite({ path })).rejects.toMatchObject({
      code: 'DATABASE_TOO_NEW',
      message: expect.stringContaining('9999-future') as string,
    })
  })

  it('rejects a file that is not a database, and a path that is not a file', async () => {
    const path = await newPath()
    await mkdir(dirname(path))
    await writeFile(path, 'not a database, and long enough to differ from an empty one'.repeat(20))
    await expect(openSqlite({ path })).rejects.toMatchObject({ name: 'SqliteError', code: 'SQLITE_NOTADB' })
    await expect(openSqlite({ path: '' })).rejects.toThrow(
      new TypeError('path is empty: set the path of a file, such as ./data/app.db'),
    )
    for (const none of [':memory:', 'file:./inbox.db']) {
      await expect(openSqlite({ path: none })).rejects.toBeInstanceOf(TypeError)
    }
    // It once said that it could not read the properties of undefined.
    await expect(openSqlite({} as never)).rejects.toThrow(new TypeError('path must be the path of a file'))
  })

  // Without this check, SQLite reports another option name, and an invalid limit bounds nothing.
  it.each([
    [{ limits: { waiting: Number.NaN } }, 'limits.waiting must be an integer of at least 0'],
    [{ limits: { waitingBytes: Number.NaN } }, 'limits.waitingBytes must be an integer of at least 0'],
    [{ limits: { waiting: -1 } }, 'limits.waiting must be an integer of at least 0'],
    [{ busyTimeoutMs: Number.NaN }, 'busyTimeoutMs must be an integer from 0 to 2147483647'],
    [{ busyTimeoutMs: -1 }, 'busyTimeoutMs must be an integer from 0 to 2147483647'],
  ])('refuses %j before it makes a file', async (options, message) => {
    const path = await newPath()
    await expect(openSqlite({ path, ...options })).rejects.toThrow(new TypeError(message))
    await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('accepts infinite limits', async () => {
    const path = await newPath()
    opened.push(await openSqlite({ path, busyTimeoutMs: 0, limits: { waiting: Infinity, waitingBytes: 0 } }))
  })

  it('keeps the page cache honest: WAL, synced at every commit, with foreign keys', async () => {
    const { kysely } = await open(await newPath())
    const pragma = async (name: string) => {
      const { rows } = await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(kysely)
      return Object.values(rows[0] ?? {})[0]
    }
    expect(await pragma('journal_mode')).toBe('wal')
    expect(await pragma('synchronous')).toBe(2)
    expect(await pragma('foreign_keys')).toBe(1)
  })

  it.each([
    ['publish', 'events_due'],
    ['notify', 'notifications_due'],
  ] as const)('finds what is due to %s by an index, without sorting', async (work, index) => {
    const path = await newPath()
    await (await open(path)).close()
    const raw = new Database(path)
    const { due, nextProvider } = claimQueries[work]
    const getPlan = (query: string, ...parameters: readonly unknown[]) =>
      raw.prepare<unknown[], { detail: string }>(`explain query plan ${query}`).all(...parameters)
    const plans = [...getPlan(due, 'doorbell', 1, 1), ...getPlan(nextProvider, 'doorbell')]
    const asked = { at: 1, leaseEnd: 2, latest: 3, provider: 'doorbell' }
    const rescheduling = getPlan(rescheduleQueries[work], asked).map(({ detail }) => detail)
    raw.close()
    expect(plans[0]?.detail).toContain(`INDEX ${index} (provider=? AND <expr><?)`)
    expect(plans[1]?.detail).toContain(`INDEX ${index} (provider>?)`)
    expect(plans).toHaveLength(2)
    expect(rescheduling).toContainEqual(expect.stringContaining(`INDEX ${index} (provider=? AND <expr>>?)`))
  })

  it('finds due lanes and their next events by an index, without sorting', async () => {
    const path = await newPath()
    await (await open(path)).close()
    const raw = new Database(path)
    const getPlan = (query: string, ...parameters: readonly unknown[]) =>
      raw
        .prepare<unknown[], { detail: string }>(`explain query plan ${query}`)
        .all(...parameters)
        .map(({ detail }) => detail)
    const [due, next] = [getPlan(laneQueries.due, 1, 1, 1), getPlan(laneQueries.next, 'a', 1)]
    const rescheduling = getPlan(rescheduleQueries.lanes, { at: 1, leaseEnd: 2, latest: 3 })
    raw.close()
    expect(due).toEqual([expect.stringContaining('INDEX lanes_due (<expr><?)')])
    expect(next[0]).toContain('INDEX events_by_lane (lane=?)')
    expect(next.filter((detail) => detail.includes('B-TREE'))).toEqual([])
    expect(rescheduling).toContainEqual(expect.stringContaining('INDEX lanes_due (<expr>>?)'))
  })
})

describe('migrate', () => {
  const create = (table: string) => ({
    async up(db: SqliteDatabase['kysely']) {
      await db.schema.createTable(table).addColumn('id', 'text').execute()
    },
  })

  it('runs the migrations of an application once, in addition to those of the package', async () => {
    const { kysely } = await open(await newPath())
    const migrations = { '0001-users': create('users') }
    await migrate(kysely, migrations, { table: 'my_migrations' })
    await migrate(kysely, migrations, { table: 'my_migrations' })
    await migrate(kysely, { ...migrations, '0002-posts': create('posts') }, { table: 'my_migrations' })
    await expect(migrate(kysely, migrations, { table: 'my_migrations' })).rejects.toMatchObject({
      code: 'DATABASE_TOO_NEW',
    })
  })

  it('accepts a newer migration that is marked as understood', async () => {
    const { kysely } = await open(await newPath())
    const options = { table: 'my_migrations' }
    const known = { '0001-users': create('users') }
    const later = { ...known, '0002-posts@0001-users': create('posts') }
    await migrate(kysely, later, options)
    await migrate(kysely, known, options)
    await migrate(kysely, { ...later, '0003-more@0002-posts@0001-users': create('more') }, options)
    await expect(migrate(kysely, known, options)).rejects.toMatchObject({
      code: 'DATABASE_TOO_NEW',
      message: expect.stringContaining('(0003-more@0002-posts@0001-users)') as string,
    })
  })

  it('rolls all migrations back when one fails', async () => {
    const { kysely } = await open(await newPath())
    const migrations = { '0001-users': create('users'), '0002-events': create('events') }
    await expect(migrate(kysely, migrations, { table: 'my_migrations' })).rejects.toThrow('already exists')
    const tables = (await kysely.introspection.getTables()).map(({ name }) => name)
    expect(tables).toContain('events')
    expect(tables).not.toContain('users')
    expect(tables).not.toContain('my_migrations')
  })
})
