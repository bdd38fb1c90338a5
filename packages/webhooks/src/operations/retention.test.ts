import { claimAll, createDelivery, settleAll } from '@sallyport/test-support/records'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createMemoryInbox } from '../memory/inbox.ts'
import type { PruneResult } from '../ports/ports.ts'
import { createRetention } from './retention.ts'

const day = 24 * 60 * 60 * 1000
const minute = 60_000

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0) })
})
afterEach(() => {
  vi.useRealTimers()
})

it('deletes bodies, records and keys at their ages, except unfinished ones', async () => {
  const inbox = createMemoryInbox({ now: Date.now })
  const published = createDelivery(Date.now(), 'doorbell:a')
  await inbox.record(published)
  await settleAll(inbox)
  const dead = createDelivery(Date.now(), 'doorbell:b')
  await inbox.record(dead)
  await settleAll(inbox, { status: 'dead', error: 'x' })
  const retention = createRetention({ inbox, everyMs: 60 * minute })
  retention.start()
  const getState = async (id: string) => (await inbox.get(id))?.bodyState

  await vi.advanceTimersByTimeAsync(6.9 * day)
  expect(await getState(published.id)).toBe('stored')
  await vi.advanceTimersByTimeAsync(0.2 * day)
  expect([await getState(published.id), await getState(dead.id)]).toEqual(['pruned', 'stored'])
  await vi.advanceTimersByTimeAsync(7 * day)
  expect([await getState(published.id), await getState(dead.id)]).toEqual([undefined, 'stored'])
  expect((await inbox.record(createDelivery(Date.now(), 'doorbell:a'))).events[0]?.duplicate).toBe(true)
  await vi.advanceTimersByTimeAsync(76 * day)
  expect((await inbox.record(createDelivery(Date.now(), 'doorbell:a'))).events[0]?.duplicate).toBe(false)
  expect(await getState(dead.id)).toBe('stored')
  await retention.stop()
})

it('limits the bytes of bodies', async () => {
  const inbox = createMemoryInbox({ now: Date.now })
  const deliveries = ['a', 'b', 'c'].map((name) => ({
    ...createDelivery(Date.now(), `doorbell:${name}`),
    body: new Uint8Array(1000),
  }))
  for (const delivery of deliveries) {
    await inbox.record(delivery)
    await settleAll(inbox)
  }
  const retention = createRetention({ inbox, bodyBytes: 2000 })
  retention.start()
  await vi.advanceTimersByTimeAsync(minute)
  await retention.stop()
  const states = await Promise.all(deliveries.map(async ({ id }) => (await inbox.get(id))?.bodyState))
  expect(states).toEqual(['pruned', 'stored', 'stored'])
})

it('runs in batches, survives failures and ends after the running batch', async () => {
  const nothing: PruneResult = { events: 0, deliveries: 0, bodies: 0, keys: 0, more: false }
  const { promise, resolve: finish } = Promise.withResolvers<PruneResult>()
  const prune = vi
    .fn<() => Promise<PruneResult>>()
    .mockRejectedValueOnce(new Error('no database'))
    .mockResolvedValueOnce({ ...nothing, events: 2, more: true })
    .mockResolvedValueOnce(nothing)
    .mockReturnValueOnce(promise)
  const [errors, pruned]: [unknown[], PruneResult[]] = [[], []]
  const retention = createRetention({
    inbox: { prune },
    onError: (error) => errors.push(error),
    onPruned: (result) => pruned.push(result),
  })
  retention.start()
  retention.start()
  await vi.advanceTimersByTimeAsync(minute - 1)
  expect(prune).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect([prune.mock.calls.length, errors.length]).toEqual([1, 1])
  await vi.advanceTimersByTimeAsync(minute + 100)
  expect([prune.mock.calls.length, pruned]).toEqual([3, [{ ...nothing, events: 2, more: true }]])

  await vi.advanceTimersByTimeAsync(minute)
  let ended = false
  const stopped = retention.stop().then(() => (ended = true))
  await vi.advanceTimersByTimeAsync(1)
  expect(ended).toBe(false)
  finish({ ...nothing, more: true })
  await stopped
  await vi.advanceTimersByTimeAsync(day)
  expect(prune).toHaveBeenCalledTimes(4)
})

