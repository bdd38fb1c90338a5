import { describeWith } from '@sallyport/test-support/services'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getDelivery } from '../../test/records.ts'
import { warnAbout } from './durable.ts'
import { openPostgres, type PostgresDatabase } from './index.ts'

const commits = `
  create table commits (setting text);
  create function note_setting() returns trigger language plpgsql as
    $$ begin insert into commits values (current_setting('synchronous_commit')); return null; end $$;`
const getNoteCommits = (table: string) => `
  create constraint trigger note_commit after insert or update on ${table} deferrable initially deferred
    for each row execute function note_setting();`

describeWith('postgres', (postgres) => {
  let pool: pg.Pool
  let database: PostgresDatabase

  beforeAll(async () => {
    const admin = new pg.Client({ connectionString: postgres().url })
    await admin.connect()
    const { pathname } = new URL(postgres().url)
    await admin.query(`alter database ${pathname.slice(1)} set synchronous_commit = off`)
    await admin.end()
    pool = new pg.Pool({ connectionString: postgres().url, max: 3 })
    database = await openPostgres({ pool, wakeUps: false })
    await database.migrate()
    await pool.query(commits)
    for (const table of ['deliveries', 'events', 'bus_events', 'queued_events'])
      await pool.query(getNoteCommits(table))
  })
  afterAll(async () => {
    await database.close()
    await pool.end()
  })

  /** The values of `synchronous_commit` at the commits of some work. */
  async function settingsAt(work: () => Promise<unknown>): Promise<string[]> {
    await pool.query('truncate commits')
    await work()
    const { rows } = await pool.query<{ setting: string }>('select distinct setting from commits')
    return rows.map(({ setting }) => setting)
  }

  // A killed server once lost deliveries that had been answered with 200.
  it('records on the disk where the database has synchronous_commit = off', async () => {
    const inbox = database.inbox()
    expect(await settingsAt(() => inbox.record(getDelivery('durable:1')))).toEqual(['on'])
  })

  it('acknowledges replays, erasures, publications and queued events from the disk', async () => {
    const inbox = database.inbox()
    const delivery = getDelivery('durable:2')
    await inbox.record(delivery)
    const [{ event, lease }] = (await inbox.claim('publish', { limit: 1, leaseMs: 1000 })) as [
      Awaited<ReturnType<typeof inbox.claim>>[number],
    ]
    await inbox.settle('publish', [
      { id: event.id, lease, outcome: { status: 'dead', error: 'It was refused' } },
    ])
    const ids = [event.source.deliveryId]
    expect(await settingsAt(() => inbox.replay({ ids }))).toEqual(['on'])
    const quarantine = { key: 'durable:quarantine', reason: 'It is unknown' }
    const quarantined = getDelivery('durable:3', { events: [], quarantine })
    await inbox.record(quarantined)
    expect(await settingsAt(() => inbox.eraseBody(quarantined.id))).toEqual(['on'])
    const { signal } = new AbortController()
    expect(await settingsAt(() => database.bus().publish([event], signal))).toEqual(['on'])
    expect(await settingsAt(() => database.queue().publish([event], signal))).toEqual(['on'])
  })

  it('leaves a stricter setting, and the settings of the session, as they are', async () => {
    const client = await pool.connect()
    try {
      await client.query(`begin; set local synchronous_commit = remote_apply`)
      await database.within(client).publish([{ id: 'shop:1', name: 'shop/sold', subject: '1', data: {} }])
      expect((await client.query('show synchronous_commit')).rows).toEqual([
        { synchronous_commit: 'remote_apply' },
      ])
      await client.query('rollback')
      await database.inbox().record(getDelivery('durable:4'))
      expect((await client.query('show synchronous_commit')).rows).toEqual([{ synchronous_commit: 'off' }])
    } finally {
      client.release()
    }
  })

  it('turns synchronous_commit on for every statement of the package pool', async () => {
    const own = await openPostgres({ ...postgres(), maxConnections: 1, wakeUps: false })
    const { rows } = await sql`show synchronous_commit`.execute(own.kysely)
    await own.close()
    expect(rows).toEqual([{ synchronous_commit: 'on' }])
  })

  it('has no warnings about a server with safe settings', async () => {
    const { rows } = await pool.query<{ fsync: string; full_page_writes: string }>(
      `select current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes`,
    )
    expect(database.warnings).toEqual(rows.flatMap(warnAbout))
  })
})

describe('warnAbout', () => {
  it.each([
    ['on', 'on', []],
    ['off', 'on', [expect.stringContaining('fsync = off')]],
    ['on', 'off', [expect.stringContaining('full_page_writes = off')]],
  ])('fsync = %s and full_page_writes = %s', (fsync, fullPageWrites, warnings) => {
    expect(warnAbout({ fsync, full_page_writes: fullPageWrites })).toEqual(warnings)
  })
})
