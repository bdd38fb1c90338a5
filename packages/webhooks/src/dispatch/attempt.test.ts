import { createDelivery, settleAll } from '@sallyport/test-support/records'
import { createEvent } from '@sallyport/webhooks/testing'
import { describe, expect, it } from 'vitest'
import { useOwnClock } from '../../test/own-clock.ts'
import {
  type Attempt,
  type CompleteInbox,
  createDispatcher,
  createMemoryBus,
  createMemoryInbox,
  type Publisher,
} from '../index.ts'
import type { DispatcherOptions } from './dispatcher.ts'

const ids = (count: number) => Array.from({ length: count }, (_, index) => `event:${index}`)

const pass = useOwnClock()

/** A bus that throws for some events, without a word of which. */
function throwingFor(...bad: readonly string[]) {
  const bus = createMemoryBus()
  const batches: string[][] = []
  const publisher: Publisher = {
    publish(events, stop) {
      batches.push(events.map(({ id }) => id))
      if (events.some(({ id }) => bad.includes(id))) return Promise.reject(new TypeError('one of them'))
      return bus.publish(events, stop)
    },
  }
  return { bus, publisher, batches }
}

const failedBefore = { status: 'retry', afterMs: 0, error: 'Error' } as const

/** Events that were claimed together, after one failure unless they are fresh, and a dispatcher that has tried them. */
async function dispatch(
  events: readonly string[],
  options: Partial<DispatcherOptions> & { readonly inbox?: CompleteInbox },
  fresh = false,
) {
  const inbox = options.inbox ?? createMemoryInbox()
  const attempts: Attempt[] = []
  const errors: unknown[] = []
  await inbox.record(createDelivery(Date.now(), ...events))
  if (!fresh) await settleAll(inbox, failedBefore)
  const dispatcher = createDispatcher({
    ...{ publisher: createMemoryBus(), pollMs: 60_000, random: () => 0.5 },
    onAttempt: (attempt) => attempts.push(attempt),
    onError: (error) => errors.push(error),
    ...options,
    inbox,
  })
  dispatcher.start()
  await pass(10)
  const outcomes = () => attempts.map(({ event, outcome }) => `${event.id} ${outcome.status}`)
  const failed = () => outcomes().filter((outcome) => !outcome.endsWith(' done'))
  return { inbox, dispatcher, attempts, errors, outcomes, failed }
}

describe('a batch that makes the bus throw', () => {
  it.each([0, 37, 50, 99])('isolates the bad event at position %d', async (bad) => {
    const { publisher, bus, batches } = throwingFor(`event:${bad}`)
    const { dispatcher, failed, attempts } = await dispatch(ids(100), { publisher })
    expect(failed()).toEqual([`event:${bad} retry`])
    expect(bus.events).toHaveLength(99)
    expect(attempts.find(({ event }) => event.id === `event:${bad}`)?.outcome).toMatchObject({
      error: 'TypeError',
    })
    expect(batches.length).toBeLessThanOrEqual(15)
    await dispatcher.stop()
  })

  it('isolates adjacent bad events at the front', async () => {
    const bad = ids(20)
    const { publisher, bus } = throwingFor(...bad)
    const { dispatcher, failed } = await dispatch(ids(100), { publisher })
    expect(failed()).toEqual(bad.map((id) => `${id} retry`))
    expect(bus.events).toHaveLength(80)
    await dispatcher.stop()
  })

  it('isolates two bad events at the end', async () => {
    const { publisher, bus } = throwingFor('event:98', 'event:99')
    const { dispatcher, failed } = await dispatch(ids(100), { publisher })
    expect(failed()).toEqual(['event:98 retry', 'event:99 retry'])
    expect(bus.events).toHaveLength(98)
    await dispatcher.stop()
  })

  it('isolates several bad events', async () => {
    const { publisher, bus } = throwingFor('event:3', 'event:4', 'event:70')
    const { dispatcher, failed } = await dispatch(ids(100), { publisher })
    expect(failed()).toEqual(['event:3 retry', 'event:4 retry', 'event:70 retry'])
    expect(bus.events).toHaveLength(97)
    await dispatcher.stop()
  })

  it('is bisected for many bad events while other events succeed', async () => {
    const bad = ids(800).filter((_, index) => index % 100 === 7)
    const { publisher, bus } = throwingFor(...bad)
    const { dispatcher, failed } = await dispatch(ids(800), { publisher, concurrency: 1 })
    expect(failed()).toEqual(bad.map((id) => `${id} retry`))
    expect(bus.events).toHaveLength(792)
    await dispatcher.stop()
  })

  it('isolates a bad event of the bus and one of the queue', async () => {
    const inbox = createMemoryInbox()
    const attempts: string[] = []
    for (const id of ['a', 'b'])
      await inbox.record(createDelivery(Date.now(), { event: createEvent(id, 0), route: 'queue' }))
    await settleAll(inbox, failedBefore)
    const dispatcher = createDispatcher({
      ...{ inbox, publisher: createMemoryBus(), pollMs: 60_000, random: () => 0.5 },
      queue: {
        publish: (events) =>
          events.some(({ id }) => id.endsWith('@a'))
            ? Promise.reject(new TypeError('a'))
            : Promise.resolve(events.map(() => ({ ok: true }))),
      },
      onAttempt: ({ event, outcome }) => attempts.push(`${event.id} ${outcome.status}`),
    })
    dispatcher.start()
    await pass(10)
    expect(attempts).toEqual(['a retry', 'b queued'])
    await dispatcher.stop()
  })
})

