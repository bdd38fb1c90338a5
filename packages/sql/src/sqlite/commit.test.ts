import Database from 'better-sqlite3'
import { zstdDecompressSync } from 'node:zlib'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { newPath, removeFiles } from '../../test/files.ts'
import { getDelivery } from '../../test/records.ts'
import { openStorage, type SqliteOptions } from './database.ts'

const opened: { close(): Promise<void> | undefined }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})
afterAll(removeFiles)

async function open(options: Partial<SqliteOptions> = {}) {
  const path = options.path ?? (await newPath())
  const storage = await openStorage({ ...options, path })
  opened.push(storage.database)
  return { ...storage, path, inbox: storage.database.inbox() }
}

function lock(path: string): () => void {
  const other = new Database(path)
  other.exec('begin immediate')
  return () => {
    other.exec('rollback')
    other.close()
  }
}

const unavailable = { code: 'INBOX_UNAVAILABLE', status: 503, headers: { 'Retry-After': '5' } }

describe('group commit', () => {
  // Transactions that followed one another kept deliveries waiting for seconds.
  it('commits before a transaction of this process that begins later', async () => {
    const { inbox, database, path } = await open()
    const unlock = lock(path)
    const order: string[] = []
    const recorded = inbox.record(getDelivery('a')).then(() => order.push('recorded'))
    // The batch is with the worker, and waits for the lock.
    await new Promise((resolve) => setTimeout(resolve, 20))
    const begun = database.kysely.transaction().execute(() => {
      order.push('begun')
      return Promise.resolve()
    })
    unlock()
    await Promise.all([recorded, begun])
    expect(order).toEqual(['recorded', 'begun'])
  })

  it('delays the next batch until a transaction of this process has begun', async () => {
    const { inbox, commits } = await open()
    // The first request starts the thread.
    await inbox.ping()
    const order: string[] = []
    const begun = commits.betweenBatches(async () => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      order.push('begun')
    })
    const recorded = inbox.record(getDelivery('a')).then(() => order.push('recorded'))
    await Promise.all([recorded, begun])
    expect(order).toEqual(['begun', 'recorded'])
  })

  it('delays transactions of this process by at most two batches under load', async () => {
    const { inbox, database } = await open()
    const recorders = 10
    let recorded = 0
    let stopped = false
    // Each recorder adds at most one record to a batch.
    const load = Array.from({ length: recorders }, async (_, recorder) => {
      for (let count = 0; !stopped; count++) {
        await inbox.record(getDelivery(`${recorder}:${count}`))
        recorded++
      }
    })
    const delays: number[] = []
    for (let count = 0; count < 20; count++) {
      const before = recorded
      await database.kysely.transaction().execute(() => {
        delays.push(recorded - before)
        return Promise.resolve()
      })
      await inbox.ping()
    }
    stopped = true
    await Promise.all(load)
    expect(recorded).toBeGreaterThan(10 * recorders)
    expect(Math.max(...delays)).toBeLessThanOrEqual(2 * recorders)
  })

  it('fails an invalid row without the others of its batch', async () => {
    const { inbox, database } = await open()
    const id = '00000000-0000-7000-8000-000000000001'
    const results = await Promise.allSettled([
      inbox.record(getDelivery('a', { id })),
      inbox.record(getDelivery('b', { id })),
      inbox.record(getDelivery('c')),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(results[1]).toMatchObject({
      reason: { ...unavailable, cause: { code: 'SQLITE_CONSTRAINT_UNIQUE' } },
    })
    const keys = await database.kysely.selectFrom('idempotency_keys').select('key').orderBy('key').execute()
    expect(keys).toEqual([{ key: 'a' }, { key: 'c' }])
  })

  it('keeps the body compressed where that is smaller, and of a duplicate nothing', async () => {
    const { inbox, database } = await open()
    const noise = crypto.getRandomValues(new Uint8Array(1000))
    // More than one piece of what compresses it.
    const hex = Buffer.from(Buffer.from(crypto.getRandomValues(new Uint8Array(15_000))).toString('hex'))
    const bodies = [new Uint8Array(), Buffer.from('x'.repeat(5000)), noise, hex]
    for (const [index, body] of bodies.entries()) {
      await inbox.record(getDelivery(`doorbell:${index}`, { body }))
      await inbox.record(getDelivery(`doorbell:${index}`, { body }))
    }
    const rows = await database.kysely
      .selectFrom('delivery_bodies')
      .innerJoin('deliveries', 'deliveries.sequence', 'delivery')
      .select(['encoding', 'body', 'body_bytes'])
      .orderBy('deliveries.sequence')
      .execute()
    expect(rows.map(({ encoding, body_bytes }) => [encoding, body_bytes])).toEqual([
      ['identity', 0],
      ['zstd', 5000],
      ['identity', 1000],
      ['zstd', 30_000],
    ])
    for (const [index, { encoding, body }] of rows.entries()) {
      const plain = encoding === 'zstd' ? zstdDecompressSync(body) : body
      expect(Buffer.from(plain).equals(bodies[index]!)).toBe(true)
    }
  })

  it('answers 503 while another process does not let go of the database, and recovers', async () => {
    const { inbox, path } = await open({ busyTimeoutMs: 100 })
    const release = lock(path)
    const startedAt = performance.now()
    const ids = Array.from({ length: 30 }, (_, index) => `doorbell:${index}`)
    const refused = await Promise.allSettled(ids.map((id) => inbox.record(getDelivery(id))))
    // Together, not each for itself.
    expect(performance.now() - startedAt).toBeLessThan(2500)
    release()
    for (const result of refused) {
      expect(result).toMatchObject({ reason: { ...unavailable, cause: { code: 'SQLITE_BUSY' } } })
    }
    expect((await inbox.record(getDelivery('a'))).events[0]?.duplicate).toBe(false)
  })

  it('refuses what would wait beyond its limits, but never a settlement', async () => {
    const { inbox, path } = await open({ limits: { waiting: 3 } })
    const { events } = await inbox.record(getDelivery('held'), { leaseMs: 1000 })
    const release = lock(path)
    const first = inbox.record(getDelivery('first'))
    await new Promise((resolve) => setTimeout(resolve, 20))
    const waiting = ['a', 'b', 'c', 'd'].map((id) => inbox.record(getDelivery(id)))
    const outcome = { status: 'done' } as const
    const settled = inbox.settle('publish', [{ id: 'held', lease: events[0]!.lease!, outcome }])
    await expect(waiting[3]).rejects.toMatchObject({ code: 'OVERLOADED', headers: { 'Retry-After': '1' } })
    release()
    await first
    expect((await Promise.all(waiting.slice(0, 3))).length).toBe(3)
    expect(await settled).toEqual([true])
  })

  it('bounds the bytes that wait, but takes any one delivery', async () => {
    const { inbox, path } = await open({ limits: { waitingBytes: 5000 } })
    const body = new Uint8Array(6000)
    const release = lock(path)
    const first = inbox.record(getDelivery('a', { body }))
    await new Promise((resolve) => setTimeout(resolve, 20))
    const second = inbox.record(getDelivery('b', { body }))
    await expect(inbox.record(getDelivery('c'))).rejects.toMatchObject({ code: 'OVERLOADED' })
    release()
    await Promise.all([first, second])
    for (let round = 0; round < 3; round++) {
      await Promise.all(['x', 'y'].map((id) => inbox.record(getDelivery(id, { body: new Uint8Array(2000) }))))
    }
  })

  it('rejects the requests of a dying thread and starts another thread', async () => {
    const { inbox, commits, path } = await open()
    await inbox.record(getDelivery('a'))
    const release = lock(path)
    const asked = inbox.record(getDelivery('b'))
    await new Promise((resolve) => setTimeout(resolve, 20))
    const behind = inbox.record(getDelivery('c'))
    const killed = commits.kill()
    await new Promise((resolve) => setTimeout(resolve, 20))
    release()
    await killed
    await expect(asked).rejects.toMatchObject({ ...unavailable, cause: { code: 'WORKER_DIED' } })
    expect((await behind).events[0]?.duplicate).toBe(false)
    expect((await inbox.record(getDelivery('a'))).events[0]?.duplicate).toBe(true)
  })

  it('commits what waits before it closes, and rejects what comes later', async () => {
    const { inbox, database, commits, path } = await open()
    const recorded = Promise.all(['a', 'b'].map((id) => inbox.record(getDelivery(id))))
    await Promise.all([database.close(), database.close()])
    expect((await recorded).length).toBe(2)
    await expect(inbox.record(getDelivery('c'))).rejects.toMatchObject(unavailable)
    await expect(inbox.ping()).rejects.toMatchObject({ cause: { message: 'The inbox is closed' } })
    await expect(commits.run('ping', null)).rejects.toMatchObject({ cause: { code: 'CLOSED' } })
    const again = await open({ path })
    expect((await again.inbox.record(getDelivery('b'))).events[0]?.duplicate).toBe(true)
  })

  it('never takes the caller’s memory, nor sees what becomes of it after the commit', async () => {
    const { inbox, database } = await open()
    const slab = Buffer.alloc(8192, 'a')
    await inbox.record(getDelivery('a', { body: slab.subarray(100, 200) }))
    expect(slab.buffer.byteLength).toBeGreaterThan(0)
    const { body } = await database.kysely
      .selectFrom('delivery_bodies')
      .select('body')
      .executeTakeFirstOrThrow()
    expect(Buffer.from(body).toString()).toBe('a'.repeat(100))
  })

  it('rejects an invalid delivery', async () => {
    const { inbox } = await open()
    const [record] = getDelivery('a').events
    const withEvent = (changes: object) =>
      getDelivery('a', { events: [{ ...record!, event: { ...record!.event, ...changes } }] })
    for (const changes of [{ ts: NaN }, { subject: undefined }, { data: 1n }, { id: 7 }]) {
      await expect(inbox.record(withEvent(changes))).rejects.toBeInstanceOf(TypeError)
    }
    await expect(inbox.claim('publish', { limit: -1, leaseMs: 1 })).rejects.toBeInstanceOf(TypeError)
    await expect(inbox.published({ limit: Infinity })).rejects.toBeInstanceOf(TypeError)
    await expect(
      inbox.settle('publish', [
        { id: 'a', lease: 'x', outcome: { status: 'retry', afterMs: NaN, error: '' } },
      ]),
    ).rejects.toBeInstanceOf(TypeError)
  })
})
