import { describeWith } from '@sallyport/test-support/services'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { explaining, scanned, type Plan } from '../../test/explaining.ts'
import { laneDelivery, type LaneInbox } from '../../test/lane-records.ts'
import { plainSealing } from '../../test/plain.ts'
import { openProcesses } from '../../test/postgres-inbox.ts'
import { databaseClock } from '../internal/clock.ts'
import { compressSync } from '../inbox/body.ts'
import { toStoredDelivery } from '../inbox/stored.ts'
import { claimLanes } from './claim-lanes.ts'
import { recordDeliveries } from './record.ts'
import { settleLanes } from './settle-lanes.ts'

const lanes = 3000
const backlog = 20_000

describeWith('postgres', (postgres) => {
  const database = openProcesses(1, postgres)
  let pool: pg.Pool

  beforeAll(() => {
    pool = new pg.Pool({ connectionString: postgres().url, max: 1 })
  })
  afterAll(() => pool.end())

  // Each test controls the statistics of the planner.
  beforeEach(async () => {
    for (const table of ['events', 'idempotency_keys', 'lanes'])
      await sql`alter table ${sql.ref(table)} set (autovacuum_enabled = off)`.execute(database().kysely)
    await sql`truncate deliveries, events, idempotency_keys, lanes cascade`.execute(database().kysely)
  })

  /** Copies an event into many lanes, and into one lane many times. */
  async function grow(): Promise<void> {
    const { kysely } = database()
    await database()
      .inbox()
      .record(laneDelivery([['first', 'first']]))
    const columns = sql`provider, received_at, name, subject, ts, data, manual, route, status, attempts, since, due_at`
    await sql`insert into events (delivery, id, lane, lane_place, ${columns})
      select delivery, id || copy, case when copy > ${sql.lit(lanes)} then 'failing' else 'lane' || copy end, copy, ${columns}
      from events, generate_series(1, ${sql.lit(lanes + backlog)}) as copy`.execute(kysely)
    await sql`insert into idempotency_keys (scope, key, event, created_at)
      select 'event', id, sequence, 0 from events where id <> 'first'`.execute(kysely)
    await sql`insert into lanes (name, ordered, due_at, since, attempts)
      select distinct lane, 1, 0, 0, 0 from events where lane <> 'first'`.execute(kysely)
  }

  const countScanned = (plans: readonly Plan[], tables = ['events', 'idempotency_keys', 'lanes']) =>
    plans
      .filter((plan) => tables.includes(plan['Relation Name'] ?? ''))
      .reduce((sum, plan) => sum + scanned(plan), 0)

  async function planClaim(): Promise<readonly Plan[]> {
    const { db, plans } = explaining(pool)
    const limits = { limit: 20, events: 5, maxBytes: undefined }
    await claimLanes(db, databaseClock(db), limits, { token: 'none', leaseMs: 1000 })
    return plans
  }

  it('claim few events of each lane where the planner believes that little is there', async () => {
    await sql`vacuum analyze`.execute(database().kysely)
    await grow()
    const plans = await planClaim()
    expect(countScanned(plans, ['events'])).toBeLessThan(300)
    // It sorts the lanes, but only once.
    expect(countScanned(plans, ['lanes'])).toBeLessThan(lanes + 300)
  })

  it('claim lanes from a large backlog for what is asked', async () => {
    await grow()
    await sql`vacuum analyze`.execute(database().kysely)
    const plans = await planClaim()
    expect(countScanned(plans)).toBeLessThan(1000)
    // A claim that seems to cost more is compiled, which takes longer than the claim.
    expect(plans[0]?.['Total Cost']).toBeLessThan(10_000)
  })

  it('settle an event of a lane without reading its backlog', async () => {
    await grow()
    const inbox = database().inbox() as ReturnType<ReturnType<typeof database>['inbox']> & LaneInbox
    const claimed = await inbox.claimLanes({ limit: lanes + 2, events: 1, leaseMs: 60_000 })
    const settlements = claimed
      .filter(({ name }) => ['failing', 'lane1', 'lane2'].includes(name))
      .map(({ name, lease, works }) => ({
        ...{ name, lease, releases: true },
        settlements: works.map(({ event }) => ({
          ...{ id: event.id, lease, outcome: { status: 'retry', afterMs: 1, error: 'x' } as const },
        })),
      }))
    for (const isAnalyzed of [false, true]) {
      if (isAnalyzed) await sql`vacuum analyze`.execute(database().kysely)
      const { db, plans } = explaining(pool)
      await settleLanes(db, databaseClock(db), settlements)
      expect(countScanned(plans)).toBeLessThan(100)
    }
  })

  it('record into lanes without reading their events', async () => {
    await grow()
    for (const isAnalyzed of [false, true]) {
      if (isAnalyzed) await sql`vacuum analyze`.execute(database().kysely)
      const { db, plans } = explaining(pool)
      const delivery = toStoredDelivery(
        laneDelivery([
          [`new:${isAnalyzed}`, 'failing'],
          ['first', 'first'],
        ]),
        plainSealing,
      )
      const item = { delivery, body: compressSync(Buffer.from('{}')), lease: undefined }
      await recordDeliveries(db, databaseClock(db), [item])
      expect(countScanned(plans)).toBeLessThan(100)
    }
  })
})
