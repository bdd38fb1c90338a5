import { claimAll, createDelivery, createEvent, settleAll, testInbox } from '@sallyport/testing'
import { describe, expect, it } from 'vitest'
import type { CompleteInbox } from '../ports/ports.ts'
import { memoryInbox } from './inbox.ts'

const settlementOf = (id: string, lease = '') => ({ id, lease, outcome: { status: 'done' } }) as const

testInbox({ describe, expect, it }, { create: (now) => memoryInbox({ now }) })

describe('data that a database could not write', () => {
  const circle: Record<string, unknown> = { door: 'front' }
  circle['self'] = [circle]
  const deep = JSON.parse('[{"a":'.repeat(40) + '1' + '}]'.repeat(40)) as unknown

  it.each([
    ['a big integer', { id: 7n }],
    ['one in a list', [{ id: [7n] }]],
    ['a circle', circle],
    ['one in an object', Object(7n)],
    ['what cannot say what it is', { toJSON: () => 7n }],
  ])('is refused, such as %s, which tests once did not see', async (_, data) => {
    const inbox = memoryInbox()
    const refused = createDelivery(0, { event: createEvent('doorbell:a', 0, { data }) })
    await expect(inbox.record(refused)).rejects.toThrow(TypeError)
    expect((await inbox.record(createDelivery(0, 'doorbell:a'))).events[0]?.duplicate).toBe(false)
  })

  // Each of 40 levels has the next one twice: looking at all of it would never end.
  let shared: Record<string, unknown> = {}
  for (let level = 0; level < 40; level++) shared = { left: shared, right: shared }

  it.each([
    ['merely nests deep', deep],
    ['says itself what it is', { id: 7n, toJSON: () => ({ id: '7' }) }],
    ['says so above what it shares', { shared, toJSON: () => ({}) }],
  ])('is none that %s', async (_, data) => {
    const delivery = createDelivery(0, { event: createEvent('doorbell:a', 0, { data }) })
    expect((await memoryInbox().record(delivery)).events).toHaveLength(1)
  })
})

