import { openPostgres, type PostgresDatabase } from '@sallyport/sql/postgres'
import { describeWith } from '@sallyport/test-support/services'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServerProcess, temporaryDirectory } from '../test/server-process.ts'
import { expectPublished, idsOn, without } from './bus.ts'
import { sendRun, startLoad } from './load.ts'

const secret = 'the secret of the code host'
const unavailable = '503 INBOX_UNAVAILABLE after 5'
const usual = ['200 accepted', '200 duplicate', '401 INVALID_SIGNATURE']

describe('a server whose database', () => {
  describeWith('postgres', (postgres) => {
    let database: PostgresDatabase
    beforeAll(async () => {
      database = await openPostgres({ ...postgres(), applicationName: 'outside' })
    })
    afterAll(() => database.close())

    const cutConnections = () =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name <> 'outside'`.execute(database.kysely)
    const setReadOnly = async (mode: 'on' | 'off') => {
      const name = new URL(postgres().url).pathname.slice(1)
      await sql`alter database ${sql.id(name)} set default_transaction_read_only = ${sql.lit(mode)}`.execute(
        database.kysely,
      )
      // The setting is of sessions that begin from now on.
      await cutConnections()
    }
    const start = (data: string) =>
      startServerProcess({
        DATA_DIR: data,
        DATABASE_URL: postgres().url,
        TRUST_PROXY: '1',
        LOG_LEVEL: 'silent',
        WEBHOOK_SECRET_CODEHOST: secret,
      })

    it('is read-only rejects deliveries until it is writable', async () => {
      await using data = await temporaryDirectory()
      await using server = await start(data.path)
      const target = { base: server.base, secret, first: 1 }
      const load = startLoad(target)
      await expect.poll(() => load.acknowledged.size).toBeGreaterThan(50)
      await setReadOnly('on')
      await expect.poll(() => load.refused.length).toBeGreaterThan(200)
      const { said } = await sendRun(target, 100_000)
      expect(said).toBe(unavailable)
      await load.stop()
      expect(load.cutOff).toBe(0)
      expect([...load.answers.keys()].sort()).toEqual([...usual, unavailable])

      await setReadOnly('off')
      await expect.poll(async () => (await sendRun(target, 1)).status).toBe(200)
      await expectPublished(database.bus(), load)
    })

    it('cuts its connections answers 200 or 503, and keeps every word', async () => {
      await using data = await temporaryDirectory()
      await using server = await start(data.path)
      // The same bus has the events of the first test.
      const before = await idsOn(database.bus())
      const load = startLoad({ base: server.base, secret, first: 200_001 })
      for (const id of before) load.signed.add(id)
      for (let cuts = 1; cuts <= 10; cuts++) {
        const { size } = load.acknowledged
        await expect.poll(() => load.acknowledged.size, { interval: 5 }).toBeGreaterThan(size + 20)
        await cutConnections()
      }
      await load.stop()
      expect(load.cutOff).toBe(0)
      expect(without(load.answers.keys(), [...usual, unavailable])).toEqual([])
      await expectPublished(database.bus(), load)
    })
  })
})
