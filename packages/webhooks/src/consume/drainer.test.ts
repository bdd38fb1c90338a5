import { createDelivery, settleAll } from '@sallyport/test-support/records'
import { createEvent } from '@sallyport/webhooks/testing'
import { describe, expect, it, vi } from 'vitest'
import { createMemoryQueue } from '../../test/memory-queue.ts'
import { never } from '../../test/doorbell.ts'
import {
  createDrainer,
  createMemoryBus,
  createMemoryInbox,
  type Attempt,
  type CompleteInbox,
  type WebhookEvent,
  type Publisher,
  type PublishResult,
} from '../index.ts'
import type { DrainerOptions } from './drainer.ts'

const { signal } = new AbortController()
const day = 24 * 60 * 60 * 1000
const away = () => Promise.reject(new Error('away'))
const refuse = (retryable: boolean) => (): Promise<readonly PublishResult[]> =>
  Promise.resolve([{ ok: false, retryable, error: 'The bus refuses it' }])
const queued = (id: string) => createEvent(`${Date.now()}@${id}`, 0, { subject: id })

/** A queue with events that an inbox has recorded, and a drainer that runs. */
async function drain(
  ids: readonly string[],
  options: Partial<DrainerOptions> = {},
  inbox: CompleteInbox = createMemoryInbox(),
) {
  const queue = createMemoryQueue()
  const bus = createMemoryBus()
  const attempts: Attempt[] = []
  const errors: unknown[] = []
  const works = ids.map((id) => ({ event: createEvent(id, 0), route: 'queue', notify: true }) as const)
  const delivery = createDelivery(Date.now(), ...works)
  await inbox.record(delivery)
  await settleAll(inbox, { status: 'queued', redeliverAfterMs: 10 * day })
  await queue.publish(ids.map(queued), signal)
  const drainer = createDrainer({
    ...{ consumer: queue.consumer, publisher: bus, inbox, random: () => 0.002 },
    onAttempt: (attempt) => attempts.push(attempt),
    onError: (error) => errors.push(error),
    ...options,
  })
  await drainer.start()
  return {
    ...{ queue, bus, drainer, errors, inbox, attempts },
    outcomes: () => attempts.map(({ outcome }) => outcome.status),
    states: async () => (await inbox.get(delivery.id))?.events ?? [],
    isDrained: () =>
      vi.waitFor(() => {
        expect(queue.ids()).toEqual([])
      }),
  }
}

/** A bus that answers once for each of these, and then as one that works. */
function failing(...failures: readonly Publisher['publish'][]) {
  const bus = createMemoryBus()
  const left = [...failures]
  const batches: string[][] = []
  const publisher: Publisher = {
    publish(events, stop) {
      batches.push(events.map(({ id }) => id))
      return (left.shift() ?? bus.publish)(events, stop)
    },
  }
  return { bus, publisher, batches }
}

