import { describeWith } from '@sallyport/test-support/services'
import type { WebhookEvent } from '@sallyport/webhooks'
import { sql, type Kysely } from 'kysely'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { openPostgres, type PostgresDatabase } from '../src/postgres/index.ts'
import type { PostgresOptions } from '../src/postgres/options.ts'
import { openSqlite, type SqliteDatabase } from '../src/sqlite/index.ts'
import { newPath, removeFiles } from './files.ts'
import { getDelivery } from './records.ts'

const { signal } = new AbortController()
const getEvent = (id: string): WebhookEvent => getDelivery(id).events[0]!.event
const getIds = (some: readonly { readonly event: WebhookEvent }[]) => some.map(({ event }) => event.id)
const circle: Record<string, unknown> = {}
circle['of'] = circle
const unwritable = [
  { ...getEvent('whole number'), data: 1n },
  { ...getEvent('circle'), data: circle },
]
const refused = { ok: false, retryable: false, error: 'The event cannot be written as JSON' }

type Database = SqliteDatabase | PostgresDatabase

function testBrokenEvents(open: () => Promise<Database>): void {
  const opened: Database[] = []
  afterEach(async () => {
    for (const database of opened.splice(0)) await database.close()
  })
  async function fresh() {
    const database = await open()
    opened.push(database)
    return { database, kysely: database.kysely as unknown as Kysely<unknown> }
  }

  it('publishes the valid events when others cannot be serialized', async () => {
    const bus = (await fresh()).database.bus()
    const heard: string[] = []
    bus.subscribe(({ id }) => heard.push(id))
    const results = await bus.publish([...unwritable, getEvent('a'), ...unwritable, getEvent('b')], signal)
    const taken = { ok: true, duplicate: false }
    expect(results).toEqual([refused, refused, taken, refused, refused, taken])
    expect(getIds(await bus.read({ limit: 10 }))).toEqual(['a', 'b'])
    expect(heard).toEqual(['a', 'b'])
    expect(await bus.publish(unwritable, signal)).toEqual([refused, refused])
  })

  it('enqueues the others when some cannot be written', async () => {
    const { database, kysely } = await fresh()
    const queue = database.queue()
    await queue.publish([getEvent('a')], signal)
    expect(await queue.publish([unwritable[0]!, getEvent('a'), getEvent('b')], signal)).toEqual([
      refused,
      { ok: true, duplicate: true },
      { ok: true, duplicate: false },
    ])
    const queued = await sql`select id from queued_events order by sequence`.execute(kysely)
    expect(queued.rows).toEqual([{ id: 'a' }, { id: 'b' }])
    expect(await queue.publish(unwritable, signal)).toEqual([refused, refused])
  })

  it('returns an unreadable bus event without data, with the fields that the inbox has', async () => {
    const { database, kysely } = await fresh()
    const bus = database.bus()
    const recorded = getDelivery('cut\0')
    await database.inbox().record(recorded)
    await bus.publish([getEvent('cut\0'), getEvent('none'), getEvent('other'), getEvent('a')], signal)
    for (const [place, event] of ['{"secret', 'null', '{"secret":1}'].entries()) {
      const nth = sql`(select sequence from bus_events order by sequence limit 1 offset ${sql.lit(place)})`
      await sql`update bus_events set event = ${event} where sequence = ${nth}`.execute(kysely)
    }
    const read = await bus.read({ limit: 3 })
    const { event } = recorded.events[0]!
    expect(read.map((one) => one.event)).toEqual([
      { ...event, data: undefined },
      expect.objectContaining({ id: 'none', name: '', data: undefined }),
      expect.objectContaining({ id: 'other', name: '', data: undefined }),
    ])
    expect(getIds(await bus.read({ after: read.at(-1)!.sequence, limit: 3 }))).toEqual(['a'])
  })

  it('erases what cannot be read on the bus either', async () => {
    const { database, kysely } = await fresh()
    const [inbox, bus] = [database.inbox(), database.bus()]
    for (const broken of ['{"secret', '{"secret":1}']) {
      const delivery = getDelivery(broken)
      await inbox.record(delivery)
      await bus.publish([getEvent(broken)], signal)
      const [work] = await inbox.claim('publish', { limit: 1, leaseMs: 60_000 })
      await inbox.settle('publish', [{ id: broken, lease: work!.lease, outcome: { status: 'done' } }])
      await sql`update notifications set status = 'sent'`.execute(kysely)
      await sql`update bus_events set event = ${broken} where id = ${broken}`.execute(kysely)
      expect(await inbox.eraseBody(delivery.id)).toBe(true)
    }
    const { rows } = await sql<{ event: string }>`select event from bus_events`.execute(kysely)
    expect(rows.filter(({ event }) => event.includes('secret'))).toEqual([])
    expect((await bus.read({ limit: 9 })).map(({ event }) => event)).toMatchObject([
      { id: '{"secret', name: 'doorbell/bell.rung', data: undefined },
      { id: '{"secret":1}', name: 'doorbell/bell.rung', data: undefined },
    ])
  })

  it('publishes what else is in the inbox, and keeps what cannot be read as a dead letter', async () => {
    const { database, kysely } = await fresh()
    const inbox = database.inbox()
    const deliveries = ['cut\0', 'a', 'erased'].map((id) => getDelivery(id))
    for (const delivery of deliveries) await inbox.record(delivery)
    const spoil = (json: string) =>
      sql`update events set data = ${json} where id <> 'a' and data is not null`.execute(kysely)
    await spoil('{"door')
    const asked = { limit: 10, leaseMs: 60_000 }
    const claimed = await inbox.claim('publish', asked)
    expect(getIds(claimed)).toEqual(['a'])
    const [id, , erased] = deliveries.map((delivery) => delivery.id)
    const shown = (await inbox.get(id!))?.events[0]
    expect(shown).toMatchObject({ event: { id: 'cut\0', data: undefined }, status: 'dead', attempts: 1 })
    expect(shown?.failures.map(({ error }) => error)).toEqual([
      'The event cannot be read as JSON: repair its row, and replay it',
    ])
    expect(await inbox.eraseBody(erased!)).toBe(true)
    await spoil('{"door":"mended"}')
    await inbox.replay({ ids: [id!] }, {})
    const [again] = await inbox.claim('publish', asked)
    expect(again?.event).toMatchObject({ id: 'cut\0', data: { door: 'mended' } })
  })

  it('claims on where nothing of what was due can be read', async () => {
    const { database, kysely } = await fresh()
    const inbox = database.inbox()
    for (const id of ['1', '2', '3', '4', '5']) await inbox.record(getDelivery(id))
    await sql`update events set data = '{"door'`.execute(kysely)
    await inbox.record(getDelivery('a'))
    expect(getIds(await inbox.claim('publish', { limit: 2, leaseMs: 60_000 }))).toEqual(['a'])
    expect(await inbox.claim('publish', { limit: 2, leaseMs: 60_000 })).toEqual([])
  })

  it('keeps an event as a dead letter whose data in the body cannot be read', async () => {
    const { database, kysely } = await fresh()
    const inbox = database.inbox()
    const spoilt = ['', '{"door', '"\xff"', '\x28\xb5\x2f\xfd']
    for (const [index, bytes] of spoilt.entries()) {
      const delivery = getDelivery(String(index))
      await inbox.record({ ...delivery, events: [{ ...delivery.events[0]!, dataIsBody: true }] })
      const body = Buffer.from(bytes, 'latin1')
      await sql`update events set data_body = ${body} where id = ${String(index)}`.execute(kysely)
    }
    await inbox.record(getDelivery('a'))
    expect(getIds(await inbox.claim('publish', { limit: 2, leaseMs: 60_000, maxBytes: 1 }))).toEqual(['a'])
    const [, ...dead] = await inbox.list({ limit: 10 })
    expect(dead.map(({ events }) => events.dead)).toEqual(spoilt.map(() => 1))
  })

  it('publishes an event without its trace where that alone cannot be read', async () => {
    const { database, kysely } = await fresh()
    const inbox = database.inbox()
    const traces = ['{"traceparent', 'null', '"00"', '{"tracestate":"a=1"}']
    for (const trace of traces) {
      const delivery = getDelivery(trace)
      await inbox.record(delivery)
      await sql`update events set trace = ${trace} where id = ${trace}`.execute(kysely)
      const shown = await inbox.get(delivery.id)
      expect(shown?.events[0]?.event).toEqual(delivery.events[0]!.event)
    }
    const claimed = await inbox.claim('publish', { limit: 10, leaseMs: 60_000 })
    expect(getIds(claimed).sort()).toEqual(traces.sort())
    expect(claimed.filter(({ event }) => 'trace' in event)).toEqual([])
  })

  it('shows a delivery without its unreadable headers or body, and reports the body', async () => {
    const { database, kysely } = await fresh()
    const told: unknown[] = []
    const inbox = database.inbox({ onError: (error) => told.push(error) })
    const delivery = getDelivery('a', { headers: { 'x-door': 'front' } })
    await inbox.record(delivery)
    for (const headers of ['{"x-door', 'null', '[]', '"front"']) {
      await sql`update deliveries set headers = ${headers}`.execute(kysely)
      const shown = await inbox.get(delivery.id)
      expect(shown).toMatchObject({ headers: {}, bodyState: 'stored' })
      expect(Buffer.from(shown!.body!).equals(delivery.body)).toBe(true)
    }
    await sql`update delivery_bodies set body = ${Buffer.from('no frame')}`.execute(kysely)
    const shown = await inbox.get(delivery.id)
    expect(shown).toMatchObject({ headers: {}, bodyState: 'pruned', events: [{ status: 'pending' }] })
    expect(shown?.body).toBeUndefined()
    const message = `The body of the delivery ${delivery.id} cannot be read: the delivery is shown without its body`
    expect(told).toMatchObject([{ code: 'BAD_REQUEST', message }])
  })

  it('notifies of what else was published, and shows what cannot be read without its data', async () => {
    const { database, kysely } = await fresh()
    const inbox = database.inbox()
    const deliveries = ['cut', 'a'].map((id) => getDelivery(id))
    for (const delivery of deliveries) await inbox.record(delivery)
    const asked = { limit: 10, leaseMs: 60_000, maxBytes: 1000 }
    const settlements = (await inbox.claim('publish', asked)).map(({ event, lease }) => ({
      ...{ id: event.id, lease, outcome: { status: 'done' } as const },
    }))
    await inbox.settle('publish', settlements)
    await sql`update events set data = '{"door' where id = 'cut'`.execute(kysely)
    const owed = await inbox.claim('notify', asked)
    expect(getIds(owed)).toEqual(['a'])
    expect(owed[0]?.bytes).toBeGreaterThan(0)
    const shown = (await inbox.get(deliveries[0]!.id))?.events[0]
    expect(shown).toMatchObject({ status: 'published', notification: { status: 'dead', attempts: 1 } })
    const published = await inbox.published({ limit: 10 })
    expect(published.map(({ event }) => event.data)).toEqual([undefined, { door: 'front' }])
  })

  it('reports unreadable events of the inbox by id, even when the callback throws', async () => {
    const { database, kysely } = await fresh()
    const told: unknown[] = []
    const inbox = database.inbox({
      onError(error) {
        told.push(error)
        throw new Error('The log is full')
      },
    })
    for (const id of ['cut\0', 'a']) await inbox.record(getDelivery(id))
    await sql`update events set data = '{"secret' where id <> 'a'`.execute(kysely)
    const asked = { limit: 10, leaseMs: 60_000 }
    const [work] = await inbox.claim('publish', asked)
    await inbox.settle('publish', [{ id: 'a', lease: work!.lease, outcome: { status: 'done' } }])
    await sql`update events set data = '{"secret'`.execute(kysely)
    expect(await inbox.claim('notify', asked)).toEqual([])
    expect(told).toMatchObject([
      { code: 'BAD_REQUEST', message: 'An event of the inbox cannot be read: cut\0 is a dead letter' },
      {
        code: 'BAD_REQUEST',
        message: 'An event of the inbox cannot be read: the notification about a is not sent',
      },
    ])
  })
}

async function emptyPostgres(options: PostgresOptions): Promise<PostgresDatabase> {
  const database = await openPostgres(options)
  await database.migrate()
  const tables = 'deliveries, events, idempotency_keys, bus_events, queued_events'
  await sql`truncate ${sql.raw(tables)} cascade`.execute(database.kysely)
  return database
}

describe('with SQLite', () => {
  afterAll(removeFiles)
  testBrokenEvents(async () => openSqlite({ path: await newPath() }))
})

describeWith('postgres', (postgres) => {
  testBrokenEvents(() => emptyPostgres(postgres()))
})
