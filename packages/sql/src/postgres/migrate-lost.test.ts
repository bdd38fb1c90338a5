import { describeWith } from '@sallyport/test-support/services'
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { Client } from 'pg'
import { expect, it } from 'vitest'
import { openPostgres } from './index.ts'

const table = 'test_migrations'

const doors: Migration = {
  up: (db: Kysely<unknown>) => db.schema.createTable('doors').addColumn('id', 'text').execute(),
}
const width: Migration = {
  up: (db: Kysely<unknown>) => db.schema.alterTable('doors').addColumn('width', 'integer').execute(),
}

describeWith('postgres', (postgres) => {
  // Kysely reports a connection that "has been discarded", without the cause.
  it('names the server and the reason of a lost connection, and the next attempt succeeds', async () => {
    const database = await openPostgres(postgres())
    const other = new Client({ connectionString: postgres().url })
    await other.connect()
    const waiting = async () => {
      const { rows } = await other.query<{ ended: boolean }>(
        `select pg_terminate_backend(pid) as ended from pg_locks
          where relation = 'doors'::regclass and not granted`,
      )
      return rows
    }
    try {
      await database.migrate({ '0001-doors': doors }, { table })
      await other.query('begin; select from doors')
      const migrating = database.migrate({ '0001-doors': doors, '0002-width': width }, { table })
      const refused = expect(migrating).rejects.toMatchObject({
        name: 'PostgresConnectionError',
        code: '57P01',
        message: expect.stringMatching(/^The connection to PostgreSQL at .+ was lost: terminating/) as string,
      })
      await expect.poll(waiting).toEqual([{ ended: true }])
      await refused
      await other.query('commit')
      await database.migrate({ '0001-doors': doors, '0002-width': width }, { table })
    } finally {
      await other.end()
      await database.close()
    }
  })
})
