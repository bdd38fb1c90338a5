import { createDelivery, createEvent } from '@sallyport/testing'
import { describe, expect, it } from 'vitest'
import { useOwnClock } from '../../test/own-clock.ts'
import {
  createDispatcher,
  createDrainer,
  type DispatcherOptions,
  memoryBus,
  memoryInbox,
  memoryQueue,
  type Publisher,
  type PublishResult,
} from '../index.ts'

const { signal } = new AbortController()
const pollMs = 1000

const pass = useOwnClock()

/** A bus that answers once with this, and then as one that works. */
function answering(first: (count: number) => unknown) {
  const bus = memoryBus()
  let answered = false
  const publisher: Publisher = {
    publish(events, stop) {
      if (answered) return bus.publish(events, stop)
      answered = true
      return Promise.resolve(first(events.length) as never)
    },
  }
  return { bus, publisher }
}

async function dispatch(options: Partial<DispatcherOptions>, route: 'direct' | 'queue' = 'direct') {
  const inbox = memoryInbox()
  const errors: unknown[] = []
  const outcomes: string[] = []
  await inbox.record(
    createDelivery(Date.now(), ...['a', 'b', 'c'].map((id) => ({ event: createEvent(id, 0), route }))),
  )
  const dispatcher = createDispatcher({
    ...{ inbox, publisher: memoryBus(), pollMs, random: () => 0.5 },
    onAttempt: ({ event, outcome }) => outcomes.push(`${event.id} ${outcome.status}`),
    onError: (error) => errors.push(error),
    ...options,
  })
  dispatcher.start()
  await pass(10)
  return { inbox, dispatcher, errors, outcomes }
}

const gone = () => {
  throw new Error('a member that throws')
}
const throwing = { get: (_: object, name: string) => (name === 'then' ? undefined : gone()) }

describe('an answer that is none', () => {
  // Any of these once ended the process, by a rejection that nobody handled.
  it.each<[string, (count: number) => unknown]>([
    [
      'a member that throws',
      (count) =>
        Array.from({ length: count }, () => ({
          get ok() {
            return gone()
          },
        })),
    ],
    ['results that throw', () => new Proxy([], throwing)],
    [
      'a time that is a bigint',
      (count) =>
        Array.from({ length: count }, () => ({ ok: false, retryable: true, error: 'x', retryAfterMs: 5n })),
    ],
    ['nothing for each', (count) => Array.from({ length: count }, () => null)],
    // Each of these once made a dead letter at once.
    ['what is no object', () => [true, 'ok', 200]],
    ['what says neither', () => [{}, [], { retryable: false }]],
    [
      'no word of another attempt',
      (count) => Array.from({ length: count }, () => ({ ok: false, error: 'x' })),
    ],
    ['no list', () => ({})],
  ])('of a bus counts as a failure that may pass: %s', async (_, first) => {
    const { publisher, bus } = answering(first)
    const { dispatcher, outcomes } = await dispatch({ publisher })
    expect(outcomes).toEqual(['a retry', 'b retry', 'c retry'])
    await pass(5000)
    expect(bus.events).toHaveLength(3)
    await dispatcher.stop()
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['what cannot be read', new Proxy([], throwing)],
  ])(
    'of an inbox that has settled is told, and leaves the work to the end of its lease: %s',
    async (_, wrong) => {
      const inner = memoryInbox()
      await inner.record(createDelivery(Date.now(), 'late'))
      let first = true
      const { dispatcher, errors } = await dispatch({
        inbox: {
          ...inner,
          settle(work, settlements) {
            if (!first) return inner.settle(work, settlements)
            first = false
            return Promise.resolve(wrong as never)
          },
        },
      })
      expect(errors).toHaveLength(1)
      await pass(20_000)
      expect(await inner.countPublished({})).toBe(1)
      await dispatcher.stop()
    },
  )

  it('of an inbox that was asked for work is told, and asked again', async () => {
    const inner = memoryInbox()
    await inner.record(createDelivery(Date.now(), 'late'))
    const answers: unknown[] = [undefined, [null], [{ lease: 'of no event', route: 'direct' }]]
    const { dispatcher, errors } = await dispatch({
      inbox: {
        ...inner,
        claim: (work, how) =>
          answers.length > 0 ? Promise.resolve(answers.shift() as never) : inner.claim(work, how),
      },
    })
    await pass(5000)
    expect(errors).toHaveLength(3)
    expect(await inner.countPublished({})).toBe(1)
    await dispatcher.stop()
  })

  it('does not count bytes that are no number', async () => {
    const inner = memoryInbox()
    for (const id of ['a', 'b', 'c']) await inner.record(createDelivery(Date.now(), id))
    const wrong: unknown[] = [NaN, '7', 7n]
    const { dispatcher } = await dispatch({
      inbox: {
        ...inner,
        claim: async (work, how) =>
          (await inner.claim(work, { ...how, limit: 1 })).map((one) => ({
            ...one,
            bytes: wrong.shift() as number,
          })),
      },
    })
    await pass(5000)
    expect(await inner.countPublished({})).toBe(3)
    expect(dispatcher.reserve(createDelivery(0, 'd'))).toBeDefined()
    await dispatcher.stop()
  })
})

