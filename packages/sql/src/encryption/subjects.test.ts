import { createSecretKey, randomBytes } from 'node:crypto'
import { createDelivery } from '@sallyport/test-support/records'
import { createEvent } from '@sallyport/webhooks/testing'
import { expect, it } from 'vitest'
import { copyTables, describeEncryptedDatabases, type OpenWith } from '../../test/encrypted-databases.ts'
import { createSubjects } from './subjects.ts'

const keys = [randomBytes(32)]
const encrypted = { keys, encryptsSubjects: true }
const ann = 'ann@example.com'

/** A delivery with an event of a subject, in a lane of a destination and in a lane of the application. */
const deliver = (id: string, subject = ann) => {
  const event = createEvent(`doorbell:${id}`, Date.now(), { subject, name: 'doorbell/bell.rung' })
  const lane = (name: string) => ({ name, isOrdered: true })
  return createDelivery(
    Date.now(),
    { event, lane: lane(subject) },
    { event: { ...event, id: `>billing/doorbell:${id}` }, lane: lane(`>billing/doorbell/${subject}`) },
  )
}

function testDatabase(create: () => Promise<OpenWith>): void {
  it('has no subject in its rows, and finds and shows subjects', async () => {
    const open = await create()
    const database = await open(encrypted)
    const inbox = database.inbox()
    const [one, other] = [deliver('1'), deliver('2', 'bob@example.com')]
    for (const delivery of [one, other]) await inbox.record(delivery)
    const copy = await copyTables(database.kysely)
    for (const text of [ann, 'bob@', Buffer.from(ann).toString('base64url')]) expect(copy).not.toContain(text)
    const lanes = await inbox.listLanes!({ order: 'busiest', limit: 10 })
    expect(lanes.map(({ name }) => name).sort()).toEqual([
      ...Array.from({ length: 2 }, () => expect.stringMatching(/^>billing\/~[\w-]{22}$/) as string),
      ...Array.from({ length: 2 }, () => expect.stringMatching(/^~[\w-]{22}$/) as string),
    ])
    for (const filter of [{ subject: ann }, { text: ann }, { subject: ann, status: 'pending' } as const]) {
      expect(await inbox.list({ ...filter, limit: 10 })).toMatchObject([{ id: one.id, subject: ann }])
      expect(await inbox.countDeliveries(filter)).toBe(1)
    }
    expect(await inbox.list({ text: 'ann@', limit: 10 })).toEqual([])
    expect((await inbox.get(one.id))?.events[0]?.event.subject).toBe(ann)
    const query = { destination: 'billing', limit: 10 }
    expect((await inbox.destinationEvents!(query)).map(({ event }) => event.subject)).toContain(ann)
    await database.close()
  })

  it('handles the events of a subject in order', async () => {
    const open = await create()
    const database = await open(encrypted)
    const inbox = database.inbox()
    for (const id of ['1', '2', '3']) await inbox.record(deliver(id))
    const claim = () => inbox.claimLanes!({ limit: 10, events: 10, leaseMs: 60_000 })
    const claimed = await claim()
    expect(claimed).toHaveLength(2)
    for (const { works } of claimed) {
      expect(works.map(({ event }) => event.id.at(-1))).toEqual(['1', '2', '3'])
      expect(works.map(({ event }) => event.subject)).toEqual([ann, ann, ann])
    }
    const done = claimed.map(({ name, lease, works }) => ({
      ...{ name, lease: lease, releases: true },
      settlements: works.map(({ event, lease: own }) => ({
        ...{ id: event.id, lease: own, outcome: { status: 'done' } as const },
      })),
    }))
    expect((await inbox.settleLanes!(done)).every(({ isSettled }) => isSettled)).toBe(true)
    expect((await inbox.stats()).events.pending).toBe(0)
    await database.close()
  })

  it('finds subjects of before and after the option, for erasures too', async () => {
    const open = await create()
    const ids: string[] = []
    for (const options of [{ keys }, encrypted, { keys }]) {
      const database = await open(options)
      const delivery = deliver(String(ids.push('')))
      ids.splice(-1, 1, delivery.id)
      await database.inbox().record(delivery)
      await database.close()
    }
    const database = await open({ keys, encryptsNew: false })
    const inbox = database.inbox()
    expect((await inbox.list({ subject: ann, limit: 10 })).map(({ id }) => id).sort()).toEqual(ids.sort())
    expect(await inbox.cancel({ filter: { provider: 'doorbell', subject: ann }, limit: 10 })).toMatchObject({
      events: 6,
    })
    const erased = await inbox.erase({ filter: { subject: ann }, limit: 10 })
    expect(erased).toMatchObject({ deliveries: 3 })
    expect(await copyTables(database.kysely)).not.toContain(ann)
    expect(await inbox.list({ subject: ann, limit: 10 })).toEqual([])
    await database.close()
  })

  it('finds and claims what another process encrypts that was started later', async () => {
    const open = await create()
    const earlier = await open({ keys, encryptsNew: false })
    const inbox = earlier.inbox()
    expect(await inbox.list({ limit: 10 })).toEqual([])
    const later = await open(encrypted)
    await later.inbox().record({ ...deliver('1'), values: ['order-17'] })
    await later.close()
    const found = { timeout: 3000 }
    await expect.poll(() => inbox.countDeliveries({ value: 'order-17' }), found).toBe(1)
    expect(await inbox.list({ subject: ann, limit: 10 })).toMatchObject([{ subject: ann }])
    expect(await inbox.claimLanes!({ limit: 10, events: 10, leaseMs: 1000 })).toHaveLength(2)
    expect(await inbox.erase({ filter: { value: 'order-17' }, limit: 10 })).toMatchObject({
      deliveries: 0,
      busy: 1,
    })
    await earlier.close()
  })

  it('shows no subject without a key, and claims nothing', async () => {
    const open = await create()
    const database = await open(encrypted)
    await database.inbox().record(deliver('1'))
    await database.close()
    const plain = await open()
    const inbox = plain.inbox()
    expect(await inbox.list({ limit: 10 })).toMatchObject([{ subject: '' }])
    expect(await inbox.claimLanes!({ limit: 10, events: 10, leaseMs: 1000 })).toEqual([])
    await plain.close()
  })
}

describeEncryptedDatabases(testDatabase)

it('opens every text that it encrypts, and no changed one', () => {
  const subjects = createSubjects(true)
  expect(() => subjects.seal('a')).toThrow(
    expect.objectContaining({ code: 'ENCRYPTION_KEY_MISSING' }) as Error,
  )
  subjects.unlock(createSecretKey(randomBytes(32)))
  for (const text of ['a', 'ü'.repeat(300), '\\\\s', '\\u0000']) {
    const sealed = subjects.seal(text)
    expect(subjects.open(sealed)).toBe(text)
    expect(subjects.seal(text)).toBe(sealed)
    const last = sealed.at(2) === 'A' ? 'B' : 'A'
    for (const changed of [`${sealed.slice(0, 2)}${last}${sealed.slice(3)}`, sealed.slice(0, -4), '\\s'])
      expect(() => subjects.open(changed)).toThrow(
        expect.objectContaining({ code: 'DECRYPTION_FAILED' }) as Error,
      )
  }
  expect(subjects.open(subjects.seal(''))).toBe('')
})