it('keeps one schedule after a restart during a batch', async () => {
  const nothing: PruneResult = { events: 0, deliveries: 0, bodies: 0, keys: 0, more: false }
  const { promise, resolve: finish } = Promise.withResolvers<PruneResult>()
  const prune = vi.fn<() => Promise<PruneResult>>().mockReturnValueOnce(promise).mockResolvedValue(nothing)
  const retention = createRetention({ inbox: { prune } })
  retention.start()
  await vi.advanceTimersByTimeAsync(minute)
  const stopped = retention.stop()
  retention.start()
  finish(nothing)
  await stopped
  expect(vi.getTimerCount()).toBe(1)
  await vi.advanceTimersByTimeAsync(minute)
  expect(prune).toHaveBeenCalledTimes(2)
  await retention.stop()
  expect(vi.getTimerCount()).toBe(0)
})

it('rejects keys that expire before their records', () => {
  expect(() => createRetention({ inbox: createMemoryInbox(), keysForMs: 1 })).toThrow(TypeError)
})

it.each([
  ['everyMs', [NaN, Infinity, 0, -1, 1.5, 30 * day], 'an integer from 1 to 2147483647'],
  ['pauseMs', [NaN, Infinity, -1], 'an integer from 0 to 2147483647'],
  ['limit', [NaN, Infinity, 0], 'an integer of at least 1'],
  ['publishedForMs', [NaN, -1, 0.5], 'an integer of at least 0, or Infinity'],
  ['bodiesForMs', [NaN, -1, 0.5], 'an integer of at least 0, or Infinity'],
  ['bodyBytes', [NaN, -1, 0.5], 'an integer of at least 0, or Infinity'],
  ['keysForMs', [NaN, -Infinity, 0.5], 'an integer of at least 0, or Infinity'],
])('refuses an %s of %j', (name, values, range) => {
  for (const value of values) {
    expect(() => createRetention({ inbox: createMemoryInbox(), [name]: value })).toThrow(
      new TypeError(`${name} must be ${range}`),
    )
  }
})

it('requires an inbox', () => {
  for (const wrong of [{}, { inbox: {} }])
    expect(() => createRetention(wrong as never)).toThrow(new TypeError('inbox.prune must be a function'))
})

it('omits infinite limits at the longest interval', async () => {
  const nothing: PruneResult = { events: 0, deliveries: 0, bodies: 0, keys: 0, more: false }
  const prune = vi.fn(() => Promise.resolve(nothing))
  const forEver = { publishedForMs: Infinity, bodyBytes: Infinity, keysForMs: Infinity }
  const retention = createRetention({ inbox: { prune }, ...forEver, bodiesForMs: day, everyMs: 2 ** 31 - 1 })
  retention.start()
  await vi.advanceTimersByTimeAsync(2 ** 31 - 2)
  expect(prune).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(prune.mock.calls).toEqual([[{ bodiesForMs: day, limit: 1000, steadyForMs: 600_000 }]])
  await retention.stop()
})

it('does not delete claimed work', async () => {
  const inbox = createMemoryInbox({ now: Date.now })
  const delivery = createDelivery(Date.now(), 'doorbell:a')
  await inbox.record(delivery)
  await claimAll(inbox)
  const retention = createRetention({ inbox, publishedForMs: 0, bodiesForMs: 0, bodyBytes: 0, keysForMs: 0 })
  retention.start()
  await vi.advanceTimersByTimeAsync(minute)
  await retention.stop()
  expect((await inbox.get(delivery.id))?.bodyState).toBe('stored')
})

// Keys were deleted while the clock was 100 days ahead for 75 s, and a redelivery was accepted as a new event.
it.each(['after its start', 'later'])('deletes no key while the clock is far ahead %s', async (when) => {
  let aheadMs = 0
  const inbox = createMemoryInbox({ now: () => Date.now() + aheadMs })
  const delivery = createDelivery(Date.now(), 'doorbell:a')
  await inbox.record(delivery)
  await settleAll(inbox)
  const retention = createRetention({ inbox })
  retention.start()
  if (when === 'later') await vi.advanceTimersByTimeAsync(60 * minute)
  aheadMs = 100 * day
  await vi.advanceTimersByTimeAsync(75_000)
  aheadMs = 0
  await vi.advanceTimersByTimeAsync(60 * minute)
  await retention.stop()
  expect(await inbox.known(['doorbell:a'])).toEqual([true])
  expect(await inbox.get(delivery.id)).toMatchObject({ bodyState: 'stored' })
})
