import { type CompleteInbox, type MaybePromise, createReplayer } from '@sallyport/webhooks'
import type { ReplayJob, ReplayJobStore } from '@sallyport/webhooks/replay-jobs'
import { createEvent, type TestRunner } from '@sallyport/webhooks/testing'
import { createDelivery, createQuarantinedDelivery, settleAll } from '../../../testing/src/records.ts'
import { createReplayJobs } from '../../../webhooks/src/replay-jobs/replay-jobs.ts'

/** An empty inbox, and a store of replay jobs in the same database. */
interface ReplayJobsFixture {
  readonly inbox: CompleteInbox
  readonly store: ReplayJobStore
  readonly close: () => MaybePromise<unknown>
}

const lease = { token: 'token', leaseMs: 60_000 }
const newJob = { filter: {}, asNew: false, reprocess: false, total: 1 } as const
const counts = { processed: 3, replayed: 2, unchanged: 1, quarantined: 0, erased: 0, events: 4, handled: 3 }
const progress = { ...counts, after: { receivedAt: 5, sequence: 7 }, open: ['q'], isLast: false }

/**
 * Defines the conformance tests of stores of replay jobs: exclusive leases, and progress that a replay stores in its transaction.
 */
export function testReplayJobs(
  { describe, it, expect }: TestRunner,
  create: () => MaybePromise<ReplayJobsFixture>,
): void {
  const test = (name: string, body: (fixture: ReplayJobsFixture) => Promise<void>) => {
    it(name, async () => {
      const fixture = await create()
      try {
        await body(fixture)
      } finally {
        await fixture.close()
      }
    })
  }

  /** Compares some fields of an object. */
  const expectFields = (actual: object | undefined, fields: object): void => {
    expect({ ...actual, ...fields }).toEqual({ ...actual })
  }

  /** Runs all jobs, and returns one of them. */
  async function runAll({ inbox, store }: ReplayJobsFixture, id: string): Promise<ReplayJob | undefined> {
    const replayer = createReplayer({ inbox, providers: [] })
    const jobs = createReplayJobs({ store, inbox, replayer, batchSize: 4, pollMs: 1, leaseMs: 5000 })
    jobs.start()
    let job = await store.get(id)
    while (job?.status === 'running') {
      await new Promise((resolve) => setTimeout(resolve, 5))
      job = await store.get(id)
    }
    await jobs.stop()
    return job
  }

  describe('replay jobs', () => {
    test('are stored with their filter and operator', async ({ store }) => {
      const filter = { status: 'dead', provider: 'doorbell', receivedAfter: 5 } as const
      const job = await store.create({
        ...newJob,
        id: 'a',
        filter,
        reprocess: true,
        total: 7,
        createdBy: 'ann',
      })
      expectFields(job, {
        id: 'a',
        status: 'running',
        filter,
        asNew: false,
        reprocess: true,
        total: 7,
        createdBy: 'ann',
      })
      expect(await store.get('a')).toEqual(job)
      expect(await store.get('b')).toBe(undefined)
    })

    test('are stored with a filter of ignored and refused deliveries', async ({ store }) => {
      const unprocessed = { outcome: 'refused', provider: 'doorbell' } as const
      expectFields(await store.create({ ...newJob, id: 'a', unprocessed }), { filter: {}, unprocessed })
      expectFields(await store.get('a'), { filter: {}, unprocessed })
      await store.claim(lease)
      const moved = { ...progress, afterUnprocessed: { receivedAt: 5, id: 'r' } }
      await store.save('a', { ...lease, leaseMs: 0 }, moved)
      expect((await store.claim(lease))?.progress).toEqual(moved)
    })

    test('are listed in both orders', async ({ store }) => {
      for (const id of ['a', 'b', 'c']) {
        await store.create({ ...newJob, id })
        await new Promise((resolve) => setTimeout(resolve, 3))
      }
      const ids = async (query: Parameters<ReplayJobStore['list']>[0]) =>
        (await store.list(query)).map(({ id }) => id)
      const [newest] = await store.list({ limit: 1 })
      expect(await ids({ limit: 10 })).toEqual(['c', 'b', 'a'])
      expect(await ids({ limit: 10, order: 'oldest', offset: 1 })).toEqual(['b', 'c'])
      expect(await ids({ limit: 1, ...(newest && { after: newest }) })).toEqual(['b'])
      expect(await store.count()).toBe(3)
    })

    test('run one at a time, the oldest first', async ({ store }) => {
      await store.create({ ...newJob, id: 'a' })
      await new Promise((resolve) => setTimeout(resolve, 3))
      await store.create({ ...newJob, id: 'b' })
      expect((await store.claim(lease))?.job.id).toBe('a')
      expect(await store.claim({ ...lease, token: 'other' })).toBe(undefined)
      await store.finish('a', lease.token)
      expectFields(await store.get('a'), { status: 'done' })
      expect((await store.claim(lease))?.job.id).toBe('b')
      await store.finish('b', lease.token, 'TimeoutError')
      expectFields(await store.get('b'), { status: 'failed', error: 'TimeoutError' })
      expect(await store.claim(lease)).toBe(undefined)
    })

    test('continue from their progress after the lease has ended', async ({ store }) => {
      await store.create({ ...newJob, id: 'a' })
      await store.claim({ ...lease, leaseMs: 0 })
      const second = { ...lease, token: 'second' }
      await store.claim(second)
      expect(await store.save('a', lease, progress)).toBe(false)
      expect(await store.save('a', second, progress)).toBe(true)
      await store.release('a', lease.token)
      expect(await store.claim({ ...lease, token: 'third' })).toBe(undefined)
      await store.release('a', second.token)
      const claimed = await store.claim({ ...lease, token: 'third' })
      expect(claimed?.progress).toEqual(progress)
      expectFields(claimed?.job, counts)
    })

    test('store nothing after a cancellation', async ({ store }) => {
      await store.create({ ...newJob, id: 'a' })
      await store.claim(lease)
      expectFields(await store.cancel('a'), { status: 'canceled' })
      expect(await store.save('a', lease, progress)).toBe(false)
      await store.finish('a', lease.token)
      expectFields(await store.cancel('a'), { status: 'canceled', processed: 0 })
      expect(await store.cancel('b')).toBe(undefined)
      expect(await store.claim(lease)).toBe(undefined)
    })

    test('replay each delivery once', async (fixture) => {
      const { inbox, store } = fixture
      const now = Date.now() - 1000
      for (let index = 0; index < 10; index++) await inbox.record(createDelivery(now, `doorbell:${index}`))
      await settleAll(inbox)
      const quarantined = createQuarantinedDelivery(now)
      await inbox.record(quarantined)
      await store.create({ ...newJob, id: 'a', asNew: true, total: 11 })
      // A later delivery is not part of the job.
      await inbox.record(createDelivery(Date.now() + 60_000, { event: createEvent('doorbell:later', now) }))
      expectFields(await runAll(fixture, 'a'), {
        ...{
          status: 'done',
          processed: 11,
          replayed: 10,
          unchanged: 0,
          quarantined: 1,
          erased: 0,
          events: 10,
        },
      })
      const { events } = await inbox.stats()
      expect(events).toEqual({ pending: 11, queued: 0, dead: 0 })
    })

    test('keep no criterion that quotes content once they end', async ({ store }) => {
      const kept = { provider: 'doorbell', id: 'one' }
      const filter = { ...kept, subject: 'ann', value: 'ann@example.com', text: 'a', error: 'for ann' }
      await store.create({ ...newJob, id: 'a', filter })
      await store.create({ ...newJob, id: 'b', filter })
      expectFields(await store.cancel('a'), { status: 'canceled', filter: kept })
      await store.claim(lease)
      expectFields(await store.get('b'), { filter })
      await store.finish('b', lease.token)
      expectFields(await store.get('b'), { status: 'done', filter: kept })
      await store.create({ ...newJob, id: 'c', unprocessed: { outcome: 'refused', value: 'ann' } })
      expectFields(await store.cancel('c'), { unprocessed: { outcome: 'refused' } })
    })

    test('undo the replay of a batch whose progress cannot be stored', async ({ inbox, store }) => {
      await inbox.record(createDelivery(1, 'doorbell:a'))
      await settleAll(inbox)
      await store.create({ ...newJob, id: 'a' })
      await store.claim(lease)
      const seen = { transaction: undefined as unknown }
      const replaying = inbox.replay(
        { filter: {}, limit: 10 },
        {
          async save(result, transaction) {
            seen.transaction = transaction
            expect(result.deliveries.map(({ outcome }) => outcome)).toEqual(['replayed'])
            await store.save('a', lease, progress, transaction)
            throw new Error('Another process continues the job')
          },
        },
      )
      const outcome = await replaying.then(
        () => 'replayed',
        () => 'rejected',
      )
      expect(outcome).toBe('rejected')
      // An inbox in memory undoes nothing.
      if (seen.transaction === undefined) return
      expect((await inbox.stats()).events.pending).toBe(0)
      expectFields(await store.get('a'), { processed: 0 })
    })
  })
}
