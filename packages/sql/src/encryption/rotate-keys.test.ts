import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import {
  copyTables,
  describeEncryptedDatabases,
  type EncryptedDatabase,
  type OpenWith,
} from '../../test/encrypted-databases.ts'
import {
  buryEvents,
  readSecrets,
  secretDelivery,
  secrets,
  storeSecrets,
} from '../../test/encrypted-records.ts'
import { createVault } from './vault.ts'

const [oldKey, newKey, thirdKey] = [randomBytes(32), randomBytes(32), randomBytes(32)]
const both = { keys: [newKey, oldKey] }

/** Renames a column, so that a rotation ends with an error. */
const rename = ({ kysely }: EncryptedDatabase, from: string, to: string) =>
  kysely.schema.alterTable('delivery_bodies').renameColumn(from, to).execute()

function testDatabase(create: () => Promise<OpenWith>): void {
  it('wraps the keys of all values, so that the old key can be removed', async () => {
    const open = await create()
    const plain = await open()
    const before = secretDelivery('doorbell:before')
    // Starts as a sealed value.
    const body = Buffer.concat([Buffer.of(1, 0, 0), randomBytes(200)])
    const quarantine = { key: 'before', reason: 'BEFORE' }
    await plain.inbox().record({ ...before, body, events: [], quarantine })
    await plain.close()
    const first = await open({ keys: [oldKey] })
    const ids = await storeSecrets(first)
    await buryEvents(first)
    await first.close()

    const second = await open(both)
    const rotated = await second.rotateKeys()
    expect(rotated.unreadable).toBe(0)
    expect(rotated.values).toBeGreaterThan(10)
    expect(await second.rotateKeys()).toEqual({ values: 0, unreadable: 0 })
    await second.close()

    const third = await open({ keys: [newKey] })
    const found = await readSecrets(third, ids)
    expect(secrets.filter((text) => !found.includes(text))).toEqual([])
    const inbox = third.inbox()
    expect((await inbox.list({ value: 'person@example.com', limit: 10 })).length).toBe(3)
    expect((await inbox.getRequest!(before.id))?.body.byteLength).toBe(203)
    expect(await third.consumers().deadLetters({ consumer: 'failing', limit: 1 })).toMatchObject([
      { event: { subject: 'front' } },
    ])
    await third.close()
  })

  it('continues after an interruption, while every value opens', async () => {
    const open = await create()
    const first = await open({ keys: [oldKey] })
    const deliveries = Array.from({ length: 250 }, (_, index) => secretDelivery(`doorbell:${index}`))
    await Promise.all(deliveries.map((delivery) => first.inbox().record(delivery)))
    await first.close()
    const second = await open(both)
    await rename(second, 'body', 'hidden')
    await expect(second.rotateKeys()).rejects.toThrow()
    await rename(second, 'hidden', 'body')
    const [one] = deliveries
    expect(await second.inbox().getRequest!(one!.id)).toMatchObject({ headers: one!.headers })
    // The key of the hashes, and the headers and queries of the deliveries, were done before.
    expect(await second.rotateKeys()).toEqual({ values: 3 * 250, unreadable: 0 })
    await second.close()
    const third = await open({ keys: [newKey] })
    for (const { id, query } of deliveries.slice(-3))
      expect((await third.inbox().getRequest!(id))?.query).toBe(query)
    expect(await third.inbox().claim('publish', { limit: 1000, leaseMs: 1000 })).toHaveLength(500)
    await third.close()
  })

  it('reports values without a key, and answers that only seem to be sealed change nothing', async () => {
    const open = await create()
    const first = await open({ keys: [oldKey] })
    await storeSecrets(first)
    const vault = createVault({ keys: [thirdKey] })
    await first.kysely
      .updateTable('queued_events')
      .set({ event: vault.seal('{}', 'event doorbell:queued') })
      .execute()
    const { response } = await first.kysely
      .selectFrom('failures')
      .select('response')
      .executeTakeFirstOrThrow()
    const hostile = JSON.stringify({ ...JSON.parse(response!), body: `\\${vault.seal('', '')}` })
    await first.kysely.updateTable('failures').set({ response: hostile }).execute()
    await first.close()
    const second = await open(both)
    const copy = await copyTables(second.kysely)
    expect((await second.rotateKeys()).unreadable).toBe(1)
    expect(copy).toContain(hostile)
    expect(await copyTables(second.kysely)).toContain(hostile)
    await second.close()
  })
}

describeEncryptedDatabases(testDatabase)
