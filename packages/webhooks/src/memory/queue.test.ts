import { createEvent, testQueue } from '@sallyport/testing'
import { getEventListeners } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import type { Queue } from '../ports/ports.ts'
import { memoryQueue } from './queue.ts'

const { signal } = new AbortController()

testQueue({ describe, expect, it }, { create: (options) => memoryQueue(options), keepsObjects: true })

describe('a queue that ignores maxBytes', () => {
  const createQueue = (options: Parameters<typeof memoryQueue>[0]): Queue => {
    const queue = memoryQueue(options)
    return {
      ...queue,
      receive: ({ limit, waitMs = 0, signal }) => queue.receive({ limit, waitMs, signal }),
    }
  }
  testQueue({ describe, expect, it }, { create: createQueue, keepsObjects: true, knowsBytes: false })
})

describe('memoryQueue', () => {
  it('returns events after the clock was set back', async () => {
    let time = Date.UTC(2026, 0)
    const queue = memoryQueue({ now: () => time, leaseMs: 1000 })
    const receive = async () => (await queue.receive({ limit: 10, signal })).map(({ event }) => event.id)
    await queue.enqueue([createEvent('doorbell:a', time)], signal)
    await receive()
    await queue.enqueue([createEvent('doorbell:b', time)], signal)
    time -= 24 * 3_600_000
    expect(await receive()).toEqual(['doorbell:b'])
    time += 1000
    expect(await receive()).toContain('doorbell:a')
  })

  it.each(['events', 'leaseMs'])('rejects an invalid %s', (name) => {
    for (const value of [Number.NaN, 0, -1, 1.5, '7' as never])
      expect(() => memoryQueue({ [name]: value })).toThrow(new RegExp(`^${name} must be an integer `))
  })

  it('rejects events beyond its limit as retryable', async () => {
    const queue = memoryQueue({ events: 1 })
    const [first, second] = [createEvent('a', 0), createEvent('b', 0)]
    expect(await queue.enqueue([first, second, first], signal)).toEqual([
      { ok: true, duplicate: false },
      { ok: false, retryable: true, error: 'The queue is full' },
      { ok: true, duplicate: true },
    ])
    const [held] = await queue.receive({ limit: 10, signal })
    await held?.ack()
    expect(await queue.enqueue([second], signal)).toEqual([{ ok: true, duplicate: false }])
  })

  it('wakes a receiver when a retry is due', async () => {
    // The lease outlasts the test: only the retry can wake the receiver.
    const queue = memoryQueue({ leaseMs: 3_600_000 })
    await queue.enqueue([createEvent('a', 0)], signal)
    const [held] = await queue.receive({ limit: 10, signal })
    const waiting = queue.receive({ limit: 10, waitMs: 60_000, signal: AbortSignal.timeout(20_000) })
    await held?.retry(5)
    expect((await waiting).map(({ attempts }) => attempts)).toEqual([1])
  })

  it('rejects acknowledgements and retries after it is closed', async () => {
    const queue = memoryQueue()
    await queue.enqueue([createEvent('a', 0)], signal)
    const [held] = await queue.receive({ limit: 10, signal })
    await queue.close()
    await expect(held?.ack()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await expect(held?.retry(0)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })

  it('counts data that JSON cannot represent as 0 bytes', async () => {
    const queue = memoryQueue()
    const ring: { self?: unknown } = {}
    ring.self = ring
    await queue.enqueue(
      [1n, ring, undefined].map((data, index) => createEvent(`odd:${index}`, 0, { data })),
      signal,
    )
    const received = await queue.receive({ limit: 10, maxBytes: 1, signal })
    expect(received.map(({ bytes }) => bytes)).toEqual([0, 0, 0])
  })

  it('removes its timer and its listener after a wait', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const queue = memoryQueue()
      const controller = new AbortController()
      const waiting = queue.receive({ limit: 10, waitMs: 60_000, signal: controller.signal })
      expect([vi.getTimerCount(), getEventListeners(controller.signal, 'abort').length]).toEqual([1, 1])
      await queue.enqueue([createEvent('a', 0)], signal)
      expect(await waiting).toHaveLength(1)
      expect([vi.getTimerCount(), getEventListeners(controller.signal, 'abort').length]).toEqual([0, 0])
    } finally {
      vi.useRealTimers()
    }
  })

  it('returns events of exactly maxBytes', async () => {
    const queue = memoryQueue()
    await queue.enqueue(
      ['a', 'b', 'c'].map((id) => createEvent(id, 0, { data: 'four' })),
      signal,
    )
    const received = await queue.receive({ limit: 10, maxBytes: 12, signal })
    expect(received.map(({ bytes }) => bytes)).toEqual([6, 6])
  })

  it('stores 100,000 events and leases them for 15 s by default', async () => {
    const queue = memoryQueue()
    const before = Date.now()
    const events = Array.from({ length: 100_001 }, (_, index) => createEvent(String(index), 0))
    const results = await queue.enqueue(events, signal)
    expect(results.filter(({ ok }) => !ok)).toHaveLength(1)
    const [first] = await queue.receive({ limit: 1, signal })
    expect(queue.leaseMs).toBe(15_000)
    expect(first?.since).toBeGreaterThanOrEqual(before)
    expect(first?.since).toBeLessThanOrEqual(Date.now())
  })

  it('returns nothing after an abort or a close', async () => {
    const queue = memoryQueue()
    const waiting = queue.receive({ limit: 10, waitMs: 60_000, signal })
    await Promise.all([queue.enqueue([createEvent('a', 0)], signal), queue.close()])
    expect(await waiting).toEqual([])
    const open = memoryQueue()
    await open.enqueue([createEvent('a', 0)], signal)
    expect(await open.receive({ limit: 10, signal: AbortSignal.abort() })).toEqual([])
    expect(await open.receive({ limit: 10, signal })).toHaveLength(1)
  })
})
