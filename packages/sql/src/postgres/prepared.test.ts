import { describeWith } from '@sallyport/test-services'
import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { createProxy } from '../../test/proxy.ts'
import { deliveryOf } from '../../test/records.ts'
import { openPostgres } from './index.ts'

describeWith('postgres', (postgres) => {
  it('are prepared once for each connection', async () => {
    const pool = new pg.Pool({ connectionString: postgres().url, max: 1 })
    const database = await openPostgres({ pool })
    await database.migrateInbox()
    const inbox = database.inbox()
    for (const key of ['a', 'b', 'c']) await inbox.record(deliveryOf(key))
    const known = await pool.query(`select from pg_prepared_statements where name like 'sallyport%'`)
    expect(known.rowCount).toBe(1)
    await database.close()
    await pool.end()
  })

  it('go without names where a connection is not the one that they were prepared on', async () => {
    const pool = new pg.Pool({ connectionString: postgres().url, max: 1 })
    const database = await openPostgres({ pool })
    const inbox = database.inbox()
    await inbox.record(deliveryOf('pooler:a'))
    // As what a pooler lends next: names that its client has given are not there, and those of others are.
    await pool.query('deallocate all')
    expect((await inbox.record(deliveryOf('pooler:b'))).events).toEqual([
      { id: 'pooler:b', duplicate: false },
    ])
    await pool.query('deallocate all')
    expect((await inbox.record(deliveryOf('pooler:b'))).events).toEqual([{ id: 'pooler:b', duplicate: true }])
    expect((await pool.query('select from pg_prepared_statements')).rowCount).toBe(0)
    await database.close()
    await pool.end()
  })

  it('have no names in a transaction, which their refusal would end', async () => {
    const pool = new pg.Pool({ connectionString: postgres().url, max: 1 })
    const database = await openPostgres({ pool })
    await database.inbox().record(deliveryOf('transaction:a'))
    await pool.query('deallocate all')
    const { events } = await database.kysely
      .transaction()
      .execute((transaction) => database.within(transaction).record(deliveryOf('transaction:b')))
    expect(events).toEqual([{ id: 'transaction:b', duplicate: false }])
    await database.close()
    await pool.end()
  })

  it('are not waited for without end when plans are to be forgotten on a connection that went silent', async () => {
    const proxy = await createProxy(postgres().url)
    const database = await openPostgres({ url: proxy.url, statementTimeoutMs: 200, maxConnections: 1 })
    const inbox = database.inbox()
    await inbox.record(deliveryOf('discard:a'))
    vi.useFakeTimers({ toFake: ['performance'] })
    vi.advanceTimersByTime(60_000)
    proxy.freeze()
    await expect(inbox.record(deliveryOf('discard:b'))).rejects.toMatchObject({ code: 'INBOX_UNAVAILABLE' })
    vi.useRealTimers()
    proxy.thaw()
    await database.close()
    await proxy.close()
  })
})
