import { claimAll, createDelivery, settleAll } from '@sallyport/test-support/records'
import { createEvent } from '@sallyport/webhooks/testing'
import { describe, expect, it } from 'vitest'
import type { DeliveryRecord, CompleteInbox } from '../ports/ports.ts'
import { createMemoryInbox } from './inbox.ts'

const dead = { status: 'dead', error: 'The bus is unavailable' } as const
const asNew = { asNew: true } as const
const unavailable = { code: 'INBOX_UNAVAILABLE' }
const quarantined = (key: string): DeliveryRecord => ({
  ...createDelivery(0),
  quarantine: { key, reason: 'NORMALIZER_FAILED' },
})
const isDuplicate = async (inbox: CompleteInbox, delivery: DeliveryRecord) =>
  (await inbox.record(delivery)).events[0]?.duplicate

/** Records an event and ends it. */
async function end(
  inbox: CompleteInbox,
  id: string,
  outcome: Parameters<typeof settleAll>[1] = { status: 'done' },
) {
  const delivery = createDelivery(0, id)
  await inbox.record(delivery)
  await settleAll(inbox, outcome)
  return delivery
}

describe('the keys of a memory inbox', () => {
  it('are forgotten in the order in which their work ended', async () => {
    const inbox = createMemoryInbox({ keys: 2 })
    await inbox.record(createDelivery(0, 'a', 'b'))
    for (const { event, lease } of (await claimAll(inbox)).toReversed()) {
      await inbox.settle('publish', [{ id: event.id, lease, outcome: { status: 'done' } }])
    }
    await inbox.record(createDelivery(0, 'c'))
    expect(await inbox.known(['a', 'b', 'c'])).toEqual([true, false, true])
  })

  it('are forgotten together with their deliveries', async () => {
    const inbox = createMemoryInbox({ keys: 1 })
    const { id } = await end(inbox, 'a')
    await end(inbox, 'b')
    expect(await inbox.get(id)).toBeUndefined()
    expect(await inbox.countPublished({})).toBe(1)
  })

  it('are forgotten together with the former ids of the event', async () => {
    const inbox = createMemoryInbox({ keys: 2 })
    const { id } = await end(inbox, 'a', dead)
    const { deliveries } = await inbox.replay({ ids: [id] }, asNew)
    const [fresh = ''] = deliveries[0]?.events ?? []
    await settleAll(inbox)
    await inbox.record(createDelivery(0, 'b'))
    expect(await inbox.known([fresh, 'a', 'b'])).toEqual([false, false, true])
  })

  it('of a quarantine stay while the delivery is resolved', async () => {
    const full = createMemoryInbox({ keys: 1 })
    const delivery = quarantined('q')
    await full.record(delivery)
    const resolved = createDelivery(0, 'a').events
    await expect(full.resolve(delivery.id, resolved)).rejects.toMatchObject(unavailable)
    expect([await full.known(['a']), await claimAll(full)]).toEqual([[false], []])
    expect((await full.get(delivery.id))?.status).toBe('quarantined')

    const inbox = createMemoryInbox({ keys: 2 })
    await inbox.record(delivery)
    await end(inbox, 'b')
    expect((await inbox.resolve(delivery.id, resolved))?.events).toMatchObject([{ duplicate: false }])
    expect(await inbox.known(['a', 'b'])).toEqual([true, false])
    expect(await isDuplicate(inbox, quarantined('q'))).toBe(true)
  })

  it('stay while the events are replayed as new, all or none', async () => {
    const full = createMemoryInbox({ keys: 3 })
    const both = createDelivery(0, 'a', 'b')
    await full.record(both)
    await settleAll(full, dead)
    await expect(full.replay({ ids: [both.id] }, asNew)).rejects.toMatchObject(unavailable)
    expect([await full.known(['a', 'b']), await claimAll(full)]).toEqual([[true, true], []])

    const inbox = createMemoryInbox({ keys: 4 })
    await inbox.record(both)
    await settleAll(inbox, dead)
    expect((await inbox.replay({ ids: [both.id] }, asNew)).deliveries[0]?.events).toHaveLength(2)
    await settleAll(inbox)
    // Two events with four ids have ended and can be forgotten.
    for (const id of ['c', 'd', 'e', 'f']) await inbox.record(createDelivery(0, id))
    expect(await inbox.known(['a', 'b', 'c', 'f'])).toEqual([false, false, true, true])
  })

  it('of a resolved quarantine are deleted with the last event', async () => {
    const inbox = createMemoryInbox({ published: 1 })
    for (const key of ['q1', 'q2', 'q3']) {
      const delivery = quarantined(key)
      await inbox.record(delivery)
      await inbox.resolve(delivery.id, createDelivery(0, `event of ${key}`).events)
      await settleAll(inbox)
    }
    expect(await inbox.countDeliveries({})).toBe(1)
  })

  it('of quarantines count towards the limit', async () => {
    const inbox = createMemoryInbox({ keys: 2 })
    for (const key of ['a', 'b', 'c']) await inbox.record(quarantined(key))
    expect(await inbox.countDeliveries({})).toBe(2)
    expect(await isDuplicate(inbox, quarantined('c'))).toBe(true)
    expect(await isDuplicate(inbox, quarantined('a'))).toBe(false)
  })

  it('of an event are separate from an equal key of a quarantine', async () => {
    const inbox = createMemoryInbox({ keys: 2 })
    await end(inbox, 'q')
    await inbox.record(quarantined('q'))
    await inbox.record(createDelivery(0, 'a'))
    expect(await inbox.known(['q', 'a'])).toEqual([false, true])
    expect(await isDuplicate(inbox, quarantined('q'))).toBe(true)
  })

  it('of revived dead letters stay', async () => {
    const inbox = createMemoryInbox({ keys: 2 })
    await end(inbox, 'a', dead)
    await end(inbox, 'b')
    await inbox.record(createDelivery(0, 'a', 'c'))
    expect(await inbox.known(['a', 'b', 'c'])).toEqual([true, false, true])
    expect((await claimAll(inbox)).map(({ event }) => event.id)).toEqual(['a', 'c'])
  })

  it('of erased dead letters can be forgotten once', async () => {
    const inbox = createMemoryInbox({ keys: 2 })
    const { id } = await end(inbox, 'a', dead)
    await inbox.eraseBody(id)
    for (const next of ['b', 'c']) await inbox.record(createDelivery(0, next))
    expect(await inbox.known(['a', 'b', 'c'])).toEqual([false, true, true])
    await expect(inbox.record(createDelivery(0, 'd'))).rejects.toMatchObject(unavailable)
  })

  it('of forwarded dead letters can be forgotten once', async () => {
    const inbox = createMemoryInbox({ keys: 2 })
    await end(inbox, 'a', dead)
    expect(await inbox.forwarded(['a'])).toEqual([true])
    for (const next of ['b', 'c']) await inbox.record(createDelivery(0, next))
    expect(await inbox.known(['a', 'b', 'c'])).toEqual([false, true, true])
    await expect(inbox.record(createDelivery(0, 'd'))).rejects.toMatchObject(unavailable)
  })

  it('of a resolved quarantine are forgotten before its delivery', async () => {
    const inbox = createMemoryInbox({ keys: 3 })
    const delivery = quarantined('q')
    await inbox.record(delivery)
    await inbox.resolve(delivery.id, createDelivery(0, 'a').events)
    await settleAll(inbox)
    await inbox.record(createDelivery(0, 'b', 'c'))
    expect((await inbox.get(delivery.id))?.events).toHaveLength(1)
    await inbox.record(createDelivery(0, 'd'))
    expect(await inbox.get(delivery.id)).toBeUndefined()
  })
})

