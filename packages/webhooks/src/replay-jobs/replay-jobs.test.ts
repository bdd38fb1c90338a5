import { setTimeout as sleep } from 'node:timers/promises'
import { createDelivery, settleAll } from '@sallyport/test-support/records'
import { testReplayJobs } from '@sallyport/test-support/webhooks'
import { describe, expect, it, vi } from 'vitest'
import { CodedError } from '@sallyport/errors'
import { createReplayer, createMemoryInbox } from '../index.ts'
import type { UnprocessedRecord } from '../unprocessed/index.ts'
import { createMemoryUnprocessedStore } from '../unprocessed/memory-store.ts'
import { createMemoryReplayJobStore } from './memory-store.ts'
import { createReplayJobs, type ReplayJobsOptions } from './replay-jobs.ts'

testReplayJobs({ describe, expect, it }, () => ({
  inbox: createMemoryInbox(),
  store: createMemoryReplayJobStore(),
  close: () => undefined,
}))

async function open(changes: Partial<ReplayJobsOptions> = {}) {
  const inbox = createMemoryInbox()
  for (let index = 0; index < 10; index++) await inbox.record(createDelivery(1, `doorbell:${index}`))
  await settleAll(inbox)
  const store = createMemoryReplayJobStore()
  const replayer = createReplayer({ inbox, providers: [] })
  const options = { store, inbox, replayer, batchSize: 2, pollMs: 1, ...changes }
  return { inbox, store, jobs: createReplayJobs(options), options }
}

const all = { filter: {}, asNew: false, reprocess: false, total: 10 }

it('continues a job in another process after a stop', async () => {
  const { jobs, options, store, inbox } = await open()
  let batches = 0
  let stopped: Promise<void> | undefined
  const slow = createReplayJobs({
    ...options,
    inbox: {
      async replay(...given) {
        if (++batches === 3) stopped = slow.stop()
        return await inbox.replay(...given)
      },
    },
  })
  const { id } = await slow.create(all)
  slow.start()
  await vi.waitFor(() => {
    expect(stopped).toBeDefined()
  })
  await stopped
  const { processed = 0, status } = (await store.get(id)) ?? {}
  expect([processed, status]).toEqual([6, 'running'])
  jobs.start()
  await vi.waitFor(async () => {
    expect(await store.get(id)).toMatchObject({ status: 'done', processed: 10, replayed: 10 })
  })
  await jobs.stop()
})

it('continues from the stored progress after an error that hides a commit', async () => {
  const onError = vi.fn()
  const { options, store, inbox } = await open({ onError })
  let calls = 0
  const jobs = createReplayJobs({
    ...options,
    inbox: {
      async replay(...given) {
        const result = await inbox.replay(...given)
        if (++calls === 2) throw new Error('The connection was lost after the commit')
        return result
      },
    },
  })
  const { id } = await jobs.create({ ...all, asNew: true })
  jobs.start()
  await vi.waitFor(async () => {
    expect(await store.get(id)).toMatchObject({ status: 'done', processed: 10, replayed: 10, events: 10 })
  })
  await jobs.stop()
  expect(onError).toHaveBeenCalledOnce()
  expect((await inbox.stats()).events.pending).toBe(10)
})

it('stops a canceled job', async () => {
  const { options, store, inbox } = await open()
  const jobs = createReplayJobs({
    ...options,
    inbox: {
      async replay(...given) {
        await jobs.cancel(id)
        return await inbox.replay(...given)
      },
    },
  })
  const { id } = await jobs.create(all)
  jobs.start()
  await sleep(20)
  await jobs.stop()
  expect(await store.get(id)).toMatchObject({ status: 'canceled', processed: 0 })
})

it('rejects a number out of range', async () => {
  const { options } = await open()
  expect(() => createReplayJobs({ ...options, batchSize: 0 })).toThrow('batchSize')
})

it('processes ignored and refused deliveries again, once each', async () => {
  const kept = createMemoryUnprocessedStore()
  const record = (id: string, changes: Partial<UnprocessedRecord> = {}): UnprocessedRecord => ({
    ...{ id, outcome: 'refused', provider: 'doorbell', reason: 'mismatch', status: 401, receivedAt: 1 },
    ...{ headers: {}, body: new Uint8Array(), bodyBytes: 0, storedBytes: 1 },
    ...changes,
  })
  await kept.add(Array.from({ length: 45 }, (_, index) => record(`r${String(index).padStart(2, '0')}`)))
  await kept.add([
    record('other', { provider: 'mailbox' }),
    record('later', { receivedAt: Date.now() + 60_000 }),
  ])
  const replayed: string[] = []
  const replay = async (id: string) => {
    replayed.push(id)
    if (id === 'r01') return { outcome: 'refused', reason: 'mismatch' } as const
    if (id === 'r02') throw new CodedError(409, 'CONFLICT', 'Only a part of the body was kept')
    await kept.delete(id)
    return id === 'r03'
      ? ({ outcome: 'quarantined' } as const)
      : ({ outcome: 'accepted', events: 2 } as const)
  }
  const { jobs, store } = await open({ unprocessed: { store: kept, replay } })
  const unprocessed = { outcome: 'refused', provider: 'doorbell' } as const
  const { id } = await jobs.create({ ...all, unprocessed, total: 45 })
  jobs.start()
  await vi.waitFor(async () => {
    expect(await store.get(id)).toMatchObject({
      ...{ status: 'done', processed: 45, replayed: 42, unchanged: 2, quarantined: 1, erased: 0, events: 84 },
    })
  })
  await jobs.stop()
  expect([replayed.length, new Set(replayed).size]).toEqual([45, 45])
  expect(await kept.count({})).toBe(4)
})
