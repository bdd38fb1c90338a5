import { randomBytes } from 'node:crypto'
import type { DeliveryRecord, WebhookEvent } from '@sallyport/webhooks'
import { expect, it } from 'vitest'
import { memoryBodyStore } from '../../test/body-stores.ts'
import {
  copyTables,
  describeEncryptedDatabases,
  type EncryptedDatabase,
  type OpenWith,
} from '../../test/encrypted-databases.ts'
import { getDelivery } from '../../test/records.ts'

const keys = [randomBytes(32)]
const { signal } = new AbortController()
const later = { now: () => Date.now() + 2 * 60 * 60 * 1000 }
const unavailable = { code: 'BODY_UNAVAILABLE', status: 503, headers: { 'Retry-After': '5' } }

/** A delivery whose data is its body, of a few kilobytes. */
function largeDelivery(id = 'doorbell:1', changes: Partial<DeliveryRecord> = {}) {
  const plain = getDelivery(id, changes)
  const [record] = plain.events
  const data = { door: 'a large body', noise: randomBytes(2000).toString('base64') }
  const event = { ...record!.event, data }
  const events = [{ ...record!, event, notify: false, dataIsBody: true }]
  return { ...plain, body: Buffer.from(JSON.stringify(data)), events }
}

function testDatabase(create: () => Promise<OpenWith>): void {
  /** Opens a database with a store. */
  async function open(encryption?: Parameters<OpenWith>[0]) {
    const openWith = await create()
    const store = memoryBodyStore()
    const database = await openWith(encryption, { store, above: 1000 })
    return { database, store, inbox: database.inbox(), openWith }
  }
  const claimAll = (inbox: ReturnType<EncryptedDatabase['inbox']>) =>
    inbox.claim('publish', { limit: 10, leaseMs: 60_000 })
  const publishAll = async ({ inbox, database }: Awaited<ReturnType<typeof open>>) => {
    const claimed = await claimAll(inbox)
    await database.bus().publish(
      claimed.map(({ event }) => event),
      signal,
    )
    const done = { outcome: { status: 'done' } } as const
    await inbox.settle(
      'publish',
      claimed.map(({ event: { id }, lease }) => ({ id, lease, ...done })),
    )
  }

  it('keeps a large body outside the database, for its delivery, its event and the bus', async () => {
    for (const encryption of [undefined, { keys }]) {
      const opened = await open(encryption)
      const { database, store, inbox } = opened
      const delivery = largeDelivery()
      const { event } = delivery.events[0]!
      await inbox.record(delivery)
      await inbox.record(getDelivery('doorbell:small', { body: Buffer.from('{}') }))
      await publishAll(opened)

      expect(store.objects.size).toBe(1)
      const [object] = store.objects.values()
      const copy = await copyTables(database.kysely)
      expect(copy.length).toBeLessThan(4000)
      expect(copy).not.toContain('a large body')
      if (encryption) expect(Buffer.from(object!).toString('latin1')).not.toContain('large body')

      expect(await inbox.get(delivery.id)).toMatchObject({
        body: Uint8Array.from(delivery.body),
        events: [{ event }],
      })
      expect((await inbox.getRequest!(delivery.id))?.body).toEqual(Uint8Array.from(delivery.body))
      expect((await inbox.published({ limit: 1 })).map((one) => one.event)).toEqual([event])
      expect((await database.bus().read({ limit: 1 })).map((one) => one.event)).toEqual([event])
      await database.close()
    }
  })

  it('answers 503 for large deliveries while the store does not answer, and keeps nothing of them', async () => {
    const { database, store, inbox } = await open()
    store.failure = new Error('away')
    await expect(inbox.record(largeDelivery())).rejects.toMatchObject(unavailable)
    await inbox.record(getDelivery('doorbell:small', { body: Buffer.from('{}') }))
    expect((await inbox.stats()).events.pending).toBe(1)
    store.failure = undefined
    expect(await inbox.record(largeDelivery())).toMatchObject({ events: [{ duplicate: false }] })
    await database.close()
  })

  it('limits the memory of bodies that wait for the store, without a limit for small ones', async () => {
    const { database, store, inbox } = await open()
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const { put } = store
    store.put = (key, bytes, options) => promise.then(() => put(key, bytes, options))
    const body = Buffer.alloc(40 * 1024 * 1024)
    const first = inbox.record(getDelivery('doorbell:1', { body }))
    await expect(inbox.record(getDelivery('doorbell:2', { body }))).rejects.toMatchObject({
      code: 'OVERLOADED',
    })
    await inbox.record(getDelivery('doorbell:small', { body: Buffer.from('{}') }))
    resolve(undefined)
    await first
    await inbox.record(getDelivery('doorbell:2', { body }))
    await database.close()
  })

  it('lets events and their lanes wait while the store does not answer', async () => {
    const openWith = await create()
    const store = memoryBodyStore()
    const database = await openWith({ keys }, { store, above: 1000 })
    const errors: unknown[] = []
    const inbox = database.inbox({ onError: (error) => errors.push(error) })
    const lane = { name: 'front', isOrdered: true }
    const inLane = <Delivery extends DeliveryRecord>(delivery: Delivery) => ({
      ...delivery,
      events: delivery.events.map((event) => ({ ...event, lane })),
    })
    const [own, first] = [largeDelivery('doorbell:1'), inLane(largeDelivery('doorbell:2'))]
    for (const delivery of [own, first, inLane(getDelivery('doorbell:3', { body: Buffer.from('{}') }))])
      await inbox.record(delivery)
    store.failure = new Error('away')
    expect(await claimAll(inbox)).toEqual([])
    expect(await inbox.claimLanes!({ limit: 10, events: 10, leaseMs: 1000 })).toEqual([])
    expect(errors).toMatchObject([{ code: 'BODY_UNAVAILABLE' }, { code: 'BODY_UNAVAILABLE' }])
    await expect(inbox.get(own.id)).rejects.toMatchObject(unavailable)
    await expect(inbox.getRequest!(own.id)).rejects.toMatchObject(unavailable)
    store.failure = undefined
    const restored = database.inbox(later)
    expect((await claimAll(restored)).map(({ event }) => event)).toEqual([own.events[0]!.event])
    const [claimed] = await restored.claimLanes!({ limit: 10, events: 10, leaseMs: 1000 })
    expect(claimed?.works.map(({ event }) => event.id)).toEqual(['doorbell:2', 'doorbell:3'])
    await database.close()
  })

  it('lets a consumer of the bus wait for the store, and keeps the data of its dead letters', async () => {
    const opened = await open({ keys })
    const { database, store, inbox } = opened
    await inbox.record(largeDelivery())
    await publishAll(opened)
    store.failure = new Error('away')
    const errors: unknown[] = []
    const handled: WebhookEvent[] = []
    const consumer = database.consumer({
      ...{ name: 'one', attempts: 1, onError: (error: unknown) => errors.push(error) },
      handlers: {
        'doorbell/bell.rung': (event: WebhookEvent) => {
          handled.push(event)
          throw new RangeError('no')
        },
      },
    })
    await consumer.start()
    await expect.poll(() => errors[0]).toMatchObject(unavailable)
    store.failure = undefined
    await expect.poll(() => database.consumers().countDeadLetters('one'), { timeout: 10_000 }).toBe(1)
    await database.kysely.deleteFrom('bus_events').execute()
    store.objects.clear()
    expect(await database.consumers().retry('one')).toBe(1)
    await expect.poll(() => handled.length, { timeout: 10_000 }).toBe(2)
    expect(handled[1]).toEqual(handled[0])
    expect(handled[1]!.data).toMatchObject({ door: 'a large body' })
    await consumer.stop()
    await database.close()
  })

  it.each([
    ['changed', (bytes: Uint8Array) => bytes.with(-1, bytes.at(-1)! ^ 1)],
    ['cut', (bytes: Uint8Array) => bytes.subarray(1)],
    ['longer', (bytes: Uint8Array) => Buffer.concat([bytes, bytes])],
  ])('never returns an object that is %s', async (_, change) => {
    for (const encryption of [undefined, { keys }]) {
      const { database, store, inbox } = await open(encryption)
      const delivery = largeDelivery()
      await inbox.record(delivery)
      for (const [key, bytes] of store.objects) store.objects.set(key, change(bytes))
      const changed = { code: 'BODY_CHANGED', message: expect.stringContaining(delivery.id) as unknown }
      await expect(inbox.get(delivery.id)).rejects.toMatchObject(changed)
      await expect(inbox.getRequest!(delivery.id)).rejects.toMatchObject(changed)
      expect(await claimAll(inbox)).toEqual([])
      expect((await inbox.stats()).events.dead).toBe(1)
      await database.close()
    }
  })

  it('gives no delivery the encrypted object of another one', async () => {
    const { database, inbox } = await open({ keys })
    const [one, two] = [largeDelivery('doorbell:1'), largeDelivery('doorbell:2')]
    await inbox.record(one)
    await inbox.record(two)
    const { kysely } = database
    const bodies = await kysely
      .selectFrom('delivery_bodies')
      .select(['delivery', 'body'])
      .orderBy('delivery')
      .execute()
    await kysely
      .updateTable('delivery_bodies')
      .set({ body: bodies[1]!.body })
      .where('delivery', '=', bodies[0]!.delivery)
      .execute()
    await expect(inbox.get(one.id)).rejects.toMatchObject({ code: 'DECRYPTION_FAILED' })
    await database.close()
  })

  it('waits for an object that is missing, but not a consumer, and for a store that is not configured', async () => {
    const opened = await open()
    const { database, store, inbox, openWith } = opened
    const delivery = largeDelivery()
    await inbox.record(delivery)
    const without = await openWith()
    await expect(without.inbox().get(delivery.id)).rejects.toMatchObject(unavailable)
    await without.inbox().prune({ publishedForMs: 0 })
    await without.close()
    const saved = new Map(store.objects)
    store.objects.clear()
    const missing = { code: 'BODY_MISSING', message: expect.stringContaining(delivery.id) as unknown }
    await expect(inbox.get(delivery.id)).rejects.toMatchObject(missing)
    expect(await claimAll(inbox)).toEqual([])
    expect((await inbox.stats()).events).toMatchObject({ pending: 1, dead: 0 })
    for (const [key, bytes] of saved) store.objects.set(key, bytes)
    await publishAll({ ...opened, inbox: database.inbox(later) })
    store.objects.clear()
    const handlers = { 'doorbell/bell.rung': () => undefined }
    const consumer = database.consumer({ name: 'one', handlers })
    await consumer.start()
    await expect.poll(() => database.consumers().countDeadLetters('one'), { timeout: 10_000 }).toBe(1)
    await consumer.stop()
    await database.close()
  })

  it('deletes the object with the last row that refers to it', async () => {
    const opened = await open({ keys })
    const { database, store, inbox } = opened
    const delivery = largeDelivery()
    await inbox.record(delivery)
    await publishAll(opened)
    const future = database.inbox(later)
    await future.prune({ bodiesForMs: 0 })
    expect((await inbox.get(delivery.id))?.bodyState).toBe('pruned')
    await inbox.replay({ ids: [delivery.id] }, { asNew: true })
    expect((await claimAll(inbox)).map(({ event }) => event.data)).toEqual([delivery.events[0]!.event.data])
    await database.kysely.updateTable('events').set({ status: 'published', published_at: 1 }).execute()
    await future.prune({ publishedForMs: 0, bodiesForMs: 0 })
    expect(await inbox.get(delivery.id)).toBeUndefined()
    expect((await database.bus().read({ limit: 1 }))[0]?.event.data).toEqual(delivery.events[0]!.event.data)
    expect(store.objects.size).toBe(1)
    await database.bus(later).prune({ publishedForMs: 0, unreadForMs: 0 })
    await future.prune({})
    expect(store.objects.size).toBe(0)
    await database.close()
  })

  it('deletes the objects of erased deliveries at once, or when the store answers again', async () => {
    const opened = await open()
    const { database, store, inbox } = opened
    const [one, two] = [largeDelivery('doorbell:1'), largeDelivery('doorbell:2')]
    await inbox.record(one)
    await inbox.record(two)
    await publishAll(opened)
    await inbox.eraseBody(one.id)
    expect(store.objects.size).toBe(1)
    store.failure = new Error('away')
    const errors: unknown[] = []
    const erasing = database.inbox({ onError: (error) => errors.push(error) })
    expect(await erasing.erase({ filter: { id: two.id }, limit: 1 })).toMatchObject({ deliveries: 1 })
    expect(errors).toMatchObject([{ code: 'BODY_UNAVAILABLE', cause: store.failure }])
    expect([store.objects.size, (await inbox.get(two.id))?.bodyState]).toEqual([1, 'erased'])
    store.failure = undefined
    await inbox.prune({})
    expect(store.objects.size).toBe(0)
    await database.close()
  })

  it('deletes the objects of many erased deliveries at once', async () => {
    const { database, store, inbox } = await open()
    const many = Array.from({ length: 501 }, (_, index) => getDelivery(`doorbell:${index}`))
    await Promise.all(many.map((delivery) => inbox.record(delivery)))
    expect(await inbox.erase({ filter: {}, limit: 1000 })).toMatchObject({ deliveries: 501 })
    expect(store.objects.size).toBe(0)
    await database.close()
  })

  it('deletes the object of a delivery that was not recorded, after an hour', async () => {
    const { database, store, inbox } = await open()
    await inbox.record(largeDelivery('doorbell:1'))
    // A duplicate keeps no row.
    await inbox.record(largeDelivery('doorbell:1'))
    await inbox.prune({})
    expect(store.objects.size).toBe(2)
    await database.inbox(later).prune({})
    expect(store.objects.size).toBe(1)
    expect(await claimAll(inbox)).toHaveLength(1)
    await database.close()
  })

  it('records no delivery whose object was deleted meanwhile', async () => {
    const { database, store, inbox } = await open({ keys })
    const { put } = store
    store.put = async (...object) => {
      await put(...object)
      await database.inbox(later).prune({})
    }
    await expect(inbox.record(largeDelivery())).rejects.toMatchObject({ code: 'INBOX_UNAVAILABLE' })
    store.put = put
    expect(await inbox.record(largeDelivery())).toMatchObject({ events: [{ duplicate: false }] })
    expect(store.objects.size).toBe(1)
    await database.close()
  })

  it('rotates the keys of objects without the store', async () => {
    const { database, store, inbox, openWith } = await open({ keys })
    const delivery = largeDelivery()
    await inbox.record(delivery)
    await database.close()
    const next = randomBytes(32)
    const rotating = await openWith({ keys: [next, ...keys] })
    expect((await rotating.rotateKeys()).unreadable).toBe(0)
    await rotating.close()
    const rotated = await openWith({ keys: [next] }, { store })
    expect((await rotated.inbox().get(delivery.id))?.body).toEqual(Uint8Array.from(delivery.body))
    await rotated.close()
  })
}

describeEncryptedDatabases(testDatabase)
