import { describeWith } from '@sallyport/test-support/services'
import { sql, type Kysely } from 'kysely'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { newPath, removeFiles } from '../../test/files.ts'
import { getDelivery } from '../../test/records.ts'
import type { InboxTables } from '../internal/tables.ts'
import { openPostgres, type PostgresDatabase } from '../postgres/index.ts'
import { openSqlite, type SqliteDatabase } from '../sqlite/index.ts'

/** Copies the only delivery and its event until there are 24,000, received one second after the other. */
async function copyDelivery(db: Kysely<InboxTables>): Promise<void> {
  const numbers = sql`with recursive numbers (i) as (select 2 union all select i + 1 from numbers where i < 24000)`
  await sql`${numbers} insert into deliveries (sequence, id, provider, received_at, headers, body_bytes)
    select i, 'delivery-' || i, provider, i * 1000, headers, body_bytes
    from deliveries, numbers where sequence = 1`.execute(db)
  const columns = sql`provider, name, ts, data, manual, route, attempts, since, due_at`
  // The texts are those of the oldest 12,000 deliveries, of the newest 12,000, and of all.
  await sql`${numbers} insert into events (sequence, delivery, id, received_at, subject, status, ${columns})
    select i, i, 'event-' || i, i * 1000, 'octo-org/' || case when i <= 12000 then 'old/' else 'new/' end || i,
      case when i % 2 = 0 then 'dead' else status end, ${columns}
    from events, numbers where sequence = 1`.execute(db)
}

function testFrequentText(open: () => Promise<SqliteDatabase | PostgresDatabase>): void {
  let database: SqliteDatabase | PostgresDatabase | undefined
  afterEach(() => database?.close())

  it('lists each page of a text that many subjects begin with', async () => {
    database = await open()
    const inbox = database.inbox()
    await inbox.record(getDelivery('doorbell:first', { receivedAt: 1000 }))
    await copyDelivery(database.kysely)
    const list = async (query: Omit<Parameters<typeof inbox.list>[0], 'limit'>) => {
      const found = await inbox.list({ ...query, limit: 3 })
      return found.map(({ sequence }) => sequence)
    }
    expect(await list({ text: 'octo-org/' })).toEqual([24_000, 23_999, 23_998])
    expect(await list({ text: 'octo-org/new/' })).toEqual([24_000, 23_999, 23_998])
    expect(await list({ text: 'octo-org/old/' })).toEqual([12_000, 11_999, 11_998])
    expect(await list({ text: 'octo-org/', order: 'oldest' })).toEqual([2, 3, 4])
    expect(await list({ text: 'octo-org/old/', order: 'oldest' })).toEqual([2, 3, 4])
    expect(await list({ text: 'octo-org/new/', order: 'oldest' })).toEqual([12_001, 12_002, 12_003])
    expect(await list({ text: 'octo-org/old/', status: 'dead' })).toEqual([12_000, 11_998, 11_996])
    expect(await list({ text: 'octo-org/old/', offset: 11_997 })).toEqual([3, 2])
    expect(await list({ text: 'octo-org/new/', offset: 11_999 })).toEqual([12_001])
    const after = { receivedAt: 12_002_000, sequence: 12_002 }
    expect(await list({ text: 'octo-org/new/', after })).toEqual([12_001])
    expect(await list({ text: 'octo-org/old/', after, receivedBefore: 11_000_000 })).toEqual([
      10_999, 10_998, 10_997,
    ])
    expect(await list({ text: 'octo-org/old/', receivedAfter: 12_000_000 })).toEqual([])
    expect(await inbox.countDeliveries({ text: 'octo-org/old/' })).toBe(11_999)
    expect(await inbox.countDeliveries({ text: 'octo-org/old/' }, { countUpTo: 100 })).toBe(100)
    expect(await inbox.countDeliveries({ text: 'octo-org/new/', status: 'dead' })).toBe(6000)
  })
}

describe('on SQLite', () => {
  testFrequentText(async () => openSqlite({ path: await newPath() }))
  afterAll(removeFiles)
})

describeWith('postgres', (postgres) => {
  testFrequentText(async () => {
    const database = await openPostgres(postgres())
    await database.migrate()
    return database
  })
})
