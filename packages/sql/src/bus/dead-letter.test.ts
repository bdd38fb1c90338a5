import { describe, expect, it } from 'vitest'
import { describeInboxDatabases, readDeadLetters, type InboxDatabase } from '../../test/inbox-databases.ts'
import { getDelivery } from '../../test/records.ts'

const { signal } = new AbortController()

function testDatabase(open: () => Promise<InboxDatabase>): void {
  /** Publishes a delivery of one event. */
  async function publish({ inbox: openInbox, bus }: InboxDatabase) {
    const inbox = openInbox()
    const [record] = getDelivery('doorbell:1').events
    const delivery = getDelivery('doorbell:1', { events: [{ ...record!, notify: false }] })
    await inbox.record(delivery)
    const [claimed] = await inbox.claim('publish', { limit: 1, leaseMs: 1000 })
    await bus().publish([claimed!.event], signal)
    await inbox.settle('publish', [{ id: 'doorbell:1', lease: claimed!.lease, outcome: { status: 'done' } }])
    const { data, ...rest } = claimed!.event
    expect(data).toEqual({ door: 'front' })
    return { erased: { ...rest, subject: '' }, erase: () => inbox.eraseBody(delivery.id) }
  }

  const startConsumer = async ({ consumer }: InboxDatabase, name: string, handler: () => unknown) => {
    const handlers = { 'doorbell/bell.rung': handler }
    const started = consumer({ name, handlers, attempts: 1 })
    await started.start()
    return started
  }

  it('loses its data and its subject when its delivery is erased', async () => {
    const database = await open()
    const { erase, erased } = await publish(database)
    const fail = () => Promise.reject(new RangeError('no'))
    const consumers = [await startConsumer(database, 'one', fail), await startConsumer(database, 'two', fail)]
    await expect.poll(() => readDeadLetters(database)).toHaveLength(2)
    await erase()
    expect(await readDeadLetters(database)).toEqual([erased, erased])
    for (const consumer of consumers) await consumer.stop()
    await database.close()
  })

  it('has no data when its delivery was erased before its last attempt ended', async () => {
    const database = await open()
    const { erase, erased } = await publish(database)
    const begun = Promise.withResolvers<undefined>()
    const finish = Promise.withResolvers<undefined>()
    const consumer = await startConsumer(database, 'one', async () => {
      begun.resolve(undefined)
      await finish.promise
      throw new RangeError('no')
    })
    await begun.promise
    await erase()
    finish.resolve(undefined)
    await expect.poll(() => readDeadLetters(database)).toEqual([erased])
    await consumer.stop()
    await database.close()
  })
}

describe('a dead letter', () => {
  describeInboxDatabases(testDatabase)
})
