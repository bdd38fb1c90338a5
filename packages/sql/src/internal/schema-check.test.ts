import { createEvent } from '@sallyport/webhooks/testing'
import { expect, it, vi } from 'vitest'
import { describeInboxDatabases, type InboxDatabase } from '../../test/inbox-databases.ts'
import { getDelivery } from '../../test/records.ts'

const { signal } = new AbortController()
const lease = { limit: 10, leaseMs: 15_000 }
const tooNew = {
  code: 'DATABASE_TOO_NEW',
  status: 503,
  message: expect.stringContaining('9999-later') as string,
}

const migrations = ({ kysely }: InboxDatabase) =>
  kysely.$extendTables<{ sallyport_migrations: { name: string; timestamp: string } }>()

/** Records the migration of a newer version. */
async function migrateFurther(database: InboxDatabase, name: string): Promise<void> {
  const row = { name, timestamp: '2099-01-01T00:00:00.000Z' }
  await migrations(database).insertInto('sallyport_migrations').values(row).execute()
}

async function restore(database: InboxDatabase): Promise<void> {
  await migrations(database).deleteFrom('sallyport_migrations').where('name', 'like', '9999%').execute()
}

describeInboxDatabases((open) => {
  it('stops the claims of events after the migration of a newer version', async () => {
    const database = await open()
    const inbox = database.inbox()
    await inbox.record(getDelivery('a'))
    await migrateFurther(database, '9999-later')
    await expect(inbox.claim('publish', lease)).rejects.toMatchObject(tooNew)
    await restore(database)
    await inbox.record(getDelivery('b'))
    expect(await inbox.claim('publish', lease)).toMatchObject([{ event: { id: 'b' } }])
    await database.close()
  })

  it('leases nothing after it has found the migration', async () => {
    const database = await open()
    const inbox = database.inbox()
    await inbox.record(getDelivery('a'))
    await migrateFurther(database, '9999-later')
    await expect(inbox.claim('publish', lease)).rejects.toMatchObject(tooNew)
    await inbox.record(getDelivery('b'))
    await expect(inbox.claim('publish', lease)).rejects.toMatchObject(tooNew)
    const { leases } = await database.kysely
      .selectFrom('events')
      .select(({ fn }) => fn.count<number>('lease').as('leases'))
      .executeTakeFirstOrThrow()
    expect(leases).toBe(1)
    await database.close()
  })

  it('continues after a migration that is marked as understood', async () => {
    const database = await open()
    const inbox = database.inbox()
    await inbox.record(getDelivery('a'))
    await migrateFurther(database, '9999-later@0001-initial')
    expect(await inbox.claim('publish', lease)).toHaveLength(1)
    await database.close()
  })

  it('receives nothing from the shared queue', async () => {
    const database = await open()
    const queue = database.queue()
    await queue.publish([createEvent('doorbell:1', 0)], signal)
    await migrateFurther(database, '9999-later')
    const failure = Promise.withResolvers<unknown>()
    const handle = vi.fn()
    const consumer = queue.consumer({ name: 'drainer', handlers: handle, onError: failure.resolve })
    await consumer.start()
    expect(await failure.promise).toMatchObject(tooNew)
    await consumer.stop()
    expect(handle).not.toHaveBeenCalled()
    await database.close()
  })

  it('rolls a replay back', async () => {
    const database = await open()
    const inbox = database.inbox()
    const delivery = getDelivery('a')
    await inbox.record(delivery)
    await migrateFurther(database, '9999-later')
    const replaying = inbox.replay({ ids: [delivery.id] }, { asNew: true })
    await expect(replaying).rejects.toMatchObject(tooNew)
    await expect(inbox.eraseBody(delivery.id)).rejects.toMatchObject(tooNew)
    const { count } = await database.kysely
      .selectFrom('events')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(count).toBe(1)
    expect((await inbox.get(delivery.id))?.body).toHaveLength(delivery.body.byteLength)
    await database.close()
  })

  it('claims no replay job', async () => {
    const database = await open()
    const jobs = database.replayJobs()
    await jobs.create({ id: 'job', filter: {}, asNew: false, reprocess: false, total: 1 })
    await migrateFurther(database, '9999-later')
    await expect(jobs.claim({ token: 'one', leaseMs: 1000 })).rejects.toMatchObject(tooNew)
    await database.close()
  })

  it('returns no events to the readers of the embedded bus', async () => {
    const database = await open()
    const bus = database.bus()
    await bus.publish([createEvent('doorbell:1', 0)], signal)
    await migrateFurther(database, '9999-later')
    await expect(bus.read({ limit: 1 })).rejects.toMatchObject(tooNew)
    await database.close()
  })

  it('gives up the lease of a consumer without the event', async () => {
    const database = await open()
    const handled: string[] = []
    const errors: unknown[] = []
    const consumer = database.consumer({
      name: 'one',
      handlers: { 'doorbell/bell.rung': ({ id }: { id: string }) => handled.push(id) },
      onError: (error) => errors.push(error),
    })
    await migrateFurther(database, '9999-later')
    await consumer.start()
    await database.bus().publish([createEvent('doorbell:1', 0)], signal)
    await expect.poll(() => errors[0]).toMatchObject(tooNew)
    const { lease: held, position } = await database.kysely
      .selectFrom('bus_consumers')
      .select(['lease', 'position'])
      .executeTakeFirstOrThrow()
    expect([held, position, handled]).toEqual([null, 0, []])
    await consumer.stop()
    await database.close()
  })
})
