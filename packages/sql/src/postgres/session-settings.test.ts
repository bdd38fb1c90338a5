import { describeWith } from '@sallyport/test-support/services'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, it } from 'vitest'
import { openPostgres } from './index.ts'
import { sessionSettings } from './pool.ts'

const names = ['tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count', 'tcp_user_timeout']
const settings = `select ${names.map((name) => `current_setting('${name}') as ${name}`).join()}`
const asked = {
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '25000',
}

describeWith('postgres', (postgres) => {
  const isLocal = () => new URL(postgres().url).hostname === ''

  it('configures TCP keepalive so that the server ends the session of a lost client', async ({ skip }) => {
    skip(isLocal(), 'Sockets of one machine have no such settings')
    const database = await openPostgres({ ...postgres(), maxConnections: 1 })
    const { rows } = await sql.raw(settings).execute(database.kysely)
    expect(rows).toEqual([asked])
    await database.close()
  })

  it('keeps stricter settings and changes no connection of a shared pool', async ({ skip }) => {
    skip(isLocal(), 'Sockets of one machine have no such settings')
    const url = new URL(postgres().url)
    url.searchParams.set('options', '-c tcp_keepalives_idle=7 -c tcp_keepalives_interval=9')
    const database = await openPostgres({ ...postgres(), url: url.href })
    expect((await sql.raw(settings).execute(database.kysely)).rows).toEqual([
      { ...asked, tcp_keepalives_idle: '7' },
    ])
    await database.close()
    const pool = new pg.Pool({ connectionString: postgres().url, max: 2 })
    const before = await pool.query<typeof asked>(settings)
    const over = await openPostgres({ pool })
    expect((await sql.raw(settings).execute(over.kysely)).rows).toEqual(before.rows)
    await over.close()
    await pool.end()
  })

  it('does without on a server that does not know the settings, and not on a connection that is lost', async () => {
    const failing = (error: Error) =>
      sessionSettings(1000)({ query: () => Promise.reject(error) } as unknown as pg.ClientBase)
    await failing(Object.assign(new Error('The server lacks the setting'), { code: '42704' }))
    const lost = new Error('Connection terminated unexpectedly')
    await expect(failing(lost)).rejects.toBe(lost)
  })
})
