import { createDelivery } from '@sallyport/test-support/records'
import { createEvent } from '@sallyport/webhooks/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { never } from '../../test/doorbell.ts'
import { createMemoryQueue } from '../../test/memory-queue.ts'
import {
  type Attempt,
  createDispatcher,
  type Dispatcher,
  createMemoryBus,
  createMemoryInbox,
} from '../index.ts'
import type { DispatcherOptions } from './dispatcher.ts'

/** All tests use a fake clock. */
beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

/** A dispatcher with one event for the bus and one for the queue, which are claimed together. */
async function dispatchBoth(options: Partial<DispatcherOptions> = {}) {
  const inbox = createMemoryInbox()
  const queue = createMemoryQueue()
  const bus = createMemoryBus()
  const attempts: Attempt[] = []
  const delivery = createDelivery(
    Date.now(),
    { event: createEvent('doorbell:direct', 0) },
    { event: createEvent('doorbell:queue', 0), route: 'queue' },
  )
  await inbox.record(delivery)
  const dispatcher = createDispatcher({
    ...{ inbox, publisher: bus, queue, random: () => 0.5 },
    onAttempt: (attempt) => attempts.push(attempt),
    ...options,
  })
  dispatcher.start()
  await pass(10)
  // The order of the two lanes is undefined.
  const outcomes = () =>
    attempts.map(({ event, outcome }) => `${event.id.replace('doorbell:', '')} ${outcome.status}`).sort()
  const states = async () => (await inbox.get(delivery.id))?.events.map(({ status }) => status)
  return { inbox, queue, bus, dispatcher, outcomes, states }
}

