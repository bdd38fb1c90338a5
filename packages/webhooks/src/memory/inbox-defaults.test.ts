import { claimAll, createDelivery, settleAll } from '@sallyport/test-support/records'
import { describe, expect, it } from 'vitest'
import { createMemoryInbox } from './inbox.ts'

const ids = (count: number) => Array.from({ length: count }, (_, index) => String(index))

describe('a memory inbox with default options', () => {
  it('stores 100,000 keys', async () => {
    const inbox = createMemoryInbox()
    await inbox.record(createDelivery(0, ...ids(99_999)))
    await inbox.record(createDelivery(0, 'the last'))
    const full = { code: 'INBOX_UNAVAILABLE' }
    await expect(inbox.record(createDelivery(0, 'one more'))).rejects.toMatchObject(full)
  })

  it('stores 10,000 published events', async () => {
    const inbox = createMemoryInbox()
    await inbox.record(createDelivery(0, ...ids(10_001)))
    expect((await inbox.stats()).events.pending).toBe(10_000)
    for (let claim = 0; claim < 11; claim++) await settleAll(inbox)
    expect(await inbox.countPublished({})).toBe(10_000)
  })

  it('stores 64 MiB of bodies', async () => {
    const inbox = createMemoryInbox()
    const deliveries = ids(65).map((id) => ({ ...createDelivery(0, id), body: new Uint8Array(1024 * 1024) }))
    const states: unknown[] = []
    for (const delivery of deliveries) {
      await inbox.record(delivery)
      states.push((await inbox.get(deliveries[0]?.id ?? ''))?.bodyState)
    }
    expect(states.map((state) => state === 'stored')).toEqual(deliveries.map((_, index) => index < 64))
  })

  it('uses the system clock', async () => {
    const inbox = createMemoryInbox()
    const before = Date.now()
    await inbox.record(createDelivery(before, 'a'))
    const [claimed] = await claimAll(inbox)
    expect(claimed?.since).toBeGreaterThanOrEqual(before)
    expect(claimed?.since).toBeLessThanOrEqual(Date.now())
  })
})

describe('the results of a memory inbox', () => {
  it('are copies of the stored failures and bodies', async () => {
    const inbox = createMemoryInbox({ now: () => 0 })
    const delivery = createDelivery(0, 'a')
    await inbox.record(delivery)
    const fail = (error: string) => settleAll(inbox, { status: 'retry', afterMs: 0, error })
    await fail('the first')
    const given = await inbox.get(delivery.id)
    given?.body?.fill(0)
    await fail('the second')
    expect(given?.events[0]?.failures.map(({ error }) => error)).toEqual(['the first'])
    expect((await inbox.get(delivery.id))?.body).toEqual(delivery.body)
  })

  it('include work of exactly maxBytes', async () => {
    const inbox = createMemoryInbox()
    const bytes = createDelivery(0).body.byteLength
    for (const id of ['a', 'b', 'c']) await inbox.record(createDelivery(0, id))
    const claimed = await inbox.claim('publish', { limit: 10, leaseMs: 1000, maxBytes: 2 * bytes })
    expect(claimed.map((work) => work.bytes)).toEqual([bytes, bytes])
  })

  it('are rejections for options that are not numbers', async () => {
    const inbox = createMemoryInbox()
    await inbox.record(createDelivery(0, 'a'))
    const attempts = [
      inbox.claim('publish', { limit: -1, leaseMs: 1000 }),
      inbox.claim('publish', { limit: NaN, leaseMs: 1000 }),
      inbox.claim('publish', { limit: 1, leaseMs: NaN }),
      inbox.published({ limit: 1, offset: NaN }),
      inbox.published({ limit: 1, before: NaN }),
    ]
    for (const attempt of attempts) await expect(attempt).rejects.toThrow(TypeError)
    expect(await claimAll(inbox)).toHaveLength(1)
  })
})
