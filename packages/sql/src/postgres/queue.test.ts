import { describeWith } from '@sallyport/test-support/services'
import { testQueue } from '@sallyport/testing'
import { type Kysely, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openProcesses } from '../../test/postgres-inbox.ts'
import { testQueueDelays } from '../../test/queue-delays.ts'
import { getDelivery } from '../../test/records.ts'
import { databaseClock } from '../internal/clock.ts'
import type { InboxTables } from '../internal/tables.ts'
import { receiveRows } from './queue.ts'

const { signal } = new AbortController()

describeWith('postgres', (postgres) => {
  const schema = 'queues'
  const database = openProcesses(3, () => ({ ...postgres(), schema }))
  const empty = () => sql`truncate queues.queued_events`.execute(database().kysely)

  testQueue(
    { describe, expect, it },
    {
      async create(options) {
        await empty()
        return database().queue({ pollMs: 20, ...options })
      },
      reopen: (_, options) => database(1).queue({ pollMs: 20, ...options }),
    },
  )

  testQueueDelays(async (options) => {
    await empty()
    return [database().queue({ pollMs: 20, ...options }), database(1).queue({ pollMs: 20, ...options })]
  })

  it('delivers each event once to three processes without deadlock', async () => {
    await empty()
    const queues = [0, 1, 2].map((index) => database(index).queue())
    const ids = Array.from({ length: 200 }, (_, index) => `queue:${index}`)
    const events = ids.map((id) => getDelivery(id).events[0]!.event)
    const parts = Array.from({ length: 20 }, (_, part) => events.filter((_, index) => index % 20 === part))
    const enqueued = await Promise.all(
      queues.flatMap((queue) =>
        parts.flatMap((part, index) => [
          queue.enqueue(part, signal),
          queue.enqueue([...part, ...parts[(index + 7) % 20]!].toReversed(), signal),
        ]),
      ),
    )
    const fresh = enqueued.flat().filter((result) => result.ok && result.duplicate === false)
    expect(fresh.length).toBe(ids.length)

    const taken: string[] = []
    const drain = async (queue: (typeof queues)[number]) => {
      for (;;) {
        const received = await queue.receive({ limit: 7, signal })
        if (received.length === 0) return
        taken.push(...received.map(({ event }) => event.id))
        expect(await Promise.all(received.map((one) => one.ack()))).toEqual(received.map(() => true))
      }
    }
    await Promise.all(queues.flatMap((queue) => [drain(queue), drain(queue)]))
    // A concurrent receive skips locked rows and may return too few events.
    await drain(queues[0]!)
    expect(taken.sort()).toEqual(ids.toSorted())
    const { rows } = await sql<{ deadlocks: number }>`
      select deadlocks from pg_stat_database where datname = current_database()`.execute(database().kysely)
    expect(rows).toEqual([{ deadlocks: 0 }])
  })

  describe('limits the bytes of a receive', () => {
    const sized = (count: number, data: string) =>
      Array.from({ length: count }, (_, index) => ({
        ...getDelivery(`${data.length}:${index}`).events[0]!.event,
        data,
      }))
    // The limit fits ten small events, or one large event.
    const limits = { limit: 20, maxBytes: 4000 }

    it('where another has the small ones, and only large ones are left', async () => {
      await empty()
      const queue = database().queue()
      await queue.enqueue([...sized(10, 'small'), ...sized(10, 'large'.repeat(4000))], signal)
      const received = await database(1)
        .kysely.transaction()
        .execute(async (another) => {
          await sql`select from queues.queued_events order by sequence limit 10 for update`.execute(another)
          return await queue.receive({ ...limits, signal })
        })
      expect(received.map(({ event }) => event.id)).toEqual(['20000:0'])
    })

    it('and locks no other', async () => {
      await empty()
      await database()
        .queue()
        .enqueue([...sized(10, 'small'), ...sized(10, 'large'.repeat(4000))], signal)
      const kysely = database().kysely as unknown as Kysely<InboxTables>
      await kysely.transaction().execute(async (transaction) => {
        await sql`set local search_path = ${sql.ref(schema)}`.execute(transaction)
        const lease = { token: 'own', leaseMs: 1000 }
        const received = await receiveRows(transaction, databaseClock(kysely), limits, lease)
        const { rows: free } = await sql`
            select from queues.queued_events for update skip locked`.execute(database(1).kysely)
        expect([received.length, free.length]).toEqual([10, 10])
      })
    })
  })

  it('fails an invalid batch without the others of its statement', async () => {
    await empty()
    const queue = database().queue()
    const tooLong = Array.from({ length: 9000 }, (_, index) =>
      String.fromCharCode(0x4e00 + ((index * 7919) % 20_000)),
    ).join('')
    const results = await Promise.allSettled(
      ['a', tooLong, 'b'].map((id) => queue.enqueue([getDelivery(id).events[0]!.event], signal)),
    )
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect((await queue.receive({ limit: 10, signal })).length).toBe(2)
  })
})