describe('a batch without earlier failures', () => {
  it('is bisected at its second attempt', async () => {
    const { publisher, bus, batches } = throwingFor('event:37')
    const { dispatcher, failed } = await dispatch(ids(100), { publisher, pollMs: 1000 }, true)
    expect(batches.map((batch) => batch.length)).toEqual([100])
    expect(failed()).toHaveLength(100)
    await pass(1000)
    expect(bus.events).toHaveLength(99)
    expect(batches.length).toBeLessThanOrEqual(16)
    await dispatcher.stop()
  })

  it('is bisected at once if one of its events failed before', async () => {
    const inbox = createMemoryInbox()
    await inbox.record(createDelivery(Date.now(), 'event:bad'))
    await settleAll(inbox, failedBefore)
    const { publisher, bus } = throwingFor('event:bad')
    const { dispatcher, failed } = await dispatch(ids(99), { inbox, publisher }, true)
    expect(failed()).toEqual(['event:bad retry'])
    expect(bus.events).toHaveLength(99)
    await dispatcher.stop()
  })
})

describe('a bus that rejects with retryAfterMs', () => {
  const busy = () => Promise.reject(Object.assign(new Error('busy'), { retryAfterMs: 60_000 }))
  const waits = (attempts: readonly Attempt[]) =>
    attempts.map(({ outcome }) => (outcome.status === 'retry' ? outcome.afterMs : outcome.status))

  it('receives no parts of the batch, and no event before that time', async () => {
    let asked = 0
    const publisher: Publisher = {
      publish: () => {
        asked++
        return busy()
      },
    }
    const { dispatcher, attempts } = await dispatch(ids(10), { publisher })
    expect([asked, waits(attempts)]).toEqual([1, ids(10).map(() => 60_000)])
    await dispatcher.stop()
  })

  it.each([
    ['throws', () => busy()],
    ['answers', () => Promise.resolve([{ ok: false, retryable: true, error: 'busy', retryAfterMs: 60_000 }])],
  ] as const)('is tried a last time when it is given up: %s', async (_, publish) => {
    const { dispatcher, attempts } = await dispatch(
      ['a'],
      {
        ...{ publisher: { publish }, pollMs: 1000, backoff: { giveUpAfterMs: 30_000 } },
      },
      true,
    )
    expect(waits(attempts)).toEqual([30_000])
    await pass(40_000)
    expect(attempts.map(({ outcome }) => outcome.status)).toEqual(['retry', 'dead'])
    await dispatcher.stop()
  })

  it('delays all events without an answer', async () => {
    const bus = createMemoryBus()
    const batches: string[][] = []
    const publisher: Publisher = {
      publish(events, stop) {
        batches.push(events.map(({ id }) => id))
        if (batches.length < 3) return Promise.reject(new TypeError('one of them'))
        return batches.length === 3 ? bus.publish(events, stop) : busy()
      },
    }
    const { dispatcher, attempts } = await dispatch(ids(8), { publisher })
    expect(batches.map((batch) => batch.length)).toEqual([8, 4, 2, 2])
    expect(waits(attempts)).toEqual([...ids(6).map(() => 60_000), 'done', 'done'])
    await dispatcher.stop()
  })

  it.each([
    ['no number', { retryAfterMs: '60000' }],
    ['no time', { retryAfterMs: NaN }],
    ['not to be read', Object.defineProperty({}, 'retryAfterMs', { get: () => JSON.parse('') as never })],
  ])('is heeded in numbers alone: %s', async (_, odd) => {
    const error = Object.defineProperties(new Error('busy'), Object.getOwnPropertyDescriptors(odd))
    const { dispatcher, attempts, errors } = await dispatch(['a'], {
      publisher: { publish: () => Promise.reject(error) },
    })
    expect([waits(attempts), errors]).toEqual([[1000], []])
    await dispatcher.stop()
  })
})