describe('an answer with more than was asked for', () => {
  // It was taken for the kit's own word that an event is left to the shared queue, for a time that was no number.
  const more = { ok: true, queued: true } as const

  it('of a bus is one that the event was published', async () => {
    let published = 0
    const publish: Publisher['publish'] = (events) => {
      published += events.length
      return Promise.resolve([{ ok: true }, more, { ok: true }])
    }
    const { inbox, dispatcher, outcomes, errors } = await dispatch({ publisher: { publish } })
    await pass(2000)
    expect([published, outcomes, errors]).toEqual([3, ['a done', 'b done', 'c done'], []])
    expect(await inbox.countPublished({})).toBe(3)
    await dispatcher.stop()
  })

  it('of a bus ends it in the shared queue too', async () => {
    const queue = memoryQueue()
    await queue.enqueue([createEvent('a', 0)], signal)
    const outcomes: string[] = []
    const drainer = createDrainer({
      ...{ queue, publisher: answering(() => [more]).publisher },
      onAttempt: ({ outcome }) => outcomes.push(outcome.status),
    })
    drainer.start()
    await pass(2000)
    expect(outcomes).toEqual(['done'])
    await drainer.stop()
  })
})

describe('an answer for all events but one', () => {
  const holes: [string, PublishResult | undefined | null][] = [
    ['undefined', undefined],
    ['null', null],
    ['a boolean', true as never],
  ]

  it.each(holes)('of a queue is a failure of that one only: %s', async (_, hole) => {
    const queue = memoryQueue()
    let broken = true
    const { dispatcher, outcomes } = await dispatch(
      {
        queue: {
          ...queue,
          async enqueue(events, stop) {
            const results: unknown[] = [...(await queue.enqueue(events, stop))]
            if (broken) results[1] = hole
            broken = false
            return results as never
          },
        },
      },
      'queue',
    )
    // All of them once failed.
    expect(outcomes).toEqual(['a queued', 'b retry', 'c queued'])
    await dispatcher.stop()
  })

  it.each(holes)(
    'of a bus is a failure of that one only, for a drainer without an inbox: %s',
    async (_, hole) => {
      const queue = memoryQueue()
      const outcomes: string[] = []
      const { publisher } = answering(() => [{ ok: true }, hole, { ok: true }])
      await queue.enqueue(
        ['a', 'b', 'c'].map((id) => createEvent(id, 0)),
        signal,
      )
      const drainer = createDrainer({
        ...{ queue, publisher },
        onAttempt: ({ event, outcome }) => outcomes.push(`${event.id} ${outcome.status}`),
      })
      drainer.start()
      await pass(10)
      expect(outcomes).toEqual(['a done', 'b retry', 'c done'])
      await drainer.stop()
    },
  )
})
