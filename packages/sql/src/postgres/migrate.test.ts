import { describeWith } from '@sallyport/test-support/services'
import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client, Pool } from 'pg'
import { beforeEach, expect, it } from 'vitest'
import { openPostgres } from './index.ts'
import { migratePostgres } from './migrate.ts'

const table = 'test_migrations'
const script = fileURLToPath(new URL('../../test/migrating-process.ts', import.meta.url))

const doors: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.createTable('doors').addColumn('id', 'text').execute()
  },
}
const slow: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`select pg_sleep(0.3)`.execute(db)
  },
}
const failing: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`select 1 / 0`.execute(db)
  },
}

describeWith('postgres', (postgres) => {
  async function migrateWith(migrations: Readonly<Record<string, Migration>>): Promise<void> {
    const database = await openPostgres({ ...postgres(), statementTimeoutMs: 200 })
    try {
      await database.migrate(migrations, { table })
    } finally {
      await database.close()
    }
  }

  async function tables(): Promise<readonly string[]> {
    const { kysely, close } = await openPostgres(postgres())
    const found = await kysely.introspection.getTables({ withInternalKyselyTables: true })
    await close()
    return found.map(({ name }) => name).sort()
  }

  beforeEach(async () => {
    const { kysely, close } = await openPostgres(postgres())
    await sql`drop schema public cascade`.execute(kysely)
    await sql`create schema public`.execute(kysely)
    await close()
  })

  it('runs what has not run yet, in the order of names', async () => {
    await migrateWith({ '0001-doors': doors })
    const ids: Migration = {
      up: (db: Kysely<unknown>) => db.schema.alterTable('doors').addColumn('width', 'integer').execute(),
    }
    await migrateWith({ '0002-width': ids, '0001-doors': doors })
    await migrateWith({ '0001-doors': doors, '0002-width': ids })
    expect(await tables()).toEqual(['doors', table, `${table}_lock`])
  })

  it('takes longer than a statement may', async () => {
    await migrateWith({ '0001-slow': slow, '0002-doors': doors })
    expect(await tables()).toContain('doors')
  })

  it('changes nothing when one fails, says why, and holds no lock', async () => {
    await expect(migrateWith({ '0001-doors': doors, '0002-failing': failing })).rejects.toMatchObject({
      code: '22012',
    })
    expect(await tables()).not.toContain('doors')
    await migrateWith({ '0001-doors': doors })
    expect(await tables()).toContain('doors')
  })

  it('accepts a newer migration that is marked as understood', async () => {
    const known = { '0001-slow': slow }
    await migrateWith({ ...known, '0002-doors@0001-slow': doors })
    await migrateWith(known)
    const database = await openPostgres(postgres())
    await database.check(known, { table })
    await database.close()
    await migrateWith({ ...known, '0002-doors@0001-slow': doors, '0003-slow': slow })
    await expect(migrateWith(known)).rejects.toMatchObject({
      code: 'DATABASE_TOO_NEW',
      message: expect.stringContaining('0003-slow') as string,
    })
  })

  it('accepts an understood migration that runs while this version waits for its turn', async () => {
    const known = { '0001-slow': slow }
    await migrateWith(known)
    await Promise.all([migrateWith({ ...known, '0002-slow@0001-slow': slow }), migrateWith(known)])
  })

  it('takes turns with others of the same process', async () => {
    await Promise.all(
      Array.from({ length: 6 }, () => migrateWith({ '0001-slow': slow, '0002-doors': doors })),
    )
    expect(await tables()).toContain('doors')
  })

  it('takes turns with other processes', async () => {
    const start = () =>
      promisify(execFile)(process.execPath, ['--conditions=@sallyport/source', script, postgres().url])
    const ended = await Promise.all([start(), start()])
    expect(ended.map(({ stdout }) => stdout)).toEqual(['migrated\n', 'migrated\n'])
    const { kysely, close } = await openPostgres(postgres())
    const runs = await sql<{ runs: number }>`select count(*) as runs from runs`.execute(kysely)
    await close()
    expect(runs.rows).toEqual([{ runs: 1 }])
  })

  it('lets other statements use a table locked by a backup and continues afterwards', async () => {
    // A single long wait for the lock would block all later statements on the table.
    await migrateWith({ '0001-doors': doors })
    await whileInUse(async ({ migrateWidth, release }) => {
      let migrated = false
      const migrating = migrateWidth(1000).then(() => (migrated = true))
      const waiting = sql`select from pg_locks where relation = 'doors'::regclass and not granted`
      await withKysely((db) => expect.poll(async () => (await waiting.execute(db)).rows).toHaveLength(1))
      await withKysely((db) => sql`select from doors`.execute(db))
      expect(migrated).toBe(false)
      await release()
      await migrating
    })
    await withKysely((db) => sql`select width from doors`.execute(db))
  })

  it('gives up on a table that stays in use, says so, and has changed nothing', async () => {
    await migrateWith({ '0001-doors': doors })
    await whileInUse(async ({ migrateWidth }) => {
      await expect(migrateWidth(2)).rejects.toMatchObject({ code: 'DATABASE_BUSY' })
    })
    await migrateWith({ '0001-doors': doors })
  })

  const width: Migration = {
    up: (db: Kysely<unknown>) => db.schema.alterTable('doors').addColumn('width', 'integer').execute(),
  }

  interface InUse {
    readonly migrateWidth: (attempts: number) => Promise<void>
    readonly release: () => Promise<unknown>
  }

  /** Reads the table in a transaction that stays open, as a backup does. */
  async function whileInUse(work: (inUse: InUse) => Promise<void>): Promise<void> {
    const reader = new Client({ connectionString: postgres().url })
    await reader.connect()
    try {
      await reader.query('begin; select from doors')
      await work({
        migrateWidth: (attempts) =>
          migratePostgres(
            () => new Pool({ connectionString: postgres().url }),
            { '0001-doors': doors, '0002-width': width },
            { table, schema: undefined },
            { lockTimeoutMs: 50, pauseMs: 10, attempts },
          ),
        release: () => reader.query('commit'),
      })
    } finally {
      await reader.end()
    }
  }

  async function withKysely(work: (db: Kysely<unknown>) => Promise<unknown>): Promise<void> {
    const { kysely, close } = await openPostgres(postgres())
    await work(kysely)
    await close()
  }
})
