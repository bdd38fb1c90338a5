import { describeWith } from '@sallyport/test-support/services'
import { testQueue } from '@sallyport/testing'
import { Queue as JobQueue } from 'bullmq'
import { Redis as Client } from 'ioredis'
import { Buffer } from 'node:buffer'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEvent, freshName, withClient } from '../../test/redis/fresh.ts'
import { openRedis, type RedisClient } from './index.ts'

const { signal } = new AbortController()
const all = { limit: 100, signal }

describeWith('redis', (server) => {
  const connections: RedisClient[] = []
  beforeAll(() => {
    connections.push(openRedis({ url: server().url }), openRedis({ url: server().url }))
  })
  afterAll(() => Promise.all(connections.map((one) => one.close())))
  const redis = (index = 0) => connections[index]!

  const queues = new WeakMap<object, string>()
  testQueue(
    { describe, expect, it },
    {
      create({ leaseMs }) {
        const name = freshName(server())
        const queue = redis().queue({ name, leaseMs })
        queues.set(queue, name)
        return queue
      },
      reopen: (queue, { leaseMs }) => redis(1).queue({ name: queues.get(queue)!, leaseMs }),
      // Only real time moves the clock of the server, and expired leases are found by polling.
      pass: (milliseconds) => sleep(milliseconds * 1.1 + 500),
    },
  )

  it('receives an event when its retry is due, also in another process', async () => {
    const name = freshName(server())
    const [queue, other] = [redis().queue({ name }), redis(1).queue({ name, pollMs: 20 })]
    await queue.enqueue([createEvent('doorbell:1')], signal)
    const [first] = await queue.receive(all)
    await expect(first!.retry(Number.NaN)).rejects.toBeInstanceOf(TypeError)
    const waiting = other.receive({ ...all, waitMs: 60_000 })
    expect(await first!.retry(200)).toBe(true)
    expect((await waiting).map(({ attempts }) => attempts)).toEqual([1])
    await expect(queue.receive({ limit: 0, signal })).rejects.toBeInstanceOf(TypeError)
    await Promise.all([queue.close(), other.close()])
  })

  it('rejects events over its capacity and removes acknowledged ones', async () => {
    const name = freshName(server())
    const queue = redis().queue({ name, events: 2 })
    const events = ['a', 'b', 'c'].map((id) => createEvent(id))
    const full = { ok: false, retryable: true, error: 'The queue is full' }
    expect(await queue.enqueue(events, signal)).toEqual([
      { ok: true, duplicate: false },
      { ok: true, duplicate: false },
      full,
    ])
    const held = await queue.receive(all)
    expect(await queue.enqueue([createEvent('c')], signal)).toEqual([full])
    await Promise.all(held.map((one) => one.ack()))
    await queue.close()
    const left = await withClient(server().url, (client) => client.keys(`bull:${name}:*`))
    // Keys with a hash belong to a job.
    expect(left.filter((key) => /[0-9a-f]{64}/.test(key))).toEqual([])
  })

  it('limits a receive to maxBytes by the size of earlier events', async () => {
    const queue = redis().queue({ name: freshName(server()) })
    const events = Array.from({ length: 20 }, (_, index) =>
      createEvent(`doorbell:${index}`, { data: 'é'.repeat(50_000) }),
    )
    await queue.enqueue(events, signal)
    const receiveSizes = async (maxBytes: number) =>
      (await queue.receive({ ...all, maxBytes })).map(({ bytes }) => bytes)
    // The size is in bytes, which are twice the characters here.
    const size = Buffer.byteLength(JSON.stringify(events[0]))
    expect(await receiveSizes(1)).toEqual([size])
    expect(await receiveSizes(250_000)).toEqual([size, size, size])
    expect(await receiveSizes(1_000_000)).toHaveLength(10)
    expect(await receiveSizes(10_000_000)).toHaveLength(6)
    await queue.close()
  })

  it('removes a job that is not an event and reports it', async () => {
    const name = freshName(server())
    const errors: unknown[] = []
    const queue = redis().queue({ name, onError: (error) => errors.push(error) })
    const client = new Client(server().url, { maxRetriesPerRequest: null })
    const theirs = new JobQueue(name, { connection: client })
    // An unreadable job or one whose data is not an object made every receive fail.
    const jobs = await theirs.addBulk(
      [{ door: 'front' }, null, 'text', {}, {}, {}].map((data) => ({ name: 'theirs', data })),
    )
    const [unreadable, missing] = jobs.slice(-2).map(({ id = '' }) => theirs.toKey(id))
    await client.hset(unreadable!, 'data', 'no JSON')
    await client.hdel(missing!, 'data')
    await queue.enqueue([createEvent('doorbell:1')], signal)
    expect((await queue.receive(all)).map(({ event }) => event.id)).toEqual(['doorbell:1'])
    expect(errors).toMatchObject(
      jobs.map(() => ({ message: `A job in ${name} is not an event: it was removed` })),
    )
    expect(await theirs.getJobCounts('wait', 'active', 'delayed', 'failed')).toEqual({
      ...{ wait: 0, active: 1, delayed: 0, failed: 0 },
    })
    await theirs.close()
    client.disconnect()
    await queue.close()
  })

  // An error of the hook ended the process, or failed the receive.
  it.each([
    [
      'throws',
      () => {
        throw new Error('from the hook')
      },
    ],
    ['rejects', () => Promise.reject(new Error('from the hook'))],
  ])('continues when the onError hook %s', async (_, onError) => {
    const name = freshName(server())
    const queue = redis().queue({ name, onError })
    const client = new Client(server().url, { maxRetriesPerRequest: null })
    const theirs = new JobQueue(name, { connection: client })
    await theirs.add('theirs', {})
    await queue.enqueue([createEvent('doorbell:1')], signal)
    expect((await queue.receive(all)).map(({ event }) => event.id)).toEqual(['doorbell:1'])
    await theirs.close()
    client.disconnect()
    await queue.close()
  })
})
