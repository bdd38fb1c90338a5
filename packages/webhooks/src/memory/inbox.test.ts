import { describe, expect, it } from 'vitest'
import { deliveryOf, eventOf, settleAll, claimAll } from '../testing/inbox-context.ts'
import { testInbox } from '../testing/inbox-suite.ts'
import { memoryInbox } from './inbox.ts'

const settlementOf = (id: string, lease = '') => ({ id, lease, outcome: { status: 'done' } }) as const

testInbox({ describe, expect, it }, { create: (now) => memoryInbox({ now }) })

describe('a full memory inbox', () => {
  const unavailable = { code: 'INBOX_UNAVAILABLE', headers: { 'Retry-After': '5' } }

  it('refuses while every key has work before it, and records nothing then', async () => {
    const inbox = memoryInbox({ keys: 2 })
    await inbox.record(deliveryOf(0, 'a'))
    await expect(inbox.record(deliveryOf(0, 'b', 'c'))).rejects.toMatchObject(unavailable)
    expect((await claimAll(inbox)).map(({ event }) => event.id)).toEqual(['a'])
    await inbox.record(deliveryOf(0, 'a', 'b'))
    await expect(inbox.record(deliveryOf(0, 'c'))).rejects.toMatchObject(unavailable)
  })

  it('forgets the keys whose work ended first', async () => {
    const inbox = memoryInbox({ keys: 3 })
    for (const id of ['a', 'b', 'c']) {
      await inbox.record(deliveryOf(0, id))
      await settleAll(inbox)
    }
    await inbox.record(deliveryOf(0, 'd'))
    const { events } = await inbox.record(deliveryOf(0, 'c', 'b'))
    expect(events.map(({ duplicate }) => duplicate)).toEqual([true, true])
    expect((await inbox.record(deliveryOf(0, 'a'))).events[0]?.duplicate).toBe(false)
  })

  it('does not make room with the dead letter that is being revived', async () => {
    const inbox = memoryInbox({ keys: 2 })
    await inbox.record(deliveryOf(0, 'a'))
    await settleAll(inbox, { status: 'dead', error: 'x' })
    await inbox.record(deliveryOf(0, 'b'))
    await expect(inbox.record(deliveryOf(0, 'a', 'c'))).rejects.toMatchObject(unavailable)
    expect(await claimAll(inbox, 'publish', 0)).toHaveLength(1)
    await inbox.record(deliveryOf(0, 'a'))
    await expect(inbox.record(deliveryOf(0, 'c'))).rejects.toMatchObject(unavailable)
    expect(await claimAll(inbox, 'publish', 0)).toHaveLength(2)
  })

  it('keeps the bodies that pruning spares, however many others have come and gone between them', async () => {
    // Each of them once kept the whole of a block of memory, and the oldest were dropped for what nobody used.
    const inbox = memoryInbox({ bodyBytes: 65_536 })
    const spared: string[] = []
    for (let count = 0; count < 2000; count++) {
      const delivery = { ...deliveryOf(0, `${count}`), body: new Uint8Array(100).fill(count) }
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
    await inbox.record(deliveryOf(0, 'a', 'b', { event: eventOf('c', 0), notify: true }))
    await settleAll(inbox)
    const kept = await inbox.published({ limit: 10 })
    expect(kept.map(({ sequence, event }) => [sequence, event.id])).toEqual([
      [2, 'b'],
      [3, 'c'],
    ])
    expect(await inbox.countPublished({})).toBe(2)
  })
})
