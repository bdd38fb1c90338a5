import { describeWith } from '@sallyport/test-support/services'
import type { Settlement } from '@sallyport/webhooks'
import type { Kysely } from 'kysely'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { newPath, removeFiles } from '../../test/files.ts'
import { getDelivery } from '../../test/records.ts'
import type { InboxTables } from '../internal/tables.ts'
import { openPostgres, type PostgresDatabase } from '../postgres/index.ts'
import { openSqlite, type SqliteDatabase } from '../sqlite/index.ts'

function testRows(open: () => Promise<SqliteDatabase | PostgresDatabase>): void {
  let database: SqliteDatabase | PostgresDatabase | undefined
  afterEach(() => database?.close())

  it('keeps one row for notifications that are sent together, and a row for each that fails', async () => {
    database = await open()
    const inbox = database.inbox()
    const kysely: Kysely<InboxTables> = database.kysely
    const countRows = async () => [
      (await kysely.selectFrom('notification_batches').select('events').execute()).length,
      (await kysely.selectFrom('notifications').select('event').execute()).length,
    ]
    const publish = async (...ids: readonly string[]) => {
      const all = ids.flatMap((id) => getDelivery(id).events)
      const { events } = await inbox.record(getDelivery('all', { events: all }), { leaseMs: 15_000 })
      const settlements = events.map(({ id, lease = '' }) => settlement(id, lease))
      const results = await inbox.settlePublished?.(settlements, { leaseMs: 15_000 })
      return results?.[0]?.notificationLease ?? ''
    }

    const sent = await publish('sent:a', 'sent:b', 'sent:c')
    expect(await countRows()).toEqual([1, 0])
    const ids = ['sent:a', 'sent:b', 'sent:c']
    await inbox.settle(
      'notify',
      ids.map((id) => settlement(id, sent)),
    )
    expect(await countRows()).toEqual([0, 0])

    const failed = await publish('failed:a', 'failed:b')
    const retry = { status: 'retry', afterMs: 1000, error: 'no answer' } as const
    await inbox.settle('notify', [settlement('failed:a', failed), settlement('failed:b', failed, retry)])
    const rows = await kysely.selectFrom('notifications').select(['status', 'attempts', 'lease']).execute()
    expect(rows.toSorted((a, b) => a.attempts - b.attempts)).toEqual([
      { status: 'sent', attempts: 0, lease: null },
      { status: 'pending', attempts: 1, lease: null },
    ])
  })
}

const settlement = (
  id: string,
  lease: string,
  outcome: Settlement['outcome'] = { status: 'done' },
): Settlement => ({ id, lease, outcome })

describe('on SQLite', () => {
  testRows(async () => openSqlite({ path: await newPath() }))
  afterAll(removeFiles)
})

describeWith('postgres', (postgres) => {
  testRows(async () => {
    const database = await openPostgres(postgres())
    await database.migrate()
    return database
  })
})
