import { describeWith } from '@sallyport/test-support/services'
import type { DeliveryRecord } from '@sallyport/webhooks'
import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { zstdDecompressSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { deliveryOfAll, openProcesses } from '../../test/postgres-inbox.ts'
import { getDelivery } from '../../test/records.ts'
import { openPostgres, type InboxTables } from './index.ts'

const unavailable = { code: 'INBOX_UNAVAILABLE', status: 503, headers: { 'Retry-After': '5' } }
const withText = (delivery: DeliveryRecord, text: string | undefined): DeliveryRecord => ({
  ...delivery,
  headers: { 'x-text': text ?? 'NULL' },
  events: delivery.events.map((record) => ({ ...record, event: { ...record.event, data: text } })),
})
const later = () => sleep(100, 'later')

describeWith('postgres', (postgres) => {
  const database = openProcesses(2, postgres)
  const tables = () => database().kysely.$extendTables<InboxTables>()

  it('fails invalid rows without the others of their batch', async () => {
    const inbox = database().inbox()
    const { id } = getDelivery('bad')
    await inbox.record(getDelivery('bad:known', { id }))
    const keys = Array.from({ length: 60 }, (_, index) => `bad:${index}`)
    const bad = new Set([0, 17, 18, 59])
    const results = await Promise.allSettled(
      keys.map((key, index) => inbox.record(getDelivery(key, bad.has(index) ? { id } : {}))),
    )
    for (const [index, result] of results.entries()) {
      if (bad.has(index))
        expect(result).toMatchObject({ reason: { ...unavailable, cause: { code: '23505' } } })
      else expect(result).toMatchObject({ value: { events: [{ duplicate: false }] } })
    }
    const stored = await tables()
      .selectFrom('idempotency_keys')
      .select('key')
      .where('key', 'in', keys)
      .execute()
    expect(stored.length).toBe(keys.length - bad.size)
  })

  it('fails a time that the database cannot hold, and a key that no index can, alone', async () => {
    const inbox = database().inbox()
    const endless = Array.from({ length: 9000 }, (_, index) =>
      String.fromCharCode(0x4e00 + ((index * 7919) % 20_000)),
    )
    const results = await Promise.allSettled([
      inbox.record(getDelivery('odd:a')),
      inbox.record(getDelivery('odd:b', { receivedAt: 1e300 })),
      inbox.record(getDelivery(endless.join(''))),
      inbox.record(getDelivery('odd:c')),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
    for (const result of [results[1], results[2]]) expect(result).toMatchObject({ reason: unavailable })
  })

  it('keeps a body of up to half a page in its row, and a larger one elsewhere', async () => {
    const inbox = database().inbox()
    const ids = new Map<string, number>()
    for (const bytes of [4000, 9000]) {
      const delivery = getDelivery(`storage:${bytes}`, {
        body: crypto.getRandomValues(new Uint8Array(bytes)),
      })
      ids.set(delivery.id, bytes)
      await inbox.record(delivery)
      expect((await inbox.get(delivery.id))?.body).toEqual(delivery.body)
    }
    const { rows } = await sql<{ chunks: string }>`
      select reltoastrelid::regclass::text as chunks from pg_class where oid = 'delivery_bodies'::regclass
    `.execute(database().kysely)
    const elsewhere = await sql<{ bytes: number }>`
      select sum(length(chunk_data)) as bytes from ${sql.raw(rows[0]?.chunks ?? '')} group by chunk_id
    `.execute(database().kysely)
    expect(elsewhere.rows.map(({ bytes }) => bytes)).toEqual([9000])
  })

  it('keeps texts of any length and letters, and none at all', async () => {
    const inbox = database().inbox()
    const texts = ['', 'ä€😀', '"\\{},null', 'x'.repeat(5000), undefined, '\ud800\u0000']
    const deliveries = texts.map((text, index) => withText(getDelivery(`texts:${index}`), text))
    await Promise.all(deliveries.map((delivery) => inbox.record(delivery)))
    for (const [index, { id }] of deliveries.entries()) {
      const found = await inbox.get(id)
      expect(found?.headers).toEqual({ 'x-text': texts[index] ?? 'NULL' })
      expect(found?.events[0]?.event.data).toEqual(texts[index])
    }
  })

  it('keeps each body with its delivery, compressed where that is smaller, and of a duplicate nothing', async () => {
    const inbox = database().inbox()
    const bodies = [
      new Uint8Array(),
      Buffer.from('x'.repeat(5000)),
      crypto.getRandomValues(new Uint8Array(1000)),
      Buffer.from('short'),
      Buffer.from('large '.repeat(20_000)),
    ]
    const deliveries = bodies.map((body, index) => getDelivery(`body:${index}`, { body }))
    await Promise.all(deliveries.map((delivery) => inbox.record(delivery)))
    await Promise.all(bodies.map((body, index) => inbox.record(getDelivery(`body:${index}`, { body }))))
    const rows = await tables()
      .selectFrom('delivery_bodies')
      .innerJoin('deliveries', 'deliveries.sequence', 'delivery')
      .innerJoin('events', 'events.delivery', 'deliveries.sequence')
      .select(['deliveries.id', 'encoding', 'body', 'body_bytes'])
      .where('events.id', 'like', 'body:%')
      .orderBy('events.id')
      .execute()
    expect(rows.map(({ id }) => id)).toEqual(deliveries.map(({ id }) => id))
    expect(rows.map(({ encoding }) => encoding)).toEqual(['identity', 'zstd', 'identity', 'identity', 'zstd'])
    for (const [index, { encoding, body, body_bytes }] of rows.entries()) {
      const plain = encoding === 'zstd' ? zstdDecompressSync(body) : body
      expect(Buffer.from(plain).equals(bodies[index]!)).toBe(true)
      expect(body_bytes).toBe(bodies[index]!.byteLength)
    }
  })

  it('waits for a transaction that is just writing the key, and believes its end', async () => {
    const inbox = database().inbox()
    const write = (key: string, commit: boolean) =>
      tables()
        .transaction()
        .execute(async (transaction) => {
          await transaction
            .insertInto('idempotency_keys')
            .values({ scope: 'event', key, event: null, created_at: 0 })
            .execute()
          const recording = inbox.record(getDelivery(key))
          expect(await Promise.race([recording, later()])).toBe('later')
          if (commit) return { recording }
          throw Object.assign(new Error('rolled back'), { recording })
        })
        .catch((error: unknown) => error as { recording: ReturnType<typeof inbox.record> })
    expect((await (await write('wait:a', true)).recording).events).toEqual([
      { id: 'wait:a', duplicate: true },
    ])
    expect((await (await write('wait:b', false)).recording).events).toEqual([
      { id: 'wait:b', duplicate: false },
    ])
  })

  it('leases by the clock of the database, not of this process', async () => {
    const [behind, ahead] = [database().inbox(), database(1).inbox()]
    await behind.record(getDelivery('clock'), { leaseMs: 60_000 })
    const { rows } = await sql<{ left: number }>`
      select lease_ends_at - (extract(epoch from now()) * 1000)::bigint as left
      from events where id = 'clock'`.execute(database().kysely)
    expect(rows[0]!.left).toBeGreaterThan(50_000)
    expect(rows[0]!.left).toBeLessThanOrEqual(60_000)
    const claimed = await ahead.claim('publish', { limit: 1000, leaseMs: 1 })
    expect(claimed.map(({ event }) => event.id)).not.toContain('clock')
  })

  it('keeps the order of a delivery’s events', async () => {
    const inbox = database().inbox()
    const keys = ['order:c', 'order:a', 'order:b']
    await inbox.record(deliveryOfAll(keys))
    const claimed = await inbox.claim('publish', { limit: 1000, leaseMs: 1 })
    expect(claimed.map(({ event }) => event.id).filter((id) => id.startsWith('order:'))).toEqual(keys)
  })

  it('refuses what would wait beyond its limits, but takes any one delivery', async () => {
    const body = new Uint8Array(6000)
    const inbox = database().inbox({ limits: { waiting: 2, waitingBytes: 5000 } })
    const large = inbox.record(getDelivery('limit:large', { body }))
    await expect(inbox.record(getDelivery('limit:a'))).rejects.toMatchObject({
      code: 'OVERLOADED',
      headers: { 'Retry-After': '1' },
    })
    await large
    const small = { body: new Uint8Array(10) }
    const results = await Promise.allSettled(
      ['b', 'c', 'd'].map((key) => inbox.record(getDelivery(`limit:${key}`, small))),
    )
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect((await inbox.record(getDelivery('limit:d', small))).events[0]?.duplicate).toBe(false)
  })

  it('rejects an invalid delivery', async () => {
    const inbox = database().inbox()
    const [record] = getDelivery('a').events
    for (const changes of [{ ts: NaN }, { subject: undefined }, { data: 1n }, { id: 7 }]) {
      const event = { ...record!.event, ...changes } as NonNullable<typeof record>['event']
      await expect(
        inbox.record(getDelivery('a', { events: [{ ...record!, event }] })),
      ).rejects.toBeInstanceOf(TypeError)
    }
    await expect(inbox.claim('publish', { limit: -1, leaseMs: 1 })).rejects.toBeInstanceOf(TypeError)
  })

  it('records what waits before it closes, and rejects what comes later', async () => {
    const own = await openPostgres(postgres())
    const inbox = own.inbox()
    const recorded = Promise.all(
      Array.from({ length: 50 }, (_, index) => inbox.record(getDelivery(`end:${index}`))),
    )
    await Promise.all([own.close(), own.close()])
    expect((await recorded).every(({ events }) => events[0]?.duplicate === false)).toBe(true)
    await expect(inbox.record(getDelivery('end'))).rejects.toMatchObject(unavailable)
  })
})

describeWith('postgres', (postgres) => {
  it('says what to do when the tables are not there', async () => {
    const database = await openPostgres(postgres())
    const inbox = database.inbox()
    for (const work of [() => inbox.ping(), () => inbox.record(getDelivery('a'))]) {
      await expect(work()).rejects.toMatchObject({
        ...unavailable,
        cause: { message: expect.stringContaining('migrate()') as string },
      })
    }
    await Promise.all([database.migrate(), database.migrate()])
    await database.inbox().ping()
    await database.close()
  })

  it('rejects a ping of a read-only database', async () => {
    const url = new URL(postgres().url)
    url.searchParams.set('options', '-c default_transaction_read_only=on')
    const database = await openPostgres({ url: url.href })
    const inbox = database.inbox()
    await expect(inbox.ping()).rejects.toMatchObject({ ...unavailable, cause: { code: '25006' } })
    await expect(inbox.record(getDelivery('a'))).rejects.toMatchObject({ cause: { code: '25006' } })
    expect(await inbox.published({ limit: 1 })).toEqual([])
    await database.close()
  })
})
