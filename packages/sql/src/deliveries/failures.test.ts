import { describeWith } from '@sallyport/test-support/services'
import { sql, type Kysely } from 'kysely'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { newPath, removeFiles } from '../../test/files.ts'
import { getDelivery } from '../../test/records.ts'
import type { InboxTables } from '../internal/tables.ts'
import { openPostgres, type PostgresDatabase } from '../postgres/index.ts'
import { openSqlite, type SqliteDatabase } from '../sqlite/index.ts'

function testManyAttempts(open: () => Promise<SqliteDatabase | PostgresDatabase>): void {
  let database: SqliteDatabase | PostgresDatabase | undefined
  afterEach(() => database?.close())

  it('counts a group whose events have more different attempts than one statement reads', async () => {
    database = await open()
    const inbox = database.inbox()
    const newest = getDelivery('doorbell:newest', { receivedAt: 3000 })
    const oldest = getDelivery('doorbell:oldest', { receivedAt: 500 })
    const others = Array.from({ length: 128 }, (_, index) => getDelivery(`doorbell:${index}`))
    for (const delivery of [newest, ...others, oldest]) await inbox.record(delivery)
    const kysely: Kysely<InboxTables> = database.kysely
    await sql`update events set status = 'dead', last_error = 'refused', attempts = sequence`.execute(kysely)
    const { groups, truncated } = await inbox.failures({ limit: 130 })
    expect(groups).toEqual([
      {
        ...{ status: 'dead', provider: 'doorbell', kind: 'bell.rung', error: 'refused', events: 130 },
        ...{ firstReceivedAt: 500, lastReceivedAt: 3000, newestDelivery: newest.id, endpoints: 0 },
      },
    ])
    expect(truncated).toBe(false)
    expect((await inbox.failures({ limit: 60 })).truncated).toBe(true)
  })
}

describe('on SQLite', () => {
  testManyAttempts(async () => openSqlite({ path: await newPath() }))
  afterAll(removeFiles)
})

describeWith('postgres', (postgres) => {
  testManyAttempts(async () => {
    const database = await openPostgres(postgres())
    await database.migrate()
    return database
  })
})
