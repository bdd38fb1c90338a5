import { createEvent, testPublisher } from '@sallyport/webhooks/testing'
import { describeWith } from '@sallyport/test-support/services'
import type { WebhookEvent } from '@sallyport/webhooks'
import { Queue, Worker } from 'bullmq'
import { afterAll, describe, expect, it } from 'vitest'
import { createBullmqPublisher, toBullmqJobId } from './index.ts'

const { signal } = new AbortController()
const event = (id: string, data: unknown = {}) => createEvent(id, Date.UTC(2026, 0), { data })

describeWith('redis', (server) => {
  const queues: Queue[] = []
  const openQueue = (defaultJobOptions = {}) => {
    const queue = new Queue(`${server().name}-${queues.length}`, {
      connection: { url: server().url },
      defaultJobOptions,
    })
    queues.push(queue)
    return queue
  }
  afterAll(() => Promise.all(queues.map((queue) => queue.close())))

  const byPublisher = new WeakMap<object, Queue>()
  testPublisher(
    { describe, expect, it },
    {
      create() {
        const queue = openQueue()
        const publisher = createBullmqPublisher({ queue, eventBytes: 10_000 })
        byPublisher.set(publisher, queue)
        return publisher
      },
      async events(publisher) {
        const jobs = await byPublisher.get(publisher)!.getJobs('waiting', 0, -1, true)
        return jobs.map(({ data }) => data as WebhookEvent)
      },
      deduplicates: false,
      tooLargeBytes: 10_000,
    },
  )

  it('adds one job for an id, with the name of the event', async () => {
    const queue = openQueue()
    const publisher = createBullmqPublisher({ queue })
    const first = event('doorbell:a:b')
    for (let time = 0; time < 2; time++)
      expect(await publisher.publish([first, first], signal)).toEqual([{ ok: true }, { ok: true }])
    const jobs = await queue.getJobs('waiting')
    expect(jobs.map(({ id, name, data }) => [id, name, data as unknown])).toEqual([
      ['doorbell%3Aa%3Ab', first.name, first],
    ])
    expect((await queue.getJob(toBullmqJobId(first.id)))?.data).toEqual(first)
  })

  it.each([
    ['no second job while the completed one is kept', { removeOnComplete: { age: 86_400 } }, 1],
    ['a second job after the completed one was removed', { removeOnComplete: true }, 2],
  ])('adds %s', async (_, options, expected) => {
    const queue = openQueue(options)
    const publisher = createBullmqPublisher({ queue })
    const handled: unknown[] = []
    const worker = new Worker(
      queue.name,
      async ({ data }) => Promise.resolve(handled.push((data as WebhookEvent).id)),
      {
        connection: { url: server().url },
      },
    )
    try {
      await publisher.publish([event('doorbell:a')], signal)
      await expect.poll(async () => [handled.length, await queue.getActiveCount()]).toEqual([1, 0])
      await publisher.publish([event('doorbell:a'), event('doorbell:b')], signal)
      await expect.poll(() => handled).toContain('doorbell:b')
      expect(handled.filter((id) => id === 'doorbell:a')).toHaveLength(expected)
    } finally {
      await worker.close()
    }
  })
})

describe('the publisher of BullMQ', () => {
  it('ends with the signal while the server does not answer', async () => {
    const publisher = createBullmqPublisher({ queue: { addBulk: () => new Promise(() => undefined) } })
    const stop = new AbortController()
    const publishing = publisher.publish([event('doorbell:a')], stop.signal)
    stop.abort(new Error('late'))
    await expect(publishing).rejects.toThrow('late')
  })

  it('gives different ids to different events, which BullMQ takes and which can be read back', () => {
    const ids = [
      'github:push:1',
      'github:push:1 ',
      'a%3Ab',
      'a:b',
      '\ud800',
      '\udc00',
      '\\ud800',
      '"',
      '\u{1f6aa}',
      '\0',
    ]
    const jobIds = ids.map(toBullmqJobId)
    expect(new Set(jobIds).size).toBe(ids.length)
    expect(jobIds.filter((id) => id.includes(':'))).toEqual([])
    expect(jobIds.map((id) => JSON.parse(`"${decodeURIComponent(id)}"`) as unknown)).toEqual(ids)
  })

  it('rejects options that it cannot use', () => {
    expect(() => createBullmqPublisher({ queue: {} as never })).toThrow('queue.addBulk')
    expect(() =>
      createBullmqPublisher({ queue: { addBulk: () => Promise.resolve() }, eventBytes: 0 }),
    ).toThrow('eventBytes')
  })
})
