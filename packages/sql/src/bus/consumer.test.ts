import { setTimeout as sleep } from 'node:timers/promises'
import { testConsumer, type ConsumerFixture } from '@sallyport/testing'
import { createEvent } from '@sallyport/webhooks/testing'
import { describe, expect, it, vi } from 'vitest'
import { describeInboxDatabases, type InboxDatabase } from '../../test/inbox-databases.ts'

const { signal } = new AbortController()
const name = 'doorbell/bell.rung'

function createFixture({ kysely, bus, consumer, close }: InboxDatabase): ConsumerFixture {
  let texts = 0
  return {
    publisher: bus(),
    publishText: (event) =>
      kysely
        .insertInto('bus_events')
        .values({ id: `text-${String(++texts)}`, event, published_at: 0 })
        .execute(),
    createConsumer: consumer,
    async countDeadLetters(of, reason) {
      const { count } = await kysely
        .selectFrom('bus_dead_letters')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('consumer', '=', of)
        .where('reason', '=', reason)
        .executeTakeFirstOrThrow()
      return count
    },
    close,
  }
}

function testDatabase(open: () => Promise<InboxDatabase>): void {
  testConsumer({ describe, expect, it }, { create: async () => createFixture(await open()) })

  const publish = async ({ bus }: InboxDatabase, count: number) => {
    const events = Array.from({ length: count }, (_, index) =>
      createEvent(`doorbell:${String(index)}`, 0, { subject: `door-${String(index)}` }),
    )
    await bus().publish(events, signal)
    return events.map(({ id }) => id)
  }
  const readPosition = ({ kysely }: InboxDatabase) =>
    kysely.selectFrom('bus_consumers').select(['position', 'lease']).executeTakeFirstOrThrow()

  it('receives again only the events that were not settled before a stop', async () => {
    const database = await open()
    const handled: string[] = []
    const failing = database.consumer({
      name: 'one',
      handlers: {
        [name]: ({ id }: { id: string }) => {
          if (id === 'doorbell:1') throw new Error('not yet')
          handled.push(id)
        },
      },
      backoff: { baseMs: 60_000 },
    })
    await failing.start()
    const ids = await publish(database, 5)
    await expect.poll(() => handled.length).toBe(4)
    await failing.stop()
    expect(await readPosition(database)).toEqual({ position: 5, lease: null })
    const waiting = await database.kysely
      .selectFrom('bus_waiting')
      .select(['sequence', 'failures', 'error'])
      .execute()
    expect(waiting).toEqual([{ sequence: 2, failures: 1, error: 'Error' }])

    const consumer = database.consumer({
      name: 'one',
      handlers: { [name]: ({ id }: { id: string }) => handled.push(id) },
    })
    await consumer.start()
    await expect.poll(() => handled.length).toBe(5)
    await consumer.stop()
    expect(handled.toSorted()).toEqual(ids)
    expect((await readPosition(database)).position).toBe(5)
    expect(await database.kysely.selectFrom('bus_settled').selectAll().execute()).toEqual([])
    expect(await database.kysely.selectFrom('bus_waiting').selectAll().execute()).toEqual([])
    await database.close()
  })

  it('hands the unsettled events to another process when the lease has ended', async () => {
    const database = await open()
    const errors: unknown[] = []
    const received: string[] = []
    const started = Promise.withResolvers<undefined>()
    const finish = Promise.withResolvers<undefined>()
    const frozen = database.consumer({
      name: 'one',
      handlers: {
        [name]: () => {
          started.resolve(undefined)
          return finish.promise
        },
      },
      onError: (error) => errors.push(error),
    })
    await frozen.start()
    const ids = await publish(database, 1)
    await started.promise
    await database.kysely.updateTable('bus_consumers').set({ lease_ends_at: 0 }).execute()
    const other = database.consumer({
      name: 'one',
      handlers: { [name]: ({ id }: { id: string }) => received.push(id) },
    })
    await other.start()
    await expect.poll(() => received).toEqual(ids)
    finish.resolve(undefined)
    await expect.poll(() => errors).toMatchObject([{ code: 'SERVICE_UNAVAILABLE' }])
    await Promise.all([frozen.stop(), other.stop()])
    expect(await readPosition(database)).toEqual({ position: 1, lease: null })
    await database.close()
  })

  it('drops an event whose lease is lost, and stores no dead letter', async () => {
    const database = await open()
    const attempted: string[] = []
    const consumer = database.consumer({
      name: 'one',
      handlers: {
        [name]: async ({ id }: { id: string }) => {
          attempted.push(id)
          if (attempted.length > 1) return
          await database.kysely
            .updateTable('bus_consumers')
            .set({ lease: 'other', lease_ends_at: 0 })
            .execute()
          throw new RangeError('secret')
        },
      },
      attempts: 1,
    })
    await consumer.start()
    const events = ['doorbell:1', 'doorbell:2'].map((id) => createEvent(id, 0))
    await database.bus().publish(events, signal)
    await expect.poll(() => attempted, { timeout: 5000 }).toEqual(['doorbell:1', 'doorbell:1', 'doorbell:2'])
    await consumer.stop()
    expect(await readPosition(database)).toEqual({ position: 2, lease: null })
    expect(await database.kysely.selectFrom('bus_dead_letters').selectAll().execute()).toEqual([])
    await database.close()
  })

  it('keeps its events when it renews its own expired lease', async () => {
    const database = await open()
    const attempted: string[] = []
    const started = Promise.withResolvers<undefined>()
    const finish = Promise.withResolvers<undefined>()
    const consumer = database.consumer({
      name: 'one',
      handlers: {
        [name]: ({ id }: { id: string }) => {
          attempted.push(id)
          started.resolve(undefined)
          return finish.promise
        },
      },
    })
    await consumer.start()
    const [id] = await publish(database, 1)
    await started.promise
    await database.kysely.updateTable('bus_consumers').set({ lease_ends_at: 0 }).execute()
    const now = performance.now.bind(performance)
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000)
    try {
      await expect
        .poll(async () => {
          const rows = await database.kysely.selectFrom('bus_consumers').select('lease_ends_at').execute()
          return rows[0]?.lease_ends_at
        })
        .toBeGreaterThan(0)
      await sleep(300)
      finish.resolve(undefined)
      await consumer.stop()
    } finally {
      clock.mockRestore()
    }
    expect(attempted).toEqual([id])
    expect(await readPosition(database)).toEqual({ position: 1, lease: null })
    await database.close()
  })

  it('prunes old dead letters with the events', async () => {
    const database = await open()
    await database.kysely
      .insertInto('bus_dead_letters')
      .values({ consumer: 'one', sequence: 1, id: 'doorbell:1', event: '{}', reason: 'Error', dead_at: 0 })
      .execute()
    await database.bus().prune({ publishedForMs: 1000 })
    expect(await database.kysely.selectFrom('bus_dead_letters').selectAll().execute()).toEqual([])
    await database.close()
  })
}

describeInboxDatabases(testDatabase)
