import { createEvent, testPublisher } from '@sallyport/webhooks/testing'
import { describeWith } from '@sallyport/test-support/services'
import type { WebhookEvent } from '@sallyport/webhooks'
import { PgBoss } from 'pg-boss'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPgBossPublisher, toPgBossJobId } from './index.ts'

const { signal } = new AbortController()
const event = (id: string, data: unknown = {}) => createEvent(id, Date.UTC(2026, 0), { data })
const duplicate = { ok: true, duplicate: true }

describeWith('postgres', (database) => {
  let boss: PgBoss
  let count = 0
  beforeAll(async () => {
    boss = new PgBoss({ connectionString: database().url, supervise: false, schedule: false })
    await boss.start()
  })
  afterAll(() => boss.stop({ graceful: false }))

  async function openQueue(options: Parameters<PgBoss['createQueue']>[1] = {}): Promise<string> {
    const queue = `events-${count++}`
    await boss.createQueue(queue, options)
    return queue
  }
  const listEvents = async (queue: string) =>
    (await boss.fetch<WebhookEvent>(queue, { batchSize: 1_000_000 })).map(({ data }) => data)

  const byPublisher = new WeakMap<object, string>()
  testPublisher(
    { describe, expect, it },
    {
      async create() {
        const queue = await openQueue()
        const publisher = createPgBossPublisher({ boss, queue, eventBytes: 10_000 })
        byPublisher.set(publisher, queue)
        return publisher
      },
      events: (publisher) => listEvents(byPublisher.get(publisher)!),
      ordered: false,
      tooLargeBytes: 10_000,
    },
  )

  it('reports a job that was handled before as a duplicate', async () => {
    const queue = await openQueue()
    const publisher = createPgBossPublisher({ boss, queue })
    await publisher.publish([event('doorbell:a')], signal)
    const [job] = await boss.fetch(queue)
    expect(job?.id).toBe(toPgBossJobId('doorbell:a'))
    await boss.complete(queue, job!.id)
    expect(await publisher.publish([event('doorbell:a')], signal)).toEqual([duplicate])
    expect(await listEvents(queue)).toEqual([])
  })

  it('retries events that the policy of the queue does not admit', async () => {
    const queue = await openQueue({ policy: 'short' })
    const publisher = createPgBossPublisher({ boss, queue })
    const error = 'The policy of the queue does not admit the job now'
    expect(await publisher.publish([event('doorbell:a'), event('doorbell:b')], signal)).toEqual([
      { ok: true },
      { ok: false, retryable: true, error },
    ])
  })

  it('asks for a reference to data that PostgreSQL cannot store', async () => {
    const queue = await openQueue()
    const publisher = createPgBossPublisher({ boss, queue })
    const texts = ['\0', '\ud800', 'x\udc00', '\\\0', '\\u0000', '\\\\ud800', '\u{1f6aa}', '\u0001']
    const results = await publisher.publish(
      texts.map((text, index) => event(`doorbell:${index}`, { text })),
      signal,
    )
    expect(results.map((result) => !result.ok && result.tooLarge)).toEqual([
      ...[true, true, true, true],
      ...[false, false, false, false],
    ])
    const stored = await listEvents(queue)
    expect(stored.map(({ data }) => (data as { text: string }).text).toSorted()).toEqual(
      texts.slice(4).toSorted(),
    )
  })

  it('rejects a batch for a queue that does not exist', async () => {
    const publisher = createPgBossPublisher({ boss, queue: 'unknown' })
    await expect(publisher.publish([event('doorbell:a')], signal)).rejects.toThrow()
  })
})

describe('the publisher of pg-boss', () => {
  it('ends with the signal while the server does not answer', async () => {
    const waiting = () => new Promise<never>(() => undefined)
    const publisher = createPgBossPublisher({
      boss: { insert: waiting, getJobById: waiting },
      queue: 'events',
    })
    const stop = new AbortController()
    const publishing = publisher.publish([event('doorbell:a')], stop.signal)
    stop.abort(new Error('late'))
    await expect(publishing).rejects.toThrow('late')
  })

  it('gives a different UUID to each id, and always the same one', () => {
    const ids = ['github:push:1', 'github:push:1 ', '\ud800', '\udc00', '\ufffd', '']
    const jobIds = ids.map(toPgBossJobId)
    expect(new Set(jobIds).size).toBe(ids.length)
    for (const id of jobIds)
      expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    // The jobs of a queue outlive a version of this package.
    expect(jobIds[0]).toBe('9963b9de-03e0-8f46-8d20-68e29f91b8e1')
  })

  it('rejects options that it cannot use', () => {
    const boss = { insert: () => Promise.resolve(null), getJobById: () => Promise.resolve(null) }
    expect(() => createPgBossPublisher({ boss: {} as never, queue: 'events' })).toThrow('boss.insert')
    expect(() => createPgBossPublisher({ boss, queue: '' })).toThrow('queue')
    expect(() => createPgBossPublisher({ boss, queue: 'events', eventBytes: 0 })).toThrow('eventBytes')
  })
})
