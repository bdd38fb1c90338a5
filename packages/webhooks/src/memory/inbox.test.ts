import { testInbox } from '@sallyport/testing'
import { claimAll, createDelivery, settleAll } from '@sallyport/test-support/records'
import { createEvent } from '@sallyport/webhooks/testing'
import { describe, expect, it } from 'vitest'
import type { CompleteInbox } from '../ports/ports.ts'
import { createMemoryInbox } from './inbox.ts'

const createSettlement = (id: string, lease = '') => ({ id, lease, outcome: { status: 'done' } }) as const

testInbox({ describe, expect, it }, { create: (now) => createMemoryInbox({ now }) })

describe('data that JSON cannot represent', () => {
  const circle: Record<string, unknown> = { door: 'front' }
  circle['self'] = [circle]
  const deep = JSON.parse('[{"a":'.repeat(40) + '1' + '}]'.repeat(40)) as unknown

  it.each([
    ['a big integer', { id: 7n }],
    ['a big integer in a list', [{ id: [7n] }]],
    ['a circle', circle],
    ['a big integer object', Object(7n)],
    ['a toJSON that returns a big integer', { toJSON: () => 7n }],
  ])('is rejected: %s', async (_, data) => {
    const inbox = createMemoryInbox()
    const delivery = createDelivery(0, { event: createEvent('doorbell:a', 0, { data }) })
    await expect(inbox.record(delivery)).rejects.toThrow(TypeError)
    expect((await inbox.record(createDelivery(0, 'doorbell:a'))).events[0]?.duplicate).toBe(false)
  })

  // Each of 40 levels has the next level twice: a visit of all values would not end.
  let shared: Record<string, unknown> = {}
  for (let level = 0; level < 40; level++) shared = { left: shared, right: shared }

  it.each([
    ['data of 80 levels', deep],
    ['a toJSON that returns a string', { id: 7n, toJSON: () => ({ id: '7' }) }],
    ['a toJSON above a shared structure', { shared, toJSON: () => ({}) }],
  ])('is not %s', async (_, data) => {
    const delivery = createDelivery(0, { event: createEvent('doorbell:a', 0, { data }) })
    expect((await createMemoryInbox().record(delivery)).events).toHaveLength(1)
  })
})

describe('a full memory inbox', () => {
  const unavailable = { code: 'INBOX_UNAVAILABLE', headers: { 'Retry-After': '5' } }

  it('rejects a record while all keys have unfinished work', async () => {
    const inbox = createMemoryInbox({ keys: 2 })
    await inbox.record(createDelivery(0, 'a'))
    await expect(inbox.record(createDelivery(0, 'b', 'c'))).rejects.toMatchObject(unavailable)
    expect((await claimAll(inbox)).map(({ event }) => event.id)).toEqual(['a'])
    await inbox.record(createDelivery(0, 'a', 'b'))
    await expect(inbox.record(createDelivery(0, 'c'))).rejects.toMatchObject(unavailable)
  })

  it('forgets the keys whose work ended first', async () => {
    const inbox = createMemoryInbox({ keys: 3 })
    for (const id of ['a', 'b', 'c']) {
      await inbox.record(createDelivery(0, id))
      await settleAll(inbox)
    }
    await inbox.record(createDelivery(0, 'd'))
    const { events } = await inbox.record(createDelivery(0, 'c', 'b'))
    expect(events.map(({ duplicate }) => duplicate)).toEqual([true, true])
    expect((await inbox.record(createDelivery(0, 'a'))).events[0]?.duplicate).toBe(false)
  })

  it('does not forget a dead letter that is revived', async () => {
    const inbox = createMemoryInbox({ keys: 2 })
    await inbox.record(createDelivery(0, 'a'))
    await settleAll(inbox, { status: 'dead', error: 'x' })
    await inbox.record(createDelivery(0, 'b'))
    await expect(inbox.record(createDelivery(0, 'a', 'c'))).rejects.toMatchObject(unavailable)
    expect(await claimAll(inbox, 'publish', 0)).toHaveLength(1)
    await inbox.record(createDelivery(0, 'a'))
    await expect(inbox.record(createDelivery(0, 'c'))).rejects.toMatchObject(unavailable)
    expect(await claimAll(inbox, 'publish', 0)).toHaveLength(2)
  })

  it('claims and settles 100,000 events within seconds', async () => {
    const inbox = createMemoryInbox()
    const ids = Array.from({ length: 100_000 }, (_, index) => String(index))
    await inbox.record(createDelivery(0, ...ids))
    const outcomes = [{ status: 'retry', afterMs: 0, error: 'x' }, { status: 'done' }] as const
    for (const outcome of outcomes)
      for (let batch = 0; batch < 100; batch++) expect(await settleAll(inbox, outcome)).toHaveLength(1000)
    expect((await inbox.stats()).published).toBe(100_000)
  }, 60_000)

  it('stores the newest published events with their sequence', async () => {
    const inbox = createMemoryInbox({ published: 2 })
    await inbox.record(createDelivery(0, 'a', 'b', { event: createEvent('c', 0), notify: true }))
    await settleAll(inbox)
    const kept = await inbox.published({ limit: 10 })
    expect(kept.map(({ sequence, event }) => [sequence, event.id])).toEqual([
      [2, 'b'],
      [3, 'c'],
    ])
    expect(await inbox.countPublished({})).toBe(2)
  })

  it('deletes a delivery after the notification of an event that left the log', async () => {
    const inbox = createMemoryInbox({ published: 1 })
    const [older, newer] = [
      createDelivery(0, { event: createEvent('a', 0), notify: true }),
      createDelivery(0, { event: createEvent('b', 0), notify: true }),
    ]
    for (const delivery of [older, newer]) {
      await inbox.record(delivery)
      await settleAll(inbox)
    }
    expect((await inbox.get(older.id))?.events).toHaveLength(1)
    expect(await settleAll(inbox, { status: 'done' }, 'notify')).toEqual([true, true])
    expect(await inbox.get(older.id)).toBeUndefined()
    expect((await inbox.get(newer.id))?.events[0]?.notification?.status).toBe('sent')
    expect(await inbox.countDeliveries({})).toBe(1)
  })
})