describe('a replay as new in a full memory inbox', () => {
  it('does not forget the dead letter that it renames', async () => {
    const inbox = createMemoryInbox({ keys: 2 })
    const { id } = await end(inbox, 'a', dead)
    await inbox.record(createDelivery(0, 'b'))
    await expect(inbox.replay({ ids: [id] }, asNew)).rejects.toMatchObject(unavailable)
    expect((await inbox.get(id))?.status).toBe('dead')
  })

  it('forgets finished keys while the notification of the original is pending', async () => {
    const inbox = createMemoryInbox({ keys: 2 })
    const notified = createDelivery(0, { event: createEvent('a', 0), notify: true })
    await inbox.record(notified)
    await settleAll(inbox)
    await end(inbox, 'b')
    const { deliveries } = await inbox.replay({ ids: [notified.id] }, asNew)
    expect(deliveries[0]?.outcome).toBe('replayed')
    expect(await inbox.known(['a', 'b'])).toEqual([true, false])
  })

  it('lets the original be forgotten', async () => {
    const inbox = createMemoryInbox({ keys: 3 })
    const { id } = await end(inbox, 'a')
    await inbox.replay({ ids: [id] }, asNew)
    await settleAll(inbox)
    await inbox.record(createDelivery(0, 'b', 'c', 'd'))
    expect(await inbox.known(['a', 'b', 'c', 'd'])).toEqual([false, true, true, true])
  })
})