describe('an unavailable bus', () => {
  it('receives whole batches and occasional bisections', async () => {
    const batches: number[] = []
    const publisher: Publisher = {
      publish: (events) => {
        batches.push(events.length)
        return Promise.reject(new Error('away'))
      },
    }
    const { dispatcher, failed } = await dispatch(ids(2000), { publisher })
    expect(failed()).toHaveLength(2000)
    expect(batches.filter((size) => size === 100)).toHaveLength(20)
    // Down to one event and its neighbour, and as many of the larger parts, four times.
    expect(batches.filter((size) => size < 100)).toHaveLength(4 * 16)
    await dispatcher.stop()
  })

  it('receives fewer bisections over time, until it answers', async () => {
    let away = true
    let halves = 0
    const bus = createMemoryBus()
    const publisher: Publisher = {
      publish(events, stop) {
        if (events.length === 1) halves++
        if (away || (events.length > 1 && events.some(({ id }) => id === 'event:0')))
          return Promise.reject(new Error('away'))
        return bus.publish(events, stop)
      },
    }
    const inbox = createMemoryInbox()
    const { dispatcher } = await dispatch(ids(2), {
      ...{ inbox, publisher, pollMs: 1000 },
      backoff: { maximumMs: 2000 },
    })
    await pass(600_000)
    // Both alone, after one second, two, four and so on to a minute.
    expect(halves).toBeLessThan(40)
    away = false
    await pass(60_000)
    expect(bus.events).toHaveLength(2)
    await dispatcher.stop()
  })

  it('receives no bisection after a timeout', async () => {
    for (const name of ['TimeoutError', 'AbortError']) {
      let asked = 0
      const publisher: Publisher = {
        publish: () => {
          asked++
          return Promise.reject(new DOMException('late', name))
        },
      }
      const { dispatcher, failed } = await dispatch(ids(10), { publisher })
      expect([asked, failed().length]).toEqual([1, 10])
      await dispatcher.stop()
    }
  })

  it('receives no further part after a stop, and its answers are settled', async () => {
    const gate = Promise.withResolvers<undefined>()
    let asked = 0
    const publisher: Publisher = {
      publish: async (events) => {
        asked++
        if (events.some(({ id }) => id === 'event:2')) throw new TypeError('one of them')
        await gate.promise
        return events.map(() => ({ ok: true }))
      },
    }
    const { dispatcher, inbox, failed } = await dispatch(ids(4), { publisher })
    expect(asked).toBe(3)
    const stopped = dispatcher.stop()
    gate.resolve(undefined)
    await stopped
    expect(asked).toBe(3)
    expect(await inbox.countPublished({})).toBe(1)
    expect(failed()).toEqual(['event:0 retry', 'event:1 retry', 'event:2 retry'])
  })

  it('receives no part whose lease could end during the attempt', async () => {
    let asked = 0
    const publisher: Publisher = {
      publish: async () => {
        asked++
        await new Promise((resolve) => setTimeout(resolve, 4000))
        throw new TypeError('one of them')
      },
    }
    const { dispatcher, failed } = await dispatch(ids(100), { publisher })
    await pass(20_000)
    // The first, and two halves within the ten seconds in which an attempt of five may begin.
    expect([asked, failed().length]).toEqual([3, 100])
    await dispatcher.stop()
  })

  it('receives no part that leaves no time for the settlement', async () => {
    const bus = createMemoryBus()
    let asked = 0
    const publisher: Publisher = {
      publish: async (events, stop) => {
        asked++
        await new Promise((resolve) => setTimeout(resolve, asked < 3 ? 4900 : 10_000))
        if (asked === 1) throw new TypeError('one of them')
        return bus.publish(events, stop)
      },
    }
    const { dispatcher, outcomes } = await dispatch(['a', 'b'], { publisher })
    await pass(9900)
    expect([asked, outcomes()]).toEqual([2, ['a retry', 'b done']])
    await dispatcher.stop()
  })

  it('receives parts when a lease is hardly longer than an attempt', async () => {
    const { publisher, bus } = throwingFor('a')
    const { dispatcher } = await dispatch(['a', 'b'], { publisher, leaseMs: 5200, timeoutMs: 5000 })
    expect(bus.events.map(({ id }) => id)).toEqual(['b'])
    await dispatcher.stop()
  })
})
