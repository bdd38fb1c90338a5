import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { copyTables, describeEncryptedDatabases, type OpenWith } from '../../test/encrypted-databases.ts'
import {
  buryEvents,
  readSecrets,
  secretDelivery,
  secrets,
  storeSecrets,
} from '../../test/encrypted-records.ts'
import { hashValue } from '../deliveries/values.ts'
import { createVault } from './vault.ts'

const keys = [randomBytes(32)]
const otherKeys = [randomBytes(32)]

const clear = [...secrets, String(hashValue('person@example.com')), String(hashValue('refused@example.com'))]

function testDatabase(create: () => Promise<OpenWith>): void {
  it('stores no content in a readable form, and reads all of it', async () => {
    for (const encryption of [undefined, { keys }]) {
      const open = await create()
      const database = await open(encryption)
      const ids = await storeSecrets(database)
      await buryEvents(database)
      const copy = await copyTables(database.kysely)
      expect(clear.filter((text) => copy.includes(text))).toEqual(encryption ? [] : clear)
      expect(copy).toContain('doorbell/bell.rung')
      const found = await readSecrets(database, ids)
      expect(secrets.filter((text) => !found.includes(text))).toEqual([])
      expect(await database.consumers().deadLetters({ consumer: 'failing', limit: 10 })).toMatchObject([
        { event: { subject: 'front' } },
        { event: { subject: 'front' } },
      ])
      await database.close()
    }
  })

  it('reads the rows of before, and finds the values of old and new rows', async () => {
    const open = await create()
    const plain = await open()
    const ids = await storeSecrets(plain)
    await plain.close()
    const database = await open({ keys })
    const inbox = database.inbox()
    const later = secretDelivery('doorbell:2')
    await inbox.record(later)
    const found = await readSecrets(database, ids)
    expect(secrets.filter((text) => !found.includes(text))).toEqual([])
    expect((await inbox.getRequest!(later.id))?.headers).toEqual(later.headers)
    for (const filter of [{ value: 'person@example.com' }, { text: 'person@example.com' }]) {
      expect((await inbox.list({ ...filter, limit: 10 })).map((one) => one.id)).toEqual([
        later.id,
        ids.laneId,
        ids.id,
      ])
      expect(await inbox.countDeliveries(filter)).toBe(3)
    }
    expect(await database.unprocessed().count({ value: 'refused@example.com' })).toBe(1)
    await database.close()
    const reading = await open({ keys, encryptsNew: false })
    expect((await reading.inbox().getRequest!(later.id))?.query).toBe(later.query)
    await reading.close()
  })

  it('stores a text that looks sealed as a text', async () => {
    const open = await create()
    for (const encryption of [undefined, { keys }]) {
      const database = await open(encryption)
      const query = createVault({ keys: otherKeys }).seal('', '')
      const delivery = { ...secretDelivery(encryption ? 'doorbell:1' : 'doorbell:2'), query }
      await database.inbox().record(delivery)
      expect((await database.inbox().getRequest!(delivery.id))?.query).toBe(query)
      await database.close()
    }
  })

  it('refuses to open without its key, and to write plain values', async () => {
    const open = await create()
    await (await open({ keys })).close()
    await expect(open({ keys: otherKeys })).rejects.toMatchObject({ code: 'ENCRYPTION_KEY_MISSING' })
    for (const wrong of [[], [randomBytes(16)]])
      await expect(open({ keys: wrong })).rejects.toThrow(TypeError)
  })

  it('keeps pending events whose key is missing, in the order of their lane', async () => {
    const open = await create()
    const first = await open({ keys })
    const lane = { name: 'front', isOrdered: true }
    const inLane = (delivery: ReturnType<typeof secretDelivery>) => ({
      ...delivery,
      events: delivery.events.map((event) => ({ ...event, lane })),
    })
    await first.inbox().record(secretDelivery())
    await first.inbox().record(inLane(secretDelivery('doorbell:2')))
    await first.kysely.deleteFrom('encryption_keys').execute()
    await first.close()

    const second = await open({ keys: otherKeys })
    const errors: unknown[] = []
    const inbox = second.inbox({ onError: (error) => errors.push(error) })
    await inbox.record(inLane(secretDelivery('doorbell:3')))
    expect(await inbox.claim('publish', { limit: 10, leaseMs: 1000 })).toEqual([])
    expect(await inbox.claimLanes!({ limit: 10, events: 10, leaseMs: 1000 })).toEqual([])
    expect(errors).toHaveLength(3)
    expect(errors).toMatchObject(errors.map(() => ({ code: 'ENCRYPTION_KEY_MISSING' })))
    expect((await inbox.stats()).events).toMatchObject({ pending: 6, dead: 0 })
    await second.close()

    const third = await open({ keys: [...otherKeys, ...keys] })
    const restored = third.inbox({ now: () => Date.now() + 120_000 })
    expect(await restored.claim('publish', { limit: 10, leaseMs: 1000 })).toHaveLength(2)
    const [claimed] = await restored.claimLanes!({ limit: 10, events: 10, leaseMs: 1000 })
    expect(claimed?.works.map(({ event }) => event.data)).toEqual([
      ...[{ door: 'secret body' }, { door: 'secret data' }],
      ...[{ door: 'secret body' }, { door: 'secret data' }],
    ])
    await third.close()
  })

  it('gives no event without its key to a consumer', async () => {
    const open = await create()
    const first = await open({ keys })
    await storeSecrets(first)
    await first.kysely.deleteFrom('encryption_keys').execute()
    await first.close()
    const database = await open({ keys: otherKeys })
    const errors: unknown[] = []
    const handlers = { 'doorbell/bell.rung': () => undefined }
    const options = { name: 'one', handlers, onError: (error: unknown) => errors.push(error) }
    for (const consumer of [database.consumer(options), database.queue().consumer(options)]) {
      errors.length = 0
      await consumer.start()
      await expect.poll(() => errors[0]).toMatchObject({ code: 'ENCRYPTION_KEY_MISSING' })
      await consumer.stop()
    }
    expect(await database.consumers().countDeadLetters('one')).toBe(0)
    await database.close()
  })

  describe('a changed value', () => {
    const failed = { code: 'DECRYPTION_FAILED' }

    it.each([
      ['moved from another delivery', (_: Uint8Array, other: Uint8Array) => other],
      ['truncated', (body: Uint8Array) => body.subarray(0, -1)],
      ['cut to its start', (body: Uint8Array) => body.subarray(0, 80)],
      ['with another form', (body: Uint8Array) => body.with(69, 1)],
      ['with a changed byte', (body: Uint8Array) => body.with(-1, body.at(-1)! ^ 1)],
      ['with a changed key', (body: Uint8Array) => body.with(60, body[60]! ^ 1)],
    ])('does not open: %s', async (_, change) => {
      const open = await create()
      const database = await open({ keys })
      const inbox = database.inbox()
      const [one, two] = [secretDelivery('doorbell:1'), secretDelivery('doorbell:2')]
      await inbox.record(one)
      await inbox.record(two)
      const stored = await database.kysely
        .selectFrom('delivery_bodies')
        .select(['delivery', 'body'])
        .orderBy('delivery')
        .execute()
      const body = Buffer.from(change(Uint8Array.from(stored[0]!.body), Uint8Array.from(stored[1]!.body)))
      const { delivery } = stored[0]!
      await database.kysely
        .updateTable('delivery_bodies')
        .set({ body })
        .where('delivery', '=', delivery)
        .execute()
      await database.kysely
        .updateTable('events')
        .set({ data_body: body })
        .where('delivery', '=', delivery)
        .where('data_body', 'is not', null)
        .execute()
      await expect(inbox.get(one.id)).rejects.toMatchObject(failed)
      await expect(inbox.getRequest!(one.id)).rejects.toMatchObject(failed)
      const claimed = await inbox.claim('publish', { limit: 10, leaseMs: 1000 })
      expect(claimed.map(({ event: { id } }) => id)).toEqual([
        'doorbell:1:data',
        'doorbell:2',
        'doorbell:2:data',
      ])
      expect((await inbox.stats()).events.dead).toBe(1)
      await database.close()
    })

    it('fails no other request that is read with it', async () => {
      const open = await create()
      const database = await open({ keys })
      const inbox = database.inbox()
      const deliveries = ['doorbell:1', 'doorbell:2', 'doorbell:3'].map((id) => secretDelivery(id))
      for (const delivery of deliveries) await inbox.record(delivery)
      const [one, two] = deliveries
      const headers = createVault({ keys: otherKeys }).seal('{}', `headers ${one!.id}`)
      await database.kysely.updateTable('deliveries').set({ headers }).where('id', '=', one!.id).execute()
      await database.kysely
        .updateTable('deliveries')
        .set({ query: '\\e' })
        .where('id', '=', two!.id)
        .execute()
      const read = await Promise.allSettled(deliveries.map(({ id }) => inbox.getRequest!(id)))
      expect(read).toMatchObject([
        { status: 'rejected', reason: { code: 'ENCRYPTION_KEY_MISSING' } },
        { status: 'rejected', reason: failed },
        { status: 'fulfilled', value: { query: 'name=secret query' } },
      ])
      await database.close()
    })

    it('does not open in another column or row', async () => {
      const open = await create()
      const database = await open({ keys })
      const { id } = await storeSecrets(database)
      const inbox = database.inbox()
      const { headers } = await database.kysely
        .selectFrom('deliveries')
        .select('headers')
        .executeTakeFirstOrThrow()
      await database.kysely.updateTable('deliveries').set({ query: headers }).execute()
      await database.kysely.updateTable('unprocessed_deliveries').set({ headers }).execute()
      await expect(inbox.get(id)).rejects.toMatchObject(failed)
      await expect(database.unprocessed().get('refused')).rejects.toMatchObject(failed)
      await database.close()
    })
  })

  it('limits a claim by the bytes of the data, not by those of its compressed form', async () => {
    const open = await create()
    const database = await open({ keys })
    const inbox = database.inbox()
    for (const id of ['a', 'b', 'c']) {
      const delivery = secretDelivery(id)
      const data = 'x'.repeat(1000)
      const [body, own] = delivery.events.map((record) => ({ ...record, event: { ...record.event, data } }))
      const events = id === 'b' ? [own!] : [body!]
      await inbox.record({ ...delivery, body: Buffer.from(JSON.stringify(data)), events })
    }
    const claimed = await inbox.claim('publish', { limit: 10, leaseMs: 1000, maxBytes: 2100 })
    expect(claimed.length).toBe(1)
    await database.close()
  })

  it('is erased without the key', async () => {
    const open = await create()
    const database = await open({ keys })
    const { id } = await storeSecrets(database)
    await database.kysely.deleteFrom('encryption_keys').execute()
    await database.close()
    const other = await open({ keys: otherKeys })
    const inbox = other.inbox({ now: () => Date.now() + 120_000 })
    expect(await inbox.erase({ filter: { id }, limit: 10 })).toMatchObject({ deliveries: 1 })
    expect(await inbox.get(id)).toMatchObject({ bodyState: 'erased', headers: {} })
    expect((await other.bus().read({ limit: 10 })).map(({ event }) => event.data)).toEqual([
      undefined,
      undefined,
    ])
    await other.close()
  })
}

describeEncryptedDatabases(testDatabase)