describe('the options of a memory inbox', () => {
  it.each([
    ['keys', 1],
    ['published', 1],
    ['bodyBytes', 0],
  ])('are rejected for an invalid %s', (name, min) => {
    for (const value of [NaN, Infinity, min - 1, 1.5]) {
      expect(() => createMemoryInbox({ [name]: value })).toThrow(
        new TypeError(`${name} must be an integer of at least ${min}`),
      )
    }
  })

  it('allow an inbox without bodies', async () => {
    const inbox = createMemoryInbox({ bodyBytes: 0 })
    const delivery = { ...createDelivery(0, 'a'), body: new Uint8Array(1) }
    await inbox.record(delivery)
    expect(await inbox.get(delivery.id)).toMatchObject({ bodyState: 'pruned', status: 'pending' })
  })

  it('are rejected by each operation with the name of the option', async () => {
    const inbox = createMemoryInbox()
    const delivery = createDelivery(0, 'a')
    await inbox.record(delivery)
    await settleAll(inbox)
    const attempts = [
      inbox.prune({ bodyBytes: NaN }),
      inbox.prune({ publishedForMs: -1 }),
      inbox.prune({ keysForMs: 0, limit: 0 }),
      inbox.prune({ bodiesForMs: 0, limit: NaN }),
      inbox.list({ limit: -1 }),
      inbox.list({ limit: 1, offset: NaN }),
      inbox.published({ limit: Infinity }),
      inbox.published({ limit: 1, after: NaN }),
      inbox.replay({ filter: {}, limit: 0 }),
      inbox.stats({ countUpTo: NaN }),
    ]
    const settled = await Promise.allSettled(attempts)
    const reasons = settled.map((one) => (one.status === 'rejected' ? String(one.reason) : 'none'))
    expect(reasons.map((reason) => /^TypeError: (\w+) must be/.exec(reason)?.[1])).toEqual([
      ...['bodyBytes', 'publishedForMs', 'limit', 'limit', 'limit', 'offset', 'limit', 'after', 'limit'],
      'countUpTo',
    ])
    expect((await inbox.get(delivery.id))?.bodyState).toBe('stored')
  })
})

describe('a pending notification in a memory inbox, after a replay of its event', () => {
  /** Creates a dead letter that was published once and has a pending notification. */
  async function createDeadLetter(
    options: Parameters<typeof createMemoryInbox>[0],
    ...between: readonly string[]
  ) {
    const inbox = createMemoryInbox({ now: () => 0, ...options })
    const delivery = createDelivery(0, { event: createEvent('a', 0), notify: true })
    await inbox.record(delivery)
    await settleAll(inbox)
    await inbox.replay({ ids: [delivery.id] })
    const [held] = await claimAll(inbox)
    for (const id of between) {
      await inbox.record(createDelivery(0, id))
      await settleAll(inbox)
    }
    const outcome = { status: 'dead', error: 'The bus is unavailable' } as const
    await inbox.settle('publish', [{ ...createSettlement('a', held?.lease), outcome }])
    return { inbox, delivery }
  }
  const sendNotification = (inbox: CompleteInbox) => settleAll(inbox, { status: 'done' }, 'notify')

  it('keeps the key until it is sent', async () => {
    const { inbox } = await createDeadLetter({ keys: 1 })
    await expect(inbox.record(createDelivery(0, 'b'))).rejects.toMatchObject({ code: 'INBOX_UNAVAILABLE' })
    expect(await sendNotification(inbox)).toEqual([true])
    await inbox.record(createDelivery(0, 'b'))
    expect(await inbox.known(['a', 'b'])).toEqual([false, true])
  })

  it('waits for the publication under a fresh id, and is sent once', async () => {
    const { inbox, delivery } = await createDeadLetter({ published: 1 }, 'b')
    await inbox.replay({ ids: [delivery.id] }, { asNew: true })
    expect(await claimAll(inbox, 'notify')).toEqual([])
    expect(await settleAll(inbox)).toEqual([true])
    expect([await sendNotification(inbox), await sendNotification(inbox)]).toEqual([[true], []])
  })

  it('keeps an event that left the log until it is sent', async () => {
    const inbox = createMemoryInbox({ now: () => 0, published: 1 })
    const delivery = createDelivery(0, { event: createEvent('a', 0), notify: true })
    await inbox.record(delivery)
    for (const id of ['b', 'c']) {
      await settleAll(inbox)
      await inbox.record(createDelivery(0, id))
    }
    expect(await inbox.get(delivery.id)).toBeDefined()
    expect(await sendNotification(inbox)).toEqual([true])
    expect(await inbox.get(delivery.id)).toBeUndefined()
  })
})
