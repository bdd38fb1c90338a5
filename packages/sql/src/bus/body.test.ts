import type { WebhookEvent } from '@sallyport/webhooks'
import { describe, expect, it } from 'vitest'
import { describeInboxDatabases, readDeadLetters, type InboxDatabase } from '../../test/inbox-databases.ts'
import { getDelivery } from '../../test/records.ts'

const { signal } = new AbortController()

function testDatabase(open: () => Promise<InboxDatabase>): void {
  /** Records a delivery whose data is its body, and returns the event. */
  async function record({ inbox }: InboxDatabase, id = 'doorbell:1', leaseMs = 60_000) {
    const small = getDelivery(id)
    const [one] = small.events
    const event = { ...one!.event, data: { door: 'front', text: 'é'.repeat(2000) } }
    const body = Buffer.from(`\uFEFF ${JSON.stringify(event.data)}`)
    const delivery = { ...small, body, events: [{ ...one!, event, notify: false, dataIsBody: true }] }
    const opened = inbox()
    const { events } = await opened.record(delivery, { leaseMs })
    const settle = () =>
      opened.settle('publish', [{ id, lease: events[0]!.lease!, outcome: { status: 'done' } }])
    return { event, delivery, settle }
  }
  const readRows = ({ kysely }: InboxDatabase) =>
    kysely.selectFrom('bus_events').select(['event', 'data_body']).orderBy('sequence').execute()
  const publish = ({ bus }: InboxDatabase, ...events: readonly WebhookEvent[]) =>
    bus().publish(events, signal)
  const read = async ({ bus }: InboxDatabase) => (await bus().read({ limit: 10 })).map(({ event }) => event)

  it('is stored once, and read by listeners, readers and consumers', async () => {
    const database = await open()
    const { event } = await record(database)
    const heard: WebhookEvent[] = []
    const handled: WebhookEvent[] = []
    const bus = database.bus()
    bus.subscribe((one) => heard.push(one))
    const consumer = database.consumer({
      name: 'one',
      handlers: { 'doorbell/bell.rung': (one: WebhookEvent) => handled.push(one) },
    })
    await consumer.start()
    expect(await bus.publish([event, event], signal)).toEqual([
      { ok: true, duplicate: false },
      { ok: true, duplicate: true },
    ])
    expect(await bus.publish([event], signal)).toEqual([{ ok: true, duplicate: true }])
    const [row] = await readRows(database)
    expect(row!.event).not.toContain('door"')
    expect(row!.data_body!.byteLength).toBeLessThan(200)
    await expect.poll(() => handled).toEqual([event])
    expect([heard, await read(database)]).toEqual([[event], [event]])
    await consumer.stop()
    await database.close()
  })

  it('is found for an event that another process recorded', async () => {
    const database = await open()
    const { event } = await record(database, 'doorbell:1', 0)
    const [claimed] = await database.inbox().claim('publish', { limit: 1, leaseMs: 60_000 })
    await publish(database, claimed!.event)
    expect((await readRows(database))[0]!.data_body).not.toBeNull()
    expect(await read(database)).toEqual([event])
    await database.close()
  })

  it('is ignored for an event whose data was replaced', async () => {
    const database = await open()
    const { event } = await record(database)
    const { event: changed } = await record(database, 'doorbell:2')
    const enriched = { ...event, data: { door: 'back' } }
    await publish(database, enriched, Object.assign(changed, { data: { door: 'side' } }))
    expect((await readRows(database)).map(({ data_body }) => data_body)).toEqual([null, null])
    expect(await read(database)).toEqual([enriched, changed])
    await database.close()
  })

  it('stays on the bus when the inbox deletes the event', async () => {
    const database = await open()
    const { event, settle } = await record(database)
    await publish(database, event)
    await settle()
    await database.inbox().prune({ publishedForMs: 0, bodiesForMs: 0 })
    expect(await database.kysely.selectFrom('events').select('id').execute()).toEqual([])
    expect(await read(database)).toEqual([event])
    await database.close()
  })

  it('is published as text after the inbox lost it', async () => {
    const database = await open()
    const { event } = await record(database)
    const { event: kept } = await record(database, 'doorbell:2')
    await database.kysely.deleteFrom('events').where('id', '=', event.id).execute()
    const error = 'The inbox no longer has the data of the event'
    expect(await publish(database, event, kept)).toEqual([
      { ok: false, retryable: true, error },
      { ok: true, duplicate: false },
    ])
    expect(await publish(database, event)).toEqual([{ ok: true, duplicate: false }])
    expect(await read(database)).toEqual([kept, event])
    await database.kysely.deleteFrom('events').execute()
    expect(await publish(database, kept)).toEqual([{ ok: true, duplicate: true }])
    await database.close()
  })

  it('is part of a dead letter, and erased with its delivery', async () => {
    const database = await open()
    const { event, delivery, settle } = await record(database)
    const { data, ...rest } = event
    const erased = { ...rest, subject: '' }
    expect(data).toBeDefined()
    await publish(database, event)
    await settle()
    const fail = () => Promise.reject(new RangeError('no'))
    const consumer = database.consumer({ name: 'one', handlers: { 'doorbell/bell.rung': fail }, attempts: 1 })
    await consumer.start()
    await expect.poll(() => readDeadLetters(database)).toEqual([event])
    await consumer.stop()
    await database.inbox().eraseBody(delivery.id)
    expect(await readDeadLetters(database)).toEqual([erased])
    expect(await readRows(database)).toEqual([{ event: JSON.stringify(erased), data_body: null }])
    expect(await read(database)).toEqual([erased])
    await database.close()
  })

  it('that is unreadable leaves the event without data, and becomes a dead letter', async () => {
    const database = await open()
    const { event } = await record(database)
    await publish(database, event)
    for (const broken of ['28b52ffd00', '7b', 'ff', '312c226964223a2278227d', '00']) {
      const data_body = Buffer.from(broken, 'hex')
      await database.kysely.updateTable('bus_events').set({ data_body }).execute()
      const { data, ...shown } = event
      expect(data).toBeDefined()
      expect(await read(database)).toEqual([shown])
    }
    const handled: unknown[] = []
    const consumer = database.consumer({
      name: 'one',
      handlers: { 'doorbell/bell.rung': (one: unknown) => handled.push(one) },
    })
    await consumer.start()
    await expect.poll(() => readDeadLetters(database)).toEqual([null])
    await consumer.stop()
    expect(handled).toEqual([])
    await database.close()
  })
}

describe('the body of an event on the bus', () => {
  describeInboxDatabases(testDatabase)
})
