import { createDelivery } from '@sallyport/test-support/records'
import { createEvent } from '@sallyport/webhooks/testing'
import { describe, expect, it } from 'vitest'
import { useOwnClock } from '../../test/own-clock.ts'
import {
  createDispatcher,
  createDrainer,
  type WebhookEvent,
  createMemoryBus,
  createMemoryInbox,
  type Publisher,
  type PublishResult,
} from '../index.ts'
import type { DispatcherOptions } from '../dispatch/dispatcher.ts'

const pollMs = 1000

const pass = useOwnClock()

/** A bus with a wrong first result, and correct results afterwards. */
function createBus(first: (count: number) => unknown) {
  const bus = createMemoryBus()
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
  const inbox = createMemoryInbox()
  const errors: unknown[] = []
  const outcomes: string[] = []
  await inbox.record(
    createDelivery(Date.now(), ...['a', 'b', 'c'].map((id) => ({ event: createEvent(id, 0), route }))),
  )
  const dispatcher = createDispatcher({
    ...{ inbox, publisher: createMemoryBus(), pollMs, random: () => 0.5 },
    onAttempt: ({ event, outcome }) => outcomes.push(`${event.id} ${outcome.status}`),
    onError: (error) => errors.push(error),
    ...options,
  })
  dispatcher.start()
  await pass(10)
  return { inbox, dispatcher, errors, outcomes }
}

const fail = () => {
  throw new Error('a member that throws')
}
const throwing = { get: (_: object, name: string) => (name === 'then' ? undefined : fail()) }

describe('invalid result', () => {
  // Regression: an unhandled rejection ended the process.
  it.each<[string, (count: number) => unknown]>([
    [
      'a member that throws',
      (count) =>
        Array.from({ length: count }, () => ({
          get ok() {
            return fail()
          },
        })),
    ],
    ['results that throw', () => new Proxy([], throwing)],
    [
      'a time that is a bigint',
      (count) =>
        Array.from({ length: count }, () => ({ ok: false, retryable: true, error: 'x', retryAfterMs: 5n })),
    ],
    ['null for each event', (count) => Array.from({ length: count }, () => null)],
    // Regression: each of these made a dead letter.
    ['values that are not objects', () => [true, 'ok', 200]],
    ['objects without `ok`', () => [{}, [], { retryable: false }]],
    [
      'failures without `retryable`',
      (count) => Array.from({ length: count }, () => ({ ok: false, error: 'x' })),
    ],
    ['an object', () => ({})],
  ])('of a bus is a retryable failure: %s', async (_, first) => {
    const { publisher, bus } = createBus(first)
    const { dispatcher, outcomes } = await dispatch({ publisher })
    expect(outcomes).toEqual(['a retry', 'b retry', 'c retry'])
    await pass(5000)
    expect(bus.events).toHaveLength(3)
    await dispatcher.stop()
  })

  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['a list that throws', new Proxy([], throwing)],
  ])('of `settle` is reported, and the work is claimed again after its lease: %s', async (_, wrong) => {
    const inner = createMemoryInbox()
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
  })

  it('of `claim` is reported, and the work is claimed again', async () => {
    const inner = createMemoryInbox()
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

  it('of `claim` with invalid `bytes` is not counted', async () => {
    const inner = createMemoryInbox()
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

describe('result with unknown members', () => {
  // Regression: `queued` was read as the dispatcher's own outcome.
  const more = { ok: true, queued: true } as const

  it('of a bus marks the event as published', async () => {
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
})

describe('result list with a hole', () => {
  const holes: [string, PublishResult | undefined | null][] = [
    ['undefined', undefined],
    ['null', null],
    ['a boolean', true as never],
  ]

  it.each(holes)('of a queue fails only that event: %s', async (_, hole) => {
    let broken = true
    const { dispatcher, outcomes } = await dispatch(
      {
        queue: {
          publish(events) {
            const results: unknown[] = events.map(() => ({ ok: true }))
            if (broken) results[1] = hole
            broken = false
            return Promise.resolve(results as never)
          },
        },
      },
      'queue',
    )
    // Regression: all events failed.
    expect(outcomes).toEqual(['a queued', 'b retry', 'c queued'])
    await dispatcher.stop()
  })

  it.each(holes)('of a bus fails only that event in a drainer: %s', async (_, hole) => {
    const outcomes: string[] = []
    const { publisher } = createBus(() => [{ ok: true }, hole, { ok: true }])
    let attempts: Promise<unknown> = Promise.resolve()
    createDrainer({
      publisher,
      onAttempt: ({ event, outcome }) => outcomes.push(`${event.id} ${outcome.status}`),
      consumer({ handlers }) {
        const handle = handlers as (event: WebhookEvent) => unknown
        attempts = Promise.allSettled(['a', 'b', 'c'].map((id) => handle(createEvent(id, 0))))
        return { start: () => Promise.resolve(), stop: () => Promise.resolve() }
      },
    })
    await pass(10)
    await attempts
    expect(outcomes).toEqual(['a done', 'b retry', 'c done'])
  })
})
