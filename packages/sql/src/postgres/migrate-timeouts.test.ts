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
