import { describeWith } from '@sallyport/test-support/services'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { createProxy } from '../../test/proxy.ts'
import { getDelivery } from '../../test/records.ts'
import { openPostgres } from './index.ts'
import { createPreparing } from './prepared.ts'
import type { SharedClient, Statement } from './shared-pool.ts'

describeWith('postgres', (postgres) => {
  it('are prepared once for each connection', async () => {
    const pool = new pg.Pool({ connectionString: postgres().url, max: 1 })
    const database = await openPostgres({ pool })
    await database.migrate()
    const inbox = database.inbox()
    for (const key of ['a', 'b', 'c']) await inbox.record(getDelivery(key))
    const known = await pool.query(`select from pg_prepared_statements where name like 'sallyport%'`)
    expect(known.rowCount).toBe(1)
    await database.close()
    await pool.end()
  })

  it('go without names where a connection is not the one that they were prepared on', async () => {
    const pool = new pg.Pool({ connectionString: postgres().url, max: 1 })
    const database = await openPostgres({ pool })
    const inbox = database.inbox()
    await inbox.record(getDelivery('pooler:a'))
    // As what a pooler lends next: names that its client has given are not there, and those of others are.
    await pool.query('deallocate all')
    expect((await inbox.record(getDelivery('pooler:b'))).events).toEqual([
      { id: 'pooler:b', duplicate: false },
    ])
    await pool.query('deallocate all')
    expect((await inbox.record(getDelivery('pooler:b'))).events).toEqual([
      { id: 'pooler:b', duplicate: true },
    ])
    expect((await pool.query('select from pg_prepared_statements')).rowCount).toBe(0)
    await database.close()
    await pool.end()
  })

  it('outlive a migration that changes the type of a column, after which every one was once refused for good', async () => {
    const database = await openPostgres({ url: postgres().url, schema: 'newer_release', maxConnections: 1 })
    await database.migrate()
    const inbox = database.inbox()
    await inbox.record(getDelivery('migrated:a'))
    await sql`alter table newer_release.idempotency_keys alter column key type varchar`.execute(
      database.kysely,
    )
    for (const duplicate of [false, true]) {
      const { events } = await inbox.record(getDelivery('migrated:b'))
      expect(events).toEqual([{ id: 'migrated:b', duplicate }])
    }
    await database.close()
  })

  it('are tried once more at most where the server does not support what they ask for', async () => {
    const connection = new pg.Client({ connectionString: postgres().url })
    await connection.connect()
    const client = connection as unknown as SharedClient
    const names: (string | undefined)[] = []
    const counted = {
      query(statement: Statement) {
        names.push(statement.name)
        return client.query(statement)
      },
    } as SharedClient
    const preparing = createPreparing()
    const statement = { text: '/* prepared */ select count(*) from pg_class for update', values: [] }
    for (let asked = 0; asked < 2; asked++) {
      await expect(preparing.query(counted, statement)).rejects.toMatchObject({ code: '0A000' })
    }
    expect(names).toEqual([expect.stringMatching(/^sallyport_/), undefined, undefined])
    await connection.end()
  })

  it('have no names in a transaction, which their refusal would end', async () => {
    const pool = new pg.Pool({ connectionString: postgres().url, max: 1 })
    const database = await openPostgres({ pool })
    await database.inbox().record(getDelivery('transaction:a'))
    await pool.query('deallocate all')
    const { events } = await database.kysely
      .transaction()
      .execute((transaction) => database.within(transaction).record(getDelivery('transaction:b')))
    expect(events).toEqual([{ id: 'transaction:b', duplicate: false }])
    await database.close()
    await pool.end()
  })

  it('are not waited for without end when plans are to be forgotten on a connection that went silent', async () => {
    const proxy = await createProxy(postgres().url)
    const database = await openPostgres({ url: proxy.url, statementTimeoutMs: 200, maxConnections: 1 })
    const inbox = database.inbox()
    await inbox.record(getDelivery('discard:a'))
    vi.useFakeTimers({ toFake: ['performance'] })
    vi.advanceTimersByTime(60_000)
    proxy.freeze()
    await expect(inbox.record(getDelivery('discard:b'))).rejects.toMatchObject({ code: 'INBOX_UNAVAILABLE' })
    vi.useRealTimers()
    proxy.thaw()
    await database.close()
    await proxy.close()
  })
})