describe('a full memory inbox', () => {
  const unavailable = { code: 'INBOX_UNAVAILABLE', headers: { 'Retry-After': '5' } }

  it('refuses while every key has work before it, and records nothing then', async () => {
    const inbox = memoryInbox({ keys: 2 })
    await inbox.record(createDelivery(0, 'a'))
    await expect(inbox.record(createDelivery(0, 'b', 'c'))).rejects.toMatchObject(unavailable)
    expect((await claimAll(inbox)).map(({ event }) => event.id)).toEqual(['a'])
    await inbox.record(createDelivery(0, 'a', 'b'))
    await expect(inbox.record(createDelivery(0, 'c'))).rejects.toMatchObject(unavailable)
  })

  it('forgets the keys whose work ended first', async () => {
    const inbox = memoryInbox({ keys: 3 })
    for (const id of ['a', 'b', 'c']) {
      await inbox.record(createDelivery(0, id))
      await settleAll(inbox)
    }
    await inbox.record(createDelivery(0, 'd'))
    const { events } = await inbox.record(createDelivery(0, 'c', 'b'))
    expect(events.map(({ duplicate }) => duplicate)).toEqual([true, true])
    expect((await inbox.record(createDelivery(0, 'a'))).events[0]?.duplicate).toBe(false)
  })

  it('does not make room with the dead letter that is being revived', async () => {
    const inbox = memoryInbox({ keys: 2 })
    await inbox.record(createDelivery(0, 'a'))
    await settleAll(inbox, { status: 'dead', error: 'x' })
    await inbox.record(createDelivery(0, 'b'))
    await expect(inbox.record(createDelivery(0, 'a', 'c'))).rejects.toMatchObject(unavailable)
    expect(await claimAll(inbox, 'publish', 0)).toHaveLength(1)
    await inbox.record(createDelivery(0, 'a'))
    await expect(inbox.record(createDelivery(0, 'c'))).rejects.toMatchObject(unavailable)
    expect(await claimAll(inbox, 'publish', 0)).toHaveLength(2)
  })

  it('keeps the bodies that pruning spares, however many others have come and gone between them', async () => {
    // Each of them once kept the whole of a block of memory, and the oldest were dropped for what nobody used.
    const inbox = memoryInbox({ bodyBytes: 65_536 })
    const spared: string[] = []
    for (let count = 0; count < 2000; count++) {
      const delivery = { ...createDelivery(0, `${count}`), body: new Uint8Array(100).fill(count) }
      const { events } = await inbox.record(delivery, { leaseMs: 60_000 })
      const [recorded] = events
      if (count % 10 === 0) spared.push(delivery.id)
      else await inbox.settle('publish', [settlementOf(`${count}`, recorded?.lease)])
      if (count % 50 === 49) await inbox.prune({ bodiesForMs: 0 })
    }
    for (const [index, id] of spared.entries()) {
      expect((await inbox.get(id))?.body).toEqual(new Uint8Array(100).fill(index * 10))
    }
  })

  it('keeps the newest published events under their sequence', async () => {
    const inbox = memoryInbox({ published: 2 })
    await inbox.record(createDelivery(0, 'a', 'b', { event: createEvent('c', 0), notify: true }))
    await settleAll(inbox)
    const kept = await inbox.published({ limit: 10 })
    expect(kept.map(({ sequence, event }) => [sequence, event.id])).toEqual([
      [2, 'b'],
      [3, 'c'],
    ])
    expect(await inbox.countPublished({})).toBe(2)
  })

  it('keeps no delivery that the log forgot while its notification was owed, once that is settled', async () => {
    const inbox = memoryInbox({ published: 1 })
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
  ])('name %s when it is no number of them', (name, min) => {
    // With NaN, it once kept everything, or no body at all.
    for (const value of [NaN, Infinity, min - 1, 1.5]) {
      expect(() => memoryInbox({ [name]: value })).toThrow(
        new TypeError(`${name} must be an integer of at least ${min}`),
      )
    }
  })

  it('keep no body when there is room for none', async () => {
    const inbox = memoryInbox({ bodyBytes: 0 })
    const delivery = { ...createDelivery(0, 'a'), body: new Uint8Array(1) }
    await inbox.record(delivery)
    expect(await inbox.get(delivery.id)).toMatchObject({ bodyState: 'pruned', status: 'pending' })
  })

  it('are none that would delete, list or count what nobody meant', async () => {
    const inbox = memoryInbox()
    const delivery = createDelivery(0, 'a')
    await inbox.record(delivery)
    await settleAll(inbox)
    const attempts = [
      // It once dropped the bodies of all that was published.
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

describe('a notification that outlives a replay of its event, in a memory inbox', () => {
  /** A dead letter that was published once, and of which nobody has been told. */
  async function diedWhileTold(options: Parameters<typeof memoryInbox>[0], ...between: readonly string[]) {
    const inbox = memoryInbox({ now: () => 0, ...options })
    const delivery = createDelivery(0, { event: createEvent('a', 0), notify: true })
    await inbox.record(delivery)
    await settleAll(inbox)
    await inbox.replay({ ids: [delivery.id] })
    const [held] = await claimAll(inbox)
    for (const id of between) {
      await inbox.record(createDelivery(0, id))
      await settleAll(inbox)
    }
    const outcome = { status: 'dead', error: 'the bus is gone' } as const
    await inbox.settle('publish', [{ ...settlementOf('a', held?.lease), outcome }])
    return { inbox, delivery }
  }
  const told = (inbox: CompleteInbox) => settleAll(inbox, { status: 'done' }, 'notify')

  it('keeps its key until it was sent', async () => {
    const { inbox } = await diedWhileTold({ keys: 1 })
    await expect(inbox.record(createDelivery(0, 'b'))).rejects.toMatchObject({ code: 'INBOX_UNAVAILABLE' })
    expect(await told(inbox)).toEqual([true])
    await inbox.record(createDelivery(0, 'b'))
    expect(await inbox.known(['a', 'b'])).toEqual([false, true])
  })

  it('waits again where the event is one of a new name, and is sent once', async () => {
    const { inbox, delivery } = await diedWhileTold({ published: 1 }, 'b')
    await inbox.replay({ ids: [delivery.id] }, { asNew: true })
    expect(await claimAll(inbox, 'notify')).toEqual([])
    expect(await settleAll(inbox)).toEqual([true])
    expect([await told(inbox), await told(inbox)]).toEqual([[true], []])
  })

  it('lets go of what the log has forgotten once it was sent', async () => {
    const inbox = memoryInbox({ now: () => 0, published: 1 })
    const delivery = createDelivery(0, { event: createEvent('a', 0), notify: true })
    await inbox.record(delivery)
    for (const id of ['b', 'c']) {
      await settleAll(inbox)
      await inbox.record(createDelivery(0, id))
    }
    expect(await inbox.get(delivery.id)).toBeDefined()
    expect(await told(inbox)).toEqual([true])
    expect(await inbox.get(delivery.id)).toBeUndefined()
  })
})