describe('createDrainer', () => {
  it('publishes under the same name and id, and settles in the inbox', async () => {
    const { bus, drainer, inbox, outcomes, isDrained } = await drain(['a', 'b'])
    await isDrained()
    expect(bus.events.map(({ id, name }) => `${name} ${id}`)).toEqual([
      'doorbell/bell.rung a',
      'doorbell/bell.rung b',
    ])
    expect(outcomes()).toEqual(['done', 'done'])
    const published = await inbox.published({ limit: 10 })
    expect(published.map(({ event, route }) => [event.id, route])).toEqual([
      ['a', 'queue'],
      ['b', 'queue'],
    ])
    // The notification that was owed is due.
    expect((await inbox.stats()).notifications.pending).toBe(2)
    await drainer.stop()
  })

  it('publishes the events that arrive together in one batch', async () => {
    const { publisher, batches } = failing()
    const { drainer, isDrained } = await drain(['a', 'b', 'c'], { publisher })
    await isDrained()
    expect(batches).toEqual([['a', 'b', 'c']])
    await drainer.stop()
  })

  it('publishes the events of a subject one after the other, also after a failure', async () => {
    const { publisher, bus, batches } = failing(refuse(true))
    const { drainer, queue, isDrained } = await drain([], { publisher })
    await queue.publish(
      ['1', '2', '3'].map((id) => createEvent(`0@${id}`, 0, { subject: 'front' })),
      signal,
    )
    await isDrained()
    expect(bus.events.map(({ id }) => id)).toEqual(['1', '2', '3'])
    expect(batches[1]).toEqual(['1'])
    await drainer.stop()
  })

  it('holds at most maxInFlight events while the bus is unavailable, and publishes all later', async () => {
    const bus = createMemoryBus()
    const asked = new Set<string>()
    let isDown = true
    const publisher: Publisher = {
      publish(events, stop) {
        for (const { id } of events) asked.add(id)
        return isDown ? away() : bus.publish(events, stop)
      },
    }
    const ids = Array.from({ length: 20 }, (_, index) => `event ${index}`)
    const { drainer, outcomes, isDrained } = await drain(ids, { publisher, maxInFlight: 3 })
    await vi.waitFor(() => {
      expect(outcomes().length).toBeGreaterThan(10)
    })
    expect([...asked]).toEqual(ids.slice(0, 3))
    isDown = false
    await isDrained()
    expect(bus.events).toHaveLength(20)
    await drainer.stop()
  })

  it('waits at most 20 seconds between two attempts', async () => {
    let time = 0
    const delays: number[] = []
    const handle = createHandler({ publisher: { publish: away }, random: () => 0.999, now: () => time })
    const event = queued('a')
    for (; delays.length < 12; time += 20_000) {
      const error = await handle(event, signal).catch((reason: unknown) => reason)
      delays.push((error as { retryAfterMs: number }).retryAfterMs)
    }
    expect(Math.max(...delays)).toBe(19_980)
  })

  it('waits for as long as the bus asks', async () => {
    const slow = () =>
      Promise.resolve([{ ok: false, retryable: true, error: 'slow', retryAfterMs: 60_000 }] as const)
    const handle = createHandler({ publisher: { publish: slow }, random: () => 0.002 })
    await expect(handle(queued('a'), signal)).rejects.toMatchObject({ retryAfterMs: 60_000 })
  })

  it('retries an event of a rejected batch alone', async () => {
    const { publisher, bus, batches } = failing(away)
    const { drainer, outcomes, isDrained } = await drain(['a', 'b'], { publisher })
    await isDrained()
    expect(batches).toEqual([['a', 'b'], ['a'], ['b']])
    expect(outcomes()).toEqual(['retry', 'retry', 'done', 'done'])
    expect(bus.events).toHaveLength(2)
    await drainer.stop()
  })

  it('publishes an event again when the inbox failed', async () => {
    const inner = createMemoryInbox()
    const forwarded = vi
      .fn<CompleteInbox['forwarded']>((ids) => inner.forwarded(ids))
      .mockImplementationOnce(away)
    const { publisher, bus, batches } = failing()
    const { drainer, errors, outcomes, isDrained } = await drain(['a'], {
      publisher,
      inbox: { ...inner, forwarded },
    })
    await isDrained()
    expect([batches, outcomes(), errors]).toEqual([[['a'], ['a']], ['done'], [new Error('away')]])
    expect(bus.events).toHaveLength(1)
    await drainer.stop()
  })

  it('stores each failure in the inbox', async () => {
    const { publisher } = failing(refuse(true), away)
    const { drainer, attempts, states, isDrained } = await drain(['a'], { publisher })
    await isDrained()
    expect(attempts.map((one) => [one.outcome.status, one.attempts])).toEqual([
      ['retry', 1],
      ['retry', 2],
      ['done', 3],
    ])
    const [state] = await states()
    expect(state?.failures.map(({ error }) => error)).toEqual(['The bus refuses it', 'Error'])
    await drainer.stop()
  })

  it('retries when the inbox cannot store the failure', async () => {
    const { publisher, bus } = failing(refuse(true))
    const inbox = { ...createMemoryInbox(), postponed: away }
    const { drainer, errors, isDrained } = await drain(['a'], { publisher, inbox })
    await isDrained()
    expect(errors).toEqual([new Error('away')])
    expect(bus.events).toHaveLength(1)
    await drainer.stop()
  })

  it('creates a dead letter after a final failure', async () => {
    const { publisher, bus } = failing(refuse(false))
    const { drainer, inbox, queue, outcomes, states, isDrained } = await drain(['a'], { publisher })
    await isDrained()
    expect(outcomes()).toEqual(['dead'])
    const [state] = await states()
    expect([state?.status, state?.failures.map(({ error }) => error)]).toEqual([
      'dead',
      ['The bus refuses it'],
    ])
    expect([bus.events, queue.dead]).toEqual([[], []])
    expect((await inbox.stats()).events).toEqual({ pending: 0, queued: 0, dead: 1 })
    await drainer.stop()
  })

  it('creates a dead letter a day after the event was due first', async () => {
    let time = Date.now()
    const abandoned: unknown[] = []
    const inbox = {
      ...createMemoryInbox(),
      abandoned: (failures: readonly unknown[]) =>
        Promise.resolve(abandoned.push(...failures) > 0 ? [true] : []),
    }
    const handle = createHandler({ inbox, publisher: { publish: away }, now: () => time, random: () => 0.5 })
    const event = queued('a')
    // An attempt counts for a minute at most, whatever the clock says.
    for (let minute = 0; minute < 24 * 60; minute++, time += 60_000)
      await expect(handle(event, signal)).rejects.toThrow('Error')
    expect(abandoned).toEqual([])
    await handle(event, signal)
    expect(abandoned).toEqual([{ id: 'a', error: 'Error' }])
  })

  it('retries final failures without an inbox', async () => {
    const queue = createMemoryQueue()
    const { publisher, bus } = failing(refuse(false), refuse(false))
    const drainer = createDrainer({ consumer: queue.consumer, publisher, random: () => 0.002 })
    // No dispatcher has enqueued it.
    await queue.publish([createEvent('a', 0)], signal)
    await drainer.start()
    await vi.waitFor(() => {
      expect(bus.events.map(({ id }) => id)).toEqual(['a'])
    })
    await drainer.stop()
  })

  it('fails an attempt after its timeout', async () => {
    const { publisher, bus } = failing(never)
    const { drainer, attempts, isDrained } = await drain(['a'], { publisher, timeoutMs: 10 })
    await isDrained()
    expect(attempts[0]?.outcome).toMatchObject({
      status: 'retry',
      error: expect.stringMatching(/^TimeoutError/) as string,
    })
    expect(bus.events).toHaveLength(1)
    await drainer.stop()
  })

  it('returns waiting events at its stop', async () => {
    const { drainer, queue, outcomes } = await drain(['a', 'b'], {
      ...{ publisher: { publish: away }, random: () => 0.9 },
    })
    await vi.waitFor(() => {
      expect(outcomes()).toEqual(['retry', 'retry'])
    })
    await drainer.stop()
    expect(queue.ids()).toHaveLength(2)
  })

  it('reports a message that is not an event', async () => {
    const onError = vi.fn()
    createHandler({ publisher: createMemoryBus(), onError }, (options) =>
      options.onDeadLetter?.('The message is not an event'),
    )
    expect(onError).toHaveBeenCalledWith(
      new TypeError('A message of the shared queue was dropped: The message is not an event'),
    )
  })

  it.each<[string, Partial<DrainerOptions>]>([
    ['publisher.publish must be a function', { publisher: {} as never }],
    ['inbox.abandoned must be a function', { inbox: { forwarded: () => [] } as never }],
    ['timeoutMs must be an integer', { timeoutMs: '5000' as never }],
    ['maxInFlight must be an integer', { maxInFlight: 0 }],
  ])('rejects an invalid option: %s', (message, wrong) => {
    const create = () => createHandler({ publisher: createMemoryBus(), ...wrong })
    expect(create).toThrow(TypeError)
    expect(create).toThrow(message)
  })
})

type Handler = (event: WebhookEvent, signal: AbortSignal) => Promise<unknown>

/** Creates a drainer and returns the handler that it gives to its consumer. */
function createHandler(
  options: Omit<DrainerOptions, 'consumer'>,
  use: (options: Parameters<DrainerOptions['consumer']>[0]) => unknown = () => undefined,
): Handler {
  const handlers: unknown[] = []
  createDrainer({
    ...options,
    consumer: (given) => {
      handlers.push(given.handlers)
      use(given)
      return { start: () => Promise.resolve(), stop: () => Promise.resolve() }
    },
  })
  return handlers[0] as Handler
}
