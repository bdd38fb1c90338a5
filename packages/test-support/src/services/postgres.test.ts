import pg from 'pg'
import { expect, it } from 'vitest'
import { describeWith } from './index.ts'
import { postgres as service } from './postgres.ts'

async function databasesAt(url: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ datname: string }>('select datname from pg_database')
  await client.end()
  return rows.map(({ datname }) => datname)
}

describeWith('postgres', (postgres) => {
  it('gives a suite a separate empty database', async () => {
    const client = new pg.Client({ connectionString: postgres().url })
    await client.connect()
    const { rows } = await client.query(
      `select current_database() as name, count(*)::int as tables
       from information_schema.tables where table_schema = 'public'`,
    )
    await client.end()
    expect(rows).toEqual([{ name: new URL(postgres().url).pathname.slice(1), tables: 0 }])
  })

  it('drops a database with open connections', async () => {
    const opened = await service.open()
    const { url } = opened.connection
    const client = new pg.Client({ connectionString: url })
    const ended = new Promise((resolve) => client.on('error', resolve))
    await client.connect()
    await opened.close()
    await ended
    expect(await databasesAt(postgres().url)).not.toContain(new URL(url).pathname.slice(1))
  })
})
