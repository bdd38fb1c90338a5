import { describeWith } from '@sallyport/test-support/services'
import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Pool, type PoolConfig } from 'pg'
import { expect, it } from 'vitest'
import { migratePostgres } from './migrate.ts'

const doors: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create table if not exists doors (id text)`.execute(db)
    await sleep(100)
    await sql`select from doors`.execute(db)
  },
}

// The settings are those of a pool whose connections serve requests: migrations take what they take.
describeWith('postgres', (postgres) => {
  const migrate = (settings: PoolConfig, table: string) =>
    migratePostgres(
      () => new Pool({ connectionString: postgres().url, ...settings }),
      { '0001-doors': doors },
      { table, schema: undefined },
      { lockTimeoutMs: 60_000, pauseMs: 0, attempts: 1 },
    )

  it('takes longer between two statements than a transaction may be idle', async () => {
    await migrate({ idle_in_transaction_session_timeout: 10 }, 'idle_migrations')
  })

  it('begins again after a deadlock with a statement of another process', async () => {
    const other = new Client({ connectionString: postgres().url })
    await other.connect()
    await other.query('create table first (); create table second ()')
    await other.query('begin; lock table second in row exclusive mode')
    const alter: Migration = {
      async up(db: Kysely<unknown>) {
        await sql`alter table first add column later text`.execute(db)
        await sql`alter table second add column later text`.execute(db)
      },
    }
    const migrating = migratePostgres(
      () => new Pool({ connectionString: postgres().url }),
      { '0001-alter': alter },
      { table: 'deadlocked_migrations', schema: undefined },
      { lockTimeoutMs: 60_000, pauseMs: 0, attempts: 2 },
    )
    const waiting = `select 1 from pg_locks l join pg_database d on d.oid = l.database
      where d.datname = current_database() and not l.granted`
    await expect.poll(async () => (await other.query(waiting)).rowCount).toBe(1)
    // Completes once the migration, which waits for longer, was ended.
    await other.query('lock table first in row exclusive mode')
    await other.query('commit')
    await migrating
    await other.end()
  })

  it('waits longer for the table of migrations than a statement may for a lock', async () => {
    await migrate({}, 'locked_migrations')
    const other = new Client({ connectionString: postgres().url })
    await other.connect()
    try {
      await other.query('begin; lock table locked_migrations')
      const migrating = migrate({ lock_timeout: 10 }, 'locked_migrations')
      expect(await Promise.race([migrating, sleep(200, 'waiting')])).toBe('waiting')
      await other.query('commit')
      await migrating
    } finally {
      await other.end()
    }
  })
})
