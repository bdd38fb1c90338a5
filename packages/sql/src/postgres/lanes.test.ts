import { describeWith } from '@sallyport/test-support/services'
import type { ClaimedLane } from '@sallyport/webhooks'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { endLanes, laneDelivery, laneIds, type LaneInbox } from '../../test/lane-records.ts'
import { getDelivery } from '../../test/records.ts'
import { openProcesses } from '../../test/postgres-inbox.ts'
import type { InboxTables } from '../internal/tables.ts'
import { claimLanes } from './claim-lanes.ts'
import { openPostgres } from './index.ts'

const asked = { limit: 3, events: 4, leaseMs: 60_000 }
const dead = { status: 'dead', error: 'no' } as const
const names = ['lane-a', 'lane-b', 'lane-c', 'lane-d']

describeWith('postgres', (postgres) => {
  const database = openProcesses(3, postgres)
  const open = (index = 0) => {
    const inbox = database(index).inbox()
    return inbox as typeof inbox & LaneInbox
  }
  const count = async (table: 'lanes' | 'events', condition = sql`true`) => {
    const { rows } = await sql<{ count: number }>`
      select count(*) from ${sql.ref(table)} where ${condition}`.execute(database().kysely)
    return rows[0]!.count
  }
  const waiting = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(database().kysely)
    return rows[0]!.count
  }
  beforeEach(async () => {
    await sql`truncate deliveries, events, lanes, idempotency_keys, notification_batches cascade`.execute(
      database().kysely,
    )
  })

  /** Handles lanes, and fails when a lane is held twice. */
  function createHandler() {
    const held = new Set<string>()
    const handled = new Map<string, string[]>()
    return {
      handled,
      async run(inbox: LaneInbox, lanes: readonly ClaimedLane[]) {
        for (const { name, works } of lanes) {
          if (held.has(name)) throw new Error(`${name} is held twice`)
          held.add(name)
          handled.set(name, [...(handled.get(name) ?? []), ...works.map(({ event }) => event.id)])
        }
        await Promise.resolve()
        for (const { name } of lanes) held.delete(name)
        const results = await endLanes(inbox, lanes)
        expect(results.every(({ isSettled }) => isSettled)).toBe(true)
      },
    }
  }

  it('hands each event of concurrent records to one process, in the order of its lane', async () => {
    const events = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 5 })
    const deliveries = fc.array(fc.tuple(events, fc.boolean()), { minLength: 30, maxLength: 40 })
    let run = 0
    await fc.assert(
      fc.asyncProperty(deliveries, async (recorded) => {
        run++
        const handler = createHandler()
        const inboxes = [open(0), open(1), open(2)] as const
        let isRecording = true
        const record = async (lanes: readonly string[], isLeased: boolean, index: number) => {
          const inbox = inboxes[index % 2]!
          const delivery = laneDelivery(lanes.map((lane, place) => [`${run}:${index}:${place}`, lane]))
          const results = await inbox.record(delivery, isLeased ? { leaseMs: 60_000 } : {})
          const owned = results.events.flatMap(({ lease }, place) => {
            const { event, route } = delivery.events[place]!
            return lease === undefined
              ? []
              : [{ name: lanes[place]!, work: { event, route, attempts: 0, since: 0, lease }, lease }]
          })
          const claimed = [...Map.groupBy(owned, ({ name }) => name)].map(([name, own]) => ({
            ...{ name, lease: own[0]!.lease },
            works: own.map(({ work }) => work),
          }))
          if (claimed.length > 0) await handler.run(inbox, claimed)
        }
        const claim = async (inbox: LaneInbox) => {
          for (let isLast = false; ;) {
            const claimed = await inbox.claimLanes(asked)
            if (claimed.length > 0) await handler.run(inbox, claimed)
            else if (isLast) return
            isLast = !isRecording
          }
        }
        const recording = Promise.all(
          recorded.map(([lanes, isLeased], index) => record(lanes, isLeased, index)),
        ).finally(() => {
          isRecording = false
        })
        await Promise.all([recording, claim(inboxes[1]), claim(inboxes[2]), claim(inboxes[2])])
        await claim(inboxes[0])
        const { rows } = await sql<{ id: string; lane: string }>`
          select id, lane from events where id like ${`${run}:%`} order by sequence`.execute(
          database().kysely,
        )
        const stored = Map.groupBy(rows, ({ lane }) => lane)
        expect(rows.length).toBe(recorded.flatMap(([lanes]) => lanes).length)
        for (const [lane, own] of stored) expect(handler.handled.get(lane)).toEqual(own.map(({ id }) => id))
        expect(await count('lanes')).toBe(0)
        expect(await count('events', sql`status = 'pending'`)).toBe(0)
      }),
      { numRuns: 15 },
    )
  })

  it('leaves no event behind that is recorded while its lane is released', async () => {
    const [first, second] = [open(0), open(1)]
    for (let round = 0; round < 100; round++) {
      const [one, two] = [`${round}:one`, `${round}:two`]
      await first.record(laneDelivery([[one, 'lane']]))
      const lanes = await first.claimLanes(asked)
      expect(laneIds(lanes)).toEqual({ lane: [one] })
      await Promise.all([endLanes(first, lanes), second.record(laneDelivery([[two, 'lane']]))])
      const rest = await second.claimLanes(asked)
      expect(laneIds(rest)).toEqual({ lane: [two] })
      expect(await endLanes(second, rest)).toEqual([{ isSettled: true, isDue: false }])
    }
  })

  it('keeps a lane that gets an event while its release waits for the lock', async () => {
    const inbox = open()
    await inbox.record(laneDelivery([['a', 'lane']]))
    const lanes = await inbox.claimLanes(asked)
    const { kysely, within } = database(2)
    const settling = await kysely.transaction().execute(async (transaction) => {
      await sql`select from lanes for update`.execute(transaction)
      const ending = endLanes(inbox, lanes)
      await expect.poll(waiting).toBe(1)
      await within(transaction).record(laneDelivery([['b', 'lane']]))
      return { ending }
    })
    expect(await settling.ending).toEqual([{ isSettled: true, isDue: true }])
    expect(laneIds(await inbox.claimLanes(asked))).toEqual({ lane: ['b'] })
  })

  it('takes the sequence of an event after the lock of its lane', async () => {
    const { kysely, within } = database(2)
    const recording = await kysely.transaction().execute(async (transaction) => {
      await within(transaction).record(laneDelivery([['a', 'lane']]))
      const later = open().record(laneDelivery([['c', 'lane']]))
      await expect.poll(waiting).toBe(1)
      await within(transaction).record(laneDelivery([['b', 'lane']]))
      return { later }
    })
    await recording.later
    expect(laneIds(await open().claimLanes(asked))).toEqual({ lane: ['a', 'b', 'c'] })
  })

  it('records into lanes in opposite orders without deadlock', async () => {
    const [first, second] = [open(0), open(1)]
    const recording = await database(2)
      .kysely.transaction()
      .execute(async (transaction) => {
        await database(2)
          .within(transaction)
          .record(laneDelivery([['held', 'lane-m']]))
        const events = ['lane-b', 'lane-m', 'lane-a'].map((lane) => [`one:${lane}`, lane] as const)
        const one = first.record(laneDelivery(events))
        await expect.poll(waiting).toBe(1)
        const two = second.record(laneDelivery(['lane-a', 'lane-b'].map((lane) => [`two:${lane}`, lane])))
        await expect.poll(waiting).toBe(2)
        return { both: Promise.all([one, two]) }
      })
    await recording.both
    const claimed = laneIds(await first.claimLanes({ ...asked, limit: 10 }))
    expect(claimed).toEqual({
      'lane-a': ['one:lane-a', 'two:lane-a'],
      'lane-b': ['one:lane-b', 'two:lane-b'],
      'lane-m': ['held', 'one:lane-m'],
    })
  })

  it('claims no lane whose events changed after the snapshot', async () => {
    const [first, second] = [open(0), open(1)]
    await first.record(
      laneDelivery([
        ['a', 'lane'],
        ['b', 'lane'],
      ]),
    )
    const { kysely } = database(2)
    // The claim waits after its snapshot, before it looks for lanes.
    const late = sql<number>`(select case when pg_advisory_xact_lock(46) is not null then 9000000000000000 end)`
    const claiming = await kysely.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(46)`.execute(transaction)
      const claim = claimLanes(
        database(1).kysely.$extendTables<InboxTables>(),
        () => late,
        { ...asked, maxBytes: undefined },
        { token: 'late', leaseMs: 1 },
      )
      await expect.poll(waiting).toBe(1)
      const [lane] = await first.claimLanes({ ...asked, events: 1 })
      await endLanes(first, [lane!])
      return { claim }
    })
    expect(await claiming.claim).toEqual({ rows: [], found: 1 })
    expect(laneIds(await second.claimLanes(asked))).toEqual({ lane: ['b'] })
  })

  it('revives dead letters of lanes in opposite orders without deadlock', async () => {
    const [first, second] = [open(0), open(1)]
    const keys = names.map((lane) => [`dead:${lane}`, lane] as const)
    for (let round = 0; round < 10; round++) {
      await first.record(laneDelivery(keys))
      const lanes = await first.claimLanes({ ...asked, limit: 10 })
      await endLanes(first, lanes, { status: 'dead', error: 'x' })
      const { id } = (await first.list({ limit: 1 }))[0]!
      await Promise.all([
        first.record(laneDelivery(keys)),
        second.record(laneDelivery(keys.toReversed())),
        second.replay({ ids: [id] }),
        first.record(laneDelivery(names.map((lane) => [`${round}:${lane}`, lane]))),
      ])
      const revived = await second.claimLanes({ ...asked, limit: 10 })
      expect(Object.keys(laneIds(revived)).sort()).toEqual(names)
      for (const { works } of revived) expect(works.length).toBe(2)
      await endLanes(second, revived)
      await sql`delete from events`.execute(database().kysely)
      await sql`delete from idempotency_keys`.execute(database().kysely)
    }
  })

  it.each(['replay', 'resolve'])('leaves an event alone that dies in its lane during a %s', async (how) => {
    const inbox = open()
    const [one, two] = [laneDelivery([['a', 'lane']]), laneDelivery([['b', 'other']])]
    const quarantined = getDelivery('c', { events: [], quarantine: { key: 'c', reason: 'invalid' } })
    for (const delivery of [one, two, quarantined]) await inbox.record(delivery)
    const [first, second] = await inbox.claimLanes(asked)
    await endLanes(inbox, [second!], dead)
    await inbox.pauseLane!('other')
    const running = await database(2)
      .kysely.transaction()
      .execute(async (transaction) => {
        await sql`select from lanes where name = 'other' for update`.execute(transaction)
        const changing =
          how === 'replay'
            ? open(1).replay({ ids: [one.id, two.id] })
            : open(1).resolve(quarantined.id, [...one.events, ...two.events])
        await expect.poll(waiting).toBe(1)
        await endLanes(inbox, [first!], dead)
        return { changing }
      })
    await running.changing
    expect((await inbox.get(one.id))?.events).toMatchObject([{ status: 'dead' }])
    await inbox.replay({ ids: [one.id] })
    expect(laneIds(await inbox.claimLanes(asked))).toEqual({ lane: ['a'] })
  })

  it('gives the lane of a process that died to another, and settles nothing for the first', async () => {
    const dying = await openPostgres(postgres())
    const first = dying.inbox() as ReturnType<typeof open>
    await first.record(laneDelivery([['a', 'lane']]))
    const lanes = await first.claimLanes({ ...asked, leaseMs: 200 })
    await dying.close()
    const second = open(1)
    expect(await second.claimLanes(asked)).toEqual([])
    await expect.poll(async () => laneIds(await second.claimLanes(asked))).toEqual({ lane: ['a'] })
    expect(await endLanes(open(), lanes)).toEqual([{ isSettled: false, isDue: false }])
    expect(await count('events', sql`status = 'pending'`)).toBe(1)
  })

  // A deadlock would be resolved and tried again: only the server knows of it.
  afterAll(async () => {
    await Promise.all([0, 1, 2].map((index) => database(index).close()))
    const own = await openPostgres(postgres())
    const { rows } = await sql<{ deadlocks: number }>`
      select deadlocks from pg_stat_database where datname = current_database()`.execute(own.kysely)
    await own.close()
    expect(rows).toEqual([{ deadlocks: 0 }])
  })
})