describe('a dispatcher with a shared queue', () => {
  it('sends each event to the destination of its route', async () => {
    const { queue, bus, dispatcher, outcomes, states } = await dispatchBoth()
    expect(outcomes()).toEqual(['direct done', 'queue queued'])
    expect(bus.events.map(({ id }) => id)).toEqual(['doorbell:direct'])
    expect(await states()).toEqual(['published', 'queued'])
    expect(queue.ids()).toEqual(['1000000@doorbell:queue'])
    await dispatcher.stop()
  })

  it('claims only work that can start soon after many wakes', async () => {
    const inbox = createMemoryInbox()
    for (let index = 0; index < 40; index++) await inbox.record(createDelivery(0, `direct:${index}`))
    let claimed = 0
    const dispatcher = createDispatcher({
      inbox: {
        ...inbox,
        async claim(work, how) {
          const works = await inbox.claim(work, how)
          claimed += works.length
          return works
        },
      },
      ...{ publisher: { publish: never }, queue: createMemoryQueue(), concurrency: 1, batchSize: 4 },
    })
    dispatcher.start()
    for (let wakes = 0; wakes < 5; wakes++) {
      await pass(10)
      dispatcher.wake()
    }
    await pass(10)
    // One batch is in its attempt, and one waits for it.
    expect(claimed).toBe(8)
    const stopped = dispatcher.stop(0)
    await pass(10)
    await stopped
    expect(await inbox.claim('publish', { limit: 40, leaseMs: 1000 })).toHaveLength(36)
  })

  it('publishes all events without a queue', async () => {
    const inbox = createMemoryInbox()
    const bus = createMemoryBus()
    await inbox.record(createDelivery(0, { event: createEvent('doorbell:queue', 0), route: 'queue' }))
    const dispatcher = createDispatcher({ inbox, publisher: bus })
    dispatcher.start()
    await pass(10)
    expect(bus.events.map(({ id }) => id)).toEqual(['doorbell:queue'])
    await dispatcher.stop()
  })

  it('enqueues an event again after redeliverAfterMs', async () => {
    const { inbox, queue, dispatcher, outcomes, states } = await dispatchBoth({ redeliverAfterMs: 60_000 })
    await pass(59_000)
    expect(outcomes()).toEqual(['direct done', 'queue queued'])
    await pass(2000)
    expect(outcomes()).toEqual(['direct done', 'queue queued', 'queue queued'])
    expect(queue.ids()).toEqual(['1000000@doorbell:queue'])
    await inbox.forwarded(['doorbell:queue'])
    expect(await states()).toEqual(['published', 'published'])
    await pass(120_000)
    expect(outcomes()).toHaveLength(3)
    await dispatcher.stop()
  })

  it('enqueues a replayed event with another id, which a queue that deduplicates stores', async () => {
    const { inbox, queue, dispatcher } = await dispatchBoth()
    await inbox.forwarded(['doorbell:queue'])
    await pass(1000)
    await inbox.replay({ filter: { status: 'published' }, limit: 10 })
    dispatcher.wake()
    await pass(10)
    expect(queue.ids()).toEqual(['1000000@doorbell:queue', '1001010@doorbell:queue'])
    await dispatcher.stop()
  })

  const away = () => Promise.reject(new Error('away'))
  it.each([
    ['fails', away],
    ['hangs', never],
  ])('publishes when the queue %s, and enqueues later', async (_, enqueue) => {
    const queue = createMemoryQueue()
    let broken = true
    const { bus, dispatcher, outcomes } = await dispatchBoth({
      queue: { publish: (...given) => (broken ? enqueue() : queue.publish(...given)) },
    })
    expect(bus.events.map(({ id }) => id)).toEqual(['doorbell:direct'])
    await pass(5000)
    expect(outcomes().slice(0, 2)).toEqual(['direct done', 'queue retry'])
    broken = false
    await pass(10_000)
    expect(outcomes()).toContain('queue queued')
    expect(outcomes().filter((outcome) => outcome.startsWith('direct'))).toHaveLength(1)
    await dispatcher.stop()
  })

  it('reports an event as queued that was forwarded before the settlement', async () => {
    const queue = createMemoryQueue()
    const inbox = createMemoryInbox()
    const attempts: string[] = []
    await inbox.record(createDelivery(Date.now(), { event: createEvent('doorbell:a', 0), route: 'queue' }))
    const dispatcher = createDispatcher({
      inbox,
      publisher: createMemoryBus(),
      queue: {
        async publish(events, stop) {
          const results = await queue.publish(events, stop)
          await inbox.forwarded(['doorbell:a'])
          return results
        },
      },
      onAttempt: ({ outcome }) => attempts.push(outcome.status),
    })
    dispatcher.start()
    await pass(10)
    expect(attempts).toEqual(['queued'])
    expect((await inbox.published({ limit: 10 })).length).toBe(1)
    await dispatcher.stop()
  })

  describe('that hangs', () => {
    const getQueue = (id: string) => ({ event: createEvent(id, 0), route: 'queue' as const })
    const stopAtOnce = async (dispatcher: Dispatcher) => {
      const stopping = dispatcher.stop(0)
      await pass(1)
      await stopping
    }
    const hanging = { queue: { publish: never } }

    it('does not delay attempts at the bus', async () => {
      const { inbox, bus, dispatcher } = await dispatchBoth({ ...hanging, concurrency: 1 })
      for (let index = 0; index < 5; index++) {
        for (const one of [getQueue(`queue:${index}`), { event: createEvent(`direct:${index}`, 0) }]) {
          const record = createDelivery(Date.now(), one)
          const place = dispatcher.reserve(record)
          place?.fill(await inbox.record(record, { leaseMs: place.leaseMs }))
        }
        await pass(10)
        expect(bus.events.at(-1)?.id).toBe(`direct:${index}`)
      }
      await stopAtOnce(dispatcher)
    })

    it('does not prevent claims of later events', async () => {
      const inbox = createMemoryInbox()
      const bus = createMemoryBus()
      for (let index = 0; index < 4; index++)
        await inbox.record(createDelivery(0, getQueue(`queue:${index}`)))
      await inbox.record(createDelivery(0, 'direct'))
      const dispatcher = createDispatcher({
        ...{ inbox, publisher: bus, ...hanging },
        ...{ concurrency: 1, batchSize: 1, timeoutMs: 14_000 },
      })
      dispatcher.start()
      await pass(6000)
      expect(bus.events.map(({ id }) => id)).toEqual(['direct'])
      await stopAtOnce(dispatcher)
    })

    it('does not slow a backlog for the bus', async () => {
      const inbox = createMemoryInbox()
      const bus = createMemoryBus()
      for (let index = 0; index < 40; index++)
        await inbox.record(createDelivery(0, getQueue(`queue:${index}`), `direct:${index}`))
      const dispatcher = createDispatcher({
        ...{ inbox, publisher: bus, ...hanging },
        ...{ concurrency: 1, batchSize: 4, timeoutMs: 14_000 },
      })
      dispatcher.start()
      await pass(900)
      expect(bus.events).toHaveLength(40)
      await stopAtOnce(dispatcher)
    })

    it('leaves half of the memory for events of the bus', async () => {
      const { dispatcher } = await dispatchBoth({ ...hanging, memoryEvents: 4 })
      // One is claimed, and in an attempt.
      expect(dispatcher.reserve(createDelivery(0, getQueue('a')))).toBeDefined()
      expect(dispatcher.reserve(createDelivery(0, getQueue('b')))).toBeUndefined()
      expect(dispatcher.reserve(createDelivery(0, 'c'))).toBeDefined()
      await stopAtOnce(dispatcher)
    })
  })
})
