import { describeWith } from '@sallyport/test-support/services'
import { sql, type RawBuilder } from 'kysely'
import type { Migration } from 'kysely/migration'
import pg from 'pg'
import { expect, it } from 'vitest'
import { idempotencyMigration } from '../idempotency/tables.ts'
import { sessionsMigration } from '../sessions/tables.ts'
import { getDelivery } from '../../test/records.ts'
import { describeSchema } from '../../test/describe-schema.ts'
import { migrationSql, openPostgres } from './index.ts'

const own = { '0002-idempotency': idempotencyMigration, '0001-sessions': sessionsMigration }
const steps: Readonly<Record<string, Migration>> = {
  '0001-doors': { up: (db) => db.schema.createTable('doors').addColumn('id', 'text').execute() },
  '0002-width': { up: (db) => db.schema.alterTable('doors').addColumn('width', 'integer').execute() },
}
const table = 'my_migrations'

describeWith('postgres', (postgres) => {
  async function run(statements: string): Promise<void> {
    const client = new pg.Client({ connectionString: postgres().url })
    await client.connect()
    try {
      await client.query(`begin; ${statements} commit;`)
    } finally {
      await client.end()
    }
  }
  const printed = async (...options: Parameters<typeof migrationSql>) =>
    (await migrationSql(...options)).map((migration) => migration.sql).join('')

  /** The statements of each step, in order. */
  async function printedSteps(schema: string): Promise<readonly [string, string]> {
    const [doors, width] = await migrationSql({ schema, migrations: steps, table })
    return [doors!.sql, width!.sql]
  }

  it('prints what makes the same tables as migrating does', async () => {
    await using migrated = await opened('migrated')
    await migrated.migrate()
    await migrated.migrate(own, { table })
    await run(
      (await printed({ schema: 'printed' })) + (await printed({ schema: 'printed', migrations: own, table })),
    )
    await using bySql = await opened('printed')
    const [first, second] = [
      await describeSchema(bySql.kysely, 'migrated'),
      await describeSchema(bySql.kysely, 'printed'),
    ]
    expect(first.length).toBeGreaterThan(100)
    expect(second).toEqual(first)
    await bySql.check()
    await bySql.check(own, { table })
    await bySql.migrate()
    await bySql.inbox().record(getDelivery('a'))
  })

  it('prints into the first schema of the search path, unless one is named', async () => {
    await run(await printed())
    const database = await openPostgres(postgres())
    await database.check()
    await database.close()
    expect(await printed({ schema: `a "b\\'` })).toContain(`"a ""b\\'"`)
  })

  it('leaves the search path of the session, which used to lead what came next into the schema', async () => {
    const client = new pg.Client({ connectionString: postgres().url })
    await client.connect()
    await client.query('set search_path to elsewhere, public')
    await client.query(`begin; ${await printed({ schema: 'visited' })} commit;`)
    expect((await client.query('show search_path')).rows).toEqual([{ search_path: 'elsewhere, public' }])
    await client.end()
  })

  it('times out on a table that a reader has locked', async () => {
    await using database = await opened('held')
    const [doors, width] = await printedSteps('held')
    await run(doors)
    const reader = new pg.Client({ connectionString: postgres().url })
    await reader.connect()
    try {
      await reader.query('begin; select from held.doors')
      await expect(run(width)).rejects.toMatchObject({ code: '55P03' })
      await expect(database.check(steps, { table })).rejects.toMatchObject({
        message: expect.stringContaining('lacks the migrations 0002-width of') as string,
      })
    } finally {
      await reader.end()
    }
    await run(width)
    await database.check(steps, { table })
  })

  it('lets the rest of a transaction wait for locks as before', async () => {
    const client = new pg.Client({ connectionString: postgres().url })
    await client.connect()
    await client.query(`set lock_timeout = '7s'; begin; ${await printed({ schema: 'waiting' })}`)
    expect((await client.query('show lock_timeout')).rows).toEqual([{ lock_timeout: '7s' }])
    await client.end()
  })

  it('dates none before those of a clock that was ahead, which the migrator used to refuse', async () => {
    await using database = await opened('ahead')
    const [doors, width] = await printedSteps('ahead')
    await run(doors)
    const later = new Date(Date.now() + 3_600_000).toISOString()
    await run(`update ahead.${table} set timestamp = '${later}';`)
    await run(width)
    await database.migrate(steps, { table })
  })

  it('needs no privilege to create a schema that exists', async () => {
    const [role, schema] = ['"limited"', `it's "$$" \ here`]
    const quoted = `"${schema.replaceAll('"', '""')}"`
    await run(`create role ${role}; create schema ${quoted} authorization ${role}; set local role ${role};
      ${await printed({ schema })} reset role; drop schema ${quoted} cascade; drop role ${role};`)
  })

  it('checks an empty, an older and a newer database', async () => {
    await using database = await opened('checked')
    const check = () => database.check(steps, { table })
    const lacks = (names: string) => ({
      code: 'DATABASE_TOO_OLD',
      message: `The database lacks the migrations ${names} of ${table}: run them, and start again`,
    })
    await expect(check()).rejects.toMatchObject(lacks('0001-doors, 0002-width'))
    const [doors, width] = await printedSteps('checked')
    await run(doors)
    await expect(check()).rejects.toMatchObject(lacks('0002-width'))
    await run(width)
    await check()
    await run(`insert into checked.${table} values ('0099-later@0002-width', '2099');`)
    await check()
    await run(`insert into checked.${table} values ('0100-later', '2099');`)
    await expect(check()).rejects.toMatchObject({ code: 'DATABASE_TOO_NEW' })
  })

  it('checks the inbox before and after its printed migration', async () => {
    await using database = await opened('inbox')
    await expect(database.check()).rejects.toMatchObject({
      message: expect.stringMatching(/0001-initial.* of sallyport_migrations/) as string,
    })
    await run(await printed({ schema: 'inbox' }))
    await database.check()
  })

  it('refuses to print what depends on a database', async () => {
    const running = (statement: RawBuilder<unknown>): Migration => ({
      async up(db) {
        await statement.execute(db)
      },
    })
    const reading = running(sql`select 1`)
    const inserting = running(sql`insert into a values (${1})`)
    for (const migration of [reading, inserting]) {
      await expect(migrationSql({ migrations: { a: migration }, table })).rejects.toThrow(TypeError)
    }
  })

  it('refuses migrations without a table, which would pass for unknown ones of the inbox', async () => {
    for (const half of [{ migrations: own }, { table }])
      await expect(migrationSql(half)).rejects.toThrow('belong together')
  })

  async function opened(schema: string) {
    const database = await openPostgres({ ...postgres(), schema })
    return { ...database, [Symbol.asyncDispose]: () => database.close() }
  }
})
