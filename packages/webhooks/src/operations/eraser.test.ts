import { claimAll, createDelivery, getDetail } from '@sallyport/test-support/records'
import { expect, it, vi } from 'vitest'
import { createMemoryInbox } from '../memory/inbox.ts'
import type { UnprocessedRecord } from '../unprocessed/index.ts'
import { createMemoryUnprocessedStore } from '../unprocessed/memory-store.ts'
import { createEraser } from './eraser.ts'

const now = Date.UTC(2026, 0)
const toAcme = (key: string) => ({ ...createDelivery(now, key), endpoint: 'acme' })

const refused = (id: string, endpoint: string): UnprocessedRecord => ({
  ...{ id, endpoint, outcome: 'refused', provider: 'doorbell', reason: 'mismatch', status: 401 },
  ...{ receivedAt: now, headers: {}, body: Uint8Array.of(1), bodyBytes: 1, storedBytes: 100 },
})

async function open() {
  let time = now
  const inbox = createMemoryInbox({ now: () => time })
  const unprocessed = createMemoryUnprocessedStore()
  const endpoints = { delete: vi.fn(() => Promise.resolve(true)) }
  const sleep = vi.fn((ms: number) => Promise.resolve((time += ms)))
  return {
    inbox,
    unprocessed,
    endpoints,
    sleep,
    eraser: createEraser({ inbox, unprocessed, endpoints, sleep }),
  }
}

it('erases all deliveries of a filter in batches, and the unprocessed ones', async () => {
  const { inbox, unprocessed, eraser } = await open()
  const deliveries = Array.from({ length: 250 }, (_, index) => toAcme(`doorbell:${index}`))
  for (const delivery of deliveries) await inbox.record(delivery)
  await unprocessed.add([refused('a', 'acme'), refused('b', 'globex')])
  expect(await eraser.erase({ endpoint: 'acme' })).toEqual({
    ...{ deliveries: 250, cancelled: 250, busy: 0, unprocessed: 1 },
  })
  expect(await claimAll(inbox)).toEqual([])
  expect((await unprocessed.list({ limit: 10 })).map(({ id }) => id)).toEqual(['b'])
})

it('continues where the time ran out', async () => {
  const { inbox, eraser } = await open()
  for (let index = 0; index < 150; index++) await inbox.record(toAcme(`doorbell:${index}`))
  const first = await eraser.erase({}, { forMs: 0 })
  expect([first.deliveries, first.next]).toEqual([100, expect.anything()])
  const { deliveries, next } = await eraser.erase({}, { after: first.next })
  expect([deliveries, next]).toEqual([50, undefined])
})

it('leaves unprocessed deliveries for a filter of events', async () => {
  const { unprocessed, eraser } = await open()
  await unprocessed.add([refused('a', 'acme')])
  expect(await eraser.erase({ endpoint: 'acme', subject: 'front' })).toMatchObject({ unprocessed: 0 })
})

it('deletes an endpoint, and erases all that it received once the work has ended', async () => {
  const { inbox, endpoints, sleep, eraser } = await open()
  const delivery = toAcme('doorbell:a')
  await inbox.record(delivery)
  await claimAll(inbox, 'publish', 5000)
  expect(await eraser.eraseEndpoint('acme')).toEqual({
    ...{ deliveries: 1, cancelled: 1, busy: 0, unprocessed: 0 },
  })
  expect(endpoints.delete).toHaveBeenCalledWith('acme')
  expect(sleep).toHaveBeenCalledTimes(5)
  expect((await getDetail(inbox, delivery)).bodyState).toBe('erased')
})

it('erases deliveries that another process records before it sees that the endpoint is deleted', async () => {
  const { inbox, sleep, eraser } = await open()
  sleep.mockImplementationOnce(async () => {
    await inbox.record(toAcme('doorbell:late'))
    return 0
  })
  expect(await eraser.eraseEndpoint('acme')).toMatchObject({ deliveries: 1 })
})

it('reports deliveries whose work does not end in time', async () => {
  const { inbox } = await open()
  await inbox.record(toAcme('doorbell:a'))
  await claimAll(inbox)
  expect(await createEraser({ inbox, waitMs: 0 }).eraseEndpoint('acme')).toMatchObject({ busy: 1 })
})

it('counts in a dry run what an erasure would change, and changes nothing', async () => {
  const { inbox, unprocessed, eraser } = await open()
  for (let index = 0; index < 150; index++)
    await inbox.record({ ...toAcme(`doorbell:${index}`), values: index < 120 ? ['order-17'] : [] })
  await unprocessed.add([refused('a', 'acme')])
  const counts = { deliveries: 120, cancelled: 120, busy: 0, unprocessed: 0 }
  expect(await eraser.erase({ value: 'order-17' }, { dryRun: true })).toEqual(counts)
  expect(await eraser.erase({ endpoint: 'acme' }, { dryRun: true })).toMatchObject({ unprocessed: 1 })
  expect(await unprocessed.count({})).toBe(1)
  expect(await eraser.erase({ value: 'order-17' })).toEqual(counts)
  expect(await eraser.erase({ value: 'order-17' }, { dryRun: true })).toMatchObject({ deliveries: 0 })
})
