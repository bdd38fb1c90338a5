import { describeWith } from '@sallyport/test-support/services'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { compared, explaining, getRows, scanned } from '../../test/explaining.ts'
import { deliveryOfAll, openProcesses } from '../../test/postgres-inbox.ts'
import { plainSealing } from '../../test/plain.ts'
import { getDelivery } from '../../test/records.ts'
import { databaseClock } from '../internal/clock.ts'
import { attemptsTerms, conditionTerms } from '../deliveries/event-terms.ts'
import { groupParts, selectNewest } from '../deliveries/failures.ts'
import { findAwaited, findWaiting, findWaitingNotifications } from '../deliveries/make-due.ts'
import { withEvents } from '../deliveries/matching.ts'
import { isEnded } from '../deliveries/terms.ts'
import { compressSync } from '../inbox/body.ts'
import { toStoredDelivery } from '../inbox/stored.ts'
import { claimWork } from './claim.ts'
import { settleNotifications } from './notification-batches.ts'
import { recordDeliveries } from './record.ts'
import { rescheduleWork } from './reschedule.ts'
import { settleWork } from './settle.ts'

const listKeys = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name}:${index}`)

describeWith('postgres', (postgres) => {
  const database = openProcesses(1, postgres)
  let pool: pg.Pool

  beforeAll(() => {
    pool = new pg.Pool({ connectionString: postgres().url, max: 1 })
  })
  afterAll(() => pool.end())

  // Each test controls the statistics of the planner.
  beforeEach(async () => {
    for (const table of ['events', 'idempotency_keys', 'notifications'])
      await sql`alter table ${sql.ref(table)} set (autovacuum_enabled = off)`.execute(database().kysely)
    await sql`truncate deliveries, events, idempotency_keys, notification_batches cascade`.execute(
      database().kysely,
    )
  })
  /** Gives the notifications of all events their own rows. */
  const insertNotifications = (status: 'pending' | 'sent') =>
    sql`insert into notifications (event, provider, status, attempts, since, due_at)
      select sequence, provider, ${sql.lit(status)}, 0, since, due_at from events on conflict do nothing`.execute(
      database().kysely,
    )
  const settling = (ids: readonly string[], lease: string) =>
    ids.map((id) => ({ settlement: { id, lease, outcome: { status: 'done' } as const }, lease: undefined }))

  it('find events by the whole key in tables that the planner knows nothing of yet', async () => {
    const inbox = database().inbox()
    await Promise.all(
      listKeys('young', 1000).map((key) => inbox.record(getDelivery(key), { leaseMs: 60_000 })),
    )
    const { db, plans } = explaining(pool)
    const settled = ['young:1', 'young:2']
    await settleWork(db, databaseClock(db), 'publish', settling(settled, 'none'))
    const read = plans.filter((plan) => plan['Relation Name'] === 'idempotency_keys').map(getRows)
    expect(read).toEqual([settled.length])
  })

  it('separate new keys from known ones without a nested loop', async () => {
    const { db, plans } = explaining(pool)
    const count = 1000
    // As the planner decides where it expects a few: a nested loop, wherever that is possible.
    await pool.query('set enable_hashjoin = off; set enable_mergejoin = off')
    const delivery = toStoredDelivery(deliveryOfAll(listKeys('wide', count)), plainSealing)
    try {
      await recordDeliveries(db, databaseClock(db), [
        { delivery, body: compressSync(Buffer.from('{}')), lease: undefined },
      ])
    } finally {
      await pool.query('reset enable_hashjoin; reset enable_mergejoin')
    }
    expect(Math.max(...plans.map(compared))).toBeLessThan(10 * count)
  })

  it('end what many are leased with by one token where the planner has seen no lease', async () => {
    const inbox = database().inbox()
    await inbox.record(deliveryOfAll(listKeys('leased', 1000)))
    const events = await inbox.claim('publish', { limit: 1000, leaseMs: 60_000 })
    await inbox.settle(
      'publish',
      events.map(({ event, lease }) => ({ id: event.id, lease, outcome: { status: 'done' } })),
    )
    await sql`analyze`.execute(database().kysely)
    const owed = await inbox.claim('notify', { limit: 1000, leaseMs: 60_000 })
    expect(owed.length).toBe(1000)
    const { db, plans } = explaining(pool)
    const settled = owed.slice(0, 100).map(({ event }) => event.id)
    await settleWork(db, databaseClock(db), 'notify', settling(settled, owed[0]!.lease))
    expect(Math.max(...plans.map(getRows))).toBeLessThan(10 * owed.length)
  })

  it('claim for many providers by the index where the planner believes that little is there', async () => {
    const [inbox, { kysely }] = [database().inbox(), database()]
    await inbox.record(deliveryOfAll(listKeys('few', 20)))
    await sql`vacuum analyze`.execute(kysely)
    const count = 3000
    await inbox.record(deliveryOfAll(listKeys('backlog', count)))
    await sql`update events set provider = 'p' || sequence % 50`.execute(kysely)
    await sql`update deliveries set provider = 'p0'`.execute(kysely)
    const { db, plans } = explaining(pool)
    const limits = { limit: count, maxBytes: undefined }
    await claimWork(db, databaseClock(db), 'publish', limits, { token: 'none', leaseMs: 1000 }, '')
    const read = plans.filter((plan) => plan['Relation Name'] === 'events')
    expect(read.reduce((sum, plan) => sum + scanned(plan), 0)).toBeLessThan(6 * count)
  })

  it('make failed events due without reading what has ended or was never tried', async () => {
    const { kysely } = database()
    await database()
      .inbox()
      .record(deliveryOfAll(listKeys('ended', 3000)))
    await sql`update events set status = case when sequence % 2 = 0 then 'published' else 'queued' end`.execute(
      kysely,
    )
    await database()
      .inbox()
      .record(deliveryOfAll(listKeys('failed', 20)))
    await sql`update events set attempts = 1, due_at = due_at + 3600000 where status = 'pending'`.execute(
      kysely,
    )
    await sql`vacuum analyze`.execute(kysely)
    const { db, plans } = explaining(pool)
    await findWaiting(
      { db, at: 1, lock: (clause) => sql.raw(clause) },
      { provider: 'doorbell' },
      { limit: 20 },
    )
    const read = plans.filter((plan) => plan['Relation Name'] === 'events')
    expect(read.reduce((sum, plan) => sum + scanned(plan), 0)).toBeLessThan(200)
  })

  it('make work due without reading what is done, or waits for other destinations', async () => {
    const { kysely } = database()
    await database()
      .inbox()
      .record(deliveryOfAll(listKeys('waiting', 3000)))
    const fail = sql`status = 'pending', attempts = 1, due_at = due_at + 3600000`
    await sql`update events set ${fail}, awaited_targets = case when sequence % 1000 = 0 then '["a","b"]' else '["b"]' end
      where sequence % 10 < 8`.execute(kysely)
    await insertNotifications('sent')
    await sql`update notifications set ${fail} where event % 1000 = 0`.execute(kysely)
    await sql`vacuum analyze`.execute(kysely)
    const { db, plans } = explaining(pool)
    const transaction = { db, at: 1, lock: (clause: string) => sql.raw(clause) }
    await findAwaited(db, 'a')
    await findWaiting(transaction, { targets: '["a","b"]' }, { limit: 20 })
    await findWaitingNotifications(transaction, 'doorbell', 20)
    const read = plans.filter((plan) => ['events', 'notifications'].includes(plan['Relation Name'] ?? ''))
    expect(read.reduce((sum, plan) => sum + scanned(plan), 0)).toBeLessThan(20)
  })

  it('group failures without reading events that never failed, or more than the limit', async () => {
    const { kysely } = database()
    const inbox = database().inbox()
    await inbox.record(deliveryOfAll(listKeys('waiting', 3000)))
    await inbox.record(deliveryOfAll(listKeys('failed', 3000)))
    await sql`update events set attempts = 1 + sequence % 3, last_error = 'refused' where id like 'failed%'`.execute(
      kysely,
    )
    await sql`vacuum analyze`.execute(kysely)
    const { db, plans } = explaining(pool)
    const selected = [1, 2, 3].map((attempts) => selectNewest(attemptsTerms('pending', attempts), 20))
    await groupParts(selected, sql`true`, 20).execute(db)
    const read = plans.filter((plan) => plan['Relation Name'] === 'events')
    expect(read.reduce((sum, plan) => sum + scanned(plan), 0)).toBeLessThan(200)
  })

  it('list the events of a frequent text without sorting all of them', async () => {
    const { kysely } = database()
    const inbox = database().inbox()
    await Promise.all(listKeys('frequent', 3000).map((key) => inbox.record(getDelivery(key))))
    await sql`update events set status = 'dead', subject = 'octo-org/' || sequence`.execute(kysely)
    await sql`vacuum analyze`.execute(kysely)
    const { db, plans } = explaining(pool)
    const terms = conditionTerms('e', { subjectPrefix: 'octo-org/' })
    await withEvents('doorbell', { status: 'dead', unless: [] }, {}, 20, terms).execute(db)
    const read = plans.filter((plan) => plan['Relation Name'] === 'events')
    expect(read.reduce((sum, plan) => sum + scanned(plan), 0)).toBeLessThan(200)
  })

  it('claim from a large backlog for what is asked, which took a second to compile where the planner knew of it', async () => {
    const { kysely } = database()
    await database().inbox().record(getDelivery('large'))
    const columns = sql`provider, received_at, name, subject, ts, data, manual, route, status, attempts, since, due_at`
    await sql`insert into events (delivery, id, ${columns})
      select delivery, id || copy, ${columns} from events, generate_series(1, 30000) as copy`.execute(kysely)
    await sql`vacuum analyze`.execute(kysely)
    const { db, plans } = explaining(pool)
    const limits = { limit: 10, maxBytes: undefined }
    await claimWork(db, databaseClock(db), 'publish', limits, { token: 'none', leaseMs: 1000 }, '')
    expect(plans[0]?.['Total Cost']).toBeLessThan(100 * limits.limit)
  })

  it('look for work to reschedule by the index, and only after the clock was set back', async () => {
    const { kysely } = database()
    await database().inbox().record(getDelivery('future'))
    const columns = sql`provider, received_at, name, subject, ts, data, manual, route, status, attempts, since`
    await sql`insert into events (delivery, id, due_at, ${columns})
      select delivery, id || copy, case when copy > 20 then 0 else due_at + 60000 end, ${columns}
      from events, generate_series(1, 30000) as copy`.execute(kysely)
    await sql`vacuum analyze`.execute(kysely)
    const scannedWith = async (last: number | undefined) => {
      const { db, plans } = explaining(pool)
      await rescheduleWork(db, databaseClock(db), 'publish', {
        last,
        leaseMs: 1000,
        longestDelayMs: 3_600_000,
      })
      const read = plans.filter((plan) => plan['Relation Name'] === 'events')
      return read.reduce((sum, plan) => sum + scanned(plan), 0)
    }
    expect(await scannedWith(1)).toBe(0)
    expect(await scannedWith(undefined)).toBeLessThan(100)
  })

  it('end a batch of notifications without reading an event, and split one by the index', async () => {
    const inbox = database().inbox()
    await inbox.record(deliveryOfAll(listKeys('batch', 3000)))
    const published = await inbox.claim('publish', { limit: 3000, leaseMs: 60_000 })
    const publish = async (from: number, to: number) => {
      const results = await inbox.settlePublished?.(
        published
          .slice(from, to)
          .map(({ event: { id }, lease }) => ({ id, lease, outcome: { status: 'done' } })),
        { leaseMs: 60_000 },
      )
      return results?.[0]?.notificationLease ?? ''
    }
    await publish(0, 2900)
    const leases = [await publish(2900, 2950), await publish(2950, 3000)]
    await sql`vacuum analyze`.execute(database().kysely)
    const { db, plans } = explaining(pool)
    const scannedBy = async (lease: string, ids: readonly string[]) => {
      plans.length = 0
      await settleNotifications(db, databaseClock(db), settling(ids, lease))
      const read = plans.filter((plan) => plan['Relation Name'] === 'events')
      return read.reduce((sum, plan) => sum + scanned(plan), 0)
    }
    const ids = published.map(({ event }) => event.id)
    expect(await scannedBy(leases[0] ?? '', ids.slice(2900, 2950))).toBe(0)
    expect(await scannedBy(leases[1] ?? '', ids.slice(2950, 2960))).toBeLessThan(100)
    expect((await inbox.stats()).notifications.pending).toBe(2900 + 40)
  })

  it('look up what an event owes where the planner believes that nothing is owed', async () => {
    const inbox = database().inbox()
    await inbox.record(getDelivery('owing:first'))
    await insertNotifications('sent')
    await sql`vacuum analyze`.execute(database().kysely)
    await inbox.record(deliveryOfAll(listKeys('owing', 1000)))
    await sql`update events set status = 'published'`.execute(database().kysely)
    await insertNotifications('pending')
    await sql`update notifications set status = 'pending'`.execute(database().kysely)
    const { db, plans } = explaining(pool)
    await sql`select e.sequence from events e where ${sql.raw(isEnded)}`.execute(db)
    const read = plans.filter((plan) => plan['Relation Name'] === 'notifications').map(getRows)
    expect(read).toEqual([1001])
  })
})
