import { describe, expect, it } from 'vitest'
import type { Queue } from '../ports.ts'
import { eventOf } from '../testing/inbox-context.ts'
import { testQueue } from '../testing/queue-suite.ts'
import { memoryQueue } from './queue.ts'

const { signal } = new AbortController()

testQueue({ describe, expect, it }, { create: (options) => memoryQueue(options), keepsObjects: true })

describe('a queue that does not know bytes', () => {
  // The port allows it; the suite once did not.
  const heedless = (options: Parameters<typeof memoryQueue>[0]): Queue => {
    const queue = memoryQueue(options)
    return {
      ...queue,
      receive: ({ limit, waitMs = 0, signal }) => queue.receive({ limit, waitMs, signal }),
    }
  }
  testQueue({ describe, expect, it }, { create: heedless, keepsObjects: true, knowsBytes: false })
})

describe('memoryQueue', () => {
  // With the first it once held any number of events; with the second nothing that was received ever came again.
  it.each(['events', 'leaseMs'])('takes no %s that is none', (name) => {
    for (const value of [Number.NaN, 0, -1, 1.5, '7' as never])
      expect(() => memoryQueue({ [name]: value })).toThrow(new RegExp(`^${name} must be an integer `))
  })

  it('takes in no more than it may hold', async () => {
    const queue = memoryQueue({ events: 1 })
    const [first, second] = [eventOf('a', 0), eventOf('b', 0)]
    expect(await queue.enqueue([first, second, first], signal)).toEqual([
      { ok: true, duplicate: false },
      { ok: false, retryable: true, error: 'The queue is full' },
      { ok: true, duplicate: true },
    ])
    const [held] = await queue.receive({ limit: 10, signal })
    await held?.ack()
    expect(await queue.enqueue([second], signal)).toEqual([{ ok: true, duplicate: false }])
  })

  it('wakes whoever waits when something given back is due', async () => {
    const queue = memoryQueue()
    await queue.enqueue([eventOf('a', 0)], signal)
    const [held] = await queue.receive({ limit: 10, signal })
    const waiting = queue.receive({ limit: 10, waitMs: 60_000, signal })
    await held?.retry(5)
    expect((await waiting).map(({ attempts }) => attempts)).toEqual([1])
  })

  it('refuses to end what was received once it is closed', async () => {
    const queue = memoryQueue()
    await queue.enqueue([eventOf('a', 0)], signal)
    const [held] = await queue.receive({ limit: 10, signal })
    await queue.close()
    // It once answered true.
    await expect(held?.ack()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await expect(held?.retry(0)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })

  it('counts what JSON cannot say for nothing, and gives it like the rest', async () => {
    const queue = memoryQueue()
    const ring: { self?: unknown } = {}
    ring.self = ring
    await queue.enqueue(
      [1n, ring, undefined].map((data, index) => eventOf(`odd:${index}`, 0, { data })),
      signal,
    )
    const received = await queue.receive({ limit: 10, maxBytes: 1, signal })
    expect(received.map(({ bytes }) => bytes)).toEqual([0, 0, 0])
  })
})
