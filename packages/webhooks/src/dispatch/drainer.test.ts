import { createDelivery, createEvent, listEventIds, settleAll } from '@sallyport/testing'
import { describe, expect, it, vi } from 'vitest'
import { useOwnClock } from '../../test/own-clock.ts'
import {
  type Attempt,
  createDrainer,
  type DrainerOptions,
  type CompleteInbox,
  memoryBus,
  memoryInbox,
  memoryQueue,
  type Publisher,
  type Queue,
} from '../index.ts'

const { signal } = new AbortController()
const day = 24 * 60 * 60 * 1000
const away = () => Promise.reject(new Error('away'))

const pass = useOwnClock()

/** A queue with events that an inbox has recorded, and a drainer that runs. */
async function drain(
  ids: readonly string[],
  options: Partial<DrainerOptions> & { inbox?: CompleteInbox } = {},
) {
  const recorded = memoryInbox()
  const queue = memoryQueue()
  const bus = memoryBus()
  const attempts: Attempt[] = []
  const errors: unknown[] = []
  const events = ids.map((id) => createEvent(id, Date.now()))
  const delivery = createDelivery(
    Date.now(),
    ...events.map((event) => ({ event, route: 'queue', notify: true }) as const),
  )
  if (ids.length > 0) await recorded.record(delivery)
  await settleAll(recorded, { status: 'queued', redeliverAfterMs: 10 * day })
  await queue.enqueue(events, signal)
  const drainer = createDrainer({
    ...{ queue, publisher: bus, inbox: recorded, random: () => 0.5 },
    onAttempt: (attempt) => attempts.push(attempt),
    onError: (error) => errors.push(error),
    ...options,
  })
  drainer.start()
  await pass(10)
  return {
    ...{ queue, bus, drainer, errors, inbox: recorded },
    outcomes: () => attempts.map(({ outcome }) => outcome.status),
    states: async () => (await recorded.get(delivery.id))?.events ?? [],
    left: () => queue.receive({ limit: 10, signal }),
  }
}

/** A bus that answers once for each of these, and then as one that works. */
function failing(...failures: readonly (() => ReturnType<Publisher['publish']>)[]) {
  const bus = memoryBus()
  const left = [...failures]
  const publisher: Publisher = { publish: (events, stop) => left.shift()?.() ?? bus.publish(events, stop) }
  return { bus, publisher }
}
const refuse = (retryable: boolean) => () =>
  Promise.resolve([{ ok: false, retryable, error: 'The bus refuses it' }] as const)

describe('createDrainer', () => {
  it('publishes everything within 30 seconds of the end of an outage', async () => {
    const bus = memoryBus()
    let isDown = true
    let attempts = 0
    const publisher: Publisher = {
      publish(events, stop) {
        attempts += events.length
        return isDown ? away() : bus.publish(events, stop)
      },
    }
    const ids = Array.from({ length: 300 }, (_, index) => `event ${index}`)
    const { drainer } = await drain(ids, { publisher, random: () => 0.99, batchSize: 10 })
    await pass(600_000)
    // At most one batch per second.
    expect(attempts).toBeLessThan(7000)
    isDown = false
    await pass(30_000)
    expect(bus.events.length).toBe(300)
    await drainer.stop()
  })

  it('publishes under the same name and id, and settles in the inbox', async () => {
    const { bus, drainer, inbox, outcomes, left } = await drain(['a', 'b'])
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
    await pass(15_000)
    expect(await left()).toEqual([])
    await drainer.stop()
  })

  it('receives an enqueued event at once', async () => {
    const { queue, bus, drainer } = await drain([], { pollMs: 60_000 })
    await queue.enqueue([createEvent('late', 0)], signal)
    await pass(10)
    expect(bus.events.map(({ id }) => id)).toEqual(['late'])
    await drainer.stop()
  })

  it('receives again after each event and after an empty wait', async () => {
    const { queue, bus, drainer } = await drain([], { pollMs: 60_000 })
    const arrivals = async (id: string) => {
      await queue.enqueue([createEvent(id, 0)], signal)
      await pass(10)
      return bus.events.at(-1)?.id
    }
    expect(await arrivals('first')).toBe('first')
    expect(await arrivals('second')).toBe('second')
    // Longer than it waits for the queue, and shorter than a poll.
    await pass(20_000)
    expect(await arrivals('third')).toBe('third')
    await drainer.stop()
  })

  it('continues to receive while the bus is slow', async () => {
    const gate = Promise.withResolvers<undefined>()
    const bus = memoryBus()
    const publisher: Publisher = {
      async publish(events, stop) {
        if (events[0]?.id === 'slow') await gate.promise
        return bus.publish(events, stop)
      },
    }
    const { queue, drainer } = await drain(['slow'], { publisher, pollMs: 60_000 })
    await queue.enqueue([createEvent('quick', 0)], signal)
    await pass(10)
    expect(bus.events.map(({ id }) => id)).toEqual(['quick'])
    gate.resolve(undefined)
    await pass(10)
    expect(bus.events.map(({ id }) => id)).toEqual(['quick', 'slow'])
    await drainer.stop()
  })

  it('publishes an event again when the inbox failed', async () => {
    const inner = memoryInbox()
    const told: string[] = []
    const forwarded = vi
      .fn<CompleteInbox['forwarded']>((ids) => inner.forwarded(ids))
      .mockImplementationOnce(away)
    const { publisher, bus } = failing()
    const { drainer, errors, left, outcomes } = await drain(['a'], {
      publisher: {
        publish: (events, stop) => {
          told.push(...events.map(({ id }) => id))
          return publisher.publish(events, stop)
        },
      },
      inbox: { ...inner, forwarded },
    })
    expect(errors).toHaveLength(1)
    expect([told, outcomes()]).toEqual([['a'], []])
    await pass(16_000)
    expect([told, outcomes()]).toEqual([['a', 'a'], ['done']])
    expect(forwarded).toHaveBeenCalledTimes(2)
    expect(bus.events).toHaveLength(1)
    expect(await left()).toEqual([])
    await drainer.stop()
  })

  it('retries a failure with back-off', async () => {
    const { publisher, bus } = failing(refuse(true), away)
    const { drainer, outcomes, states } = await drain(['a'], { publisher })
    expect(outcomes()).toEqual(['retry'])
    expect((await states()).map(({ status }) => status)).toEqual(['queued'])
    await pass(5000)
    expect(outcomes()).toEqual(['retry', 'retry', 'done'])
    expect(bus.events).toHaveLength(1)
    const [state] = await states()
    expect([state?.attempts, state?.failures.map(({ error }) => error)]).toEqual([
      2,
      ['The bus refuses it', 'Error'],
    ])
    await drainer.stop()
  })

  it('retries in time when the inbox cannot store the failure', async () => {
    const { publisher, bus } = failing(refuse(true))
    const { drainer, errors, outcomes } = await drain(['a'], {
      publisher,
      inbox: { ...memoryInbox(), postponed: away },
    })
    expect([outcomes(), errors]).toEqual([['retry'], [new Error('away')]])
    await pass(5000)
    expect(bus.events).toHaveLength(1)
    await drainer.stop()
  })

  it('creates a dead letter after a final failure', async () => {
    const { publisher, bus } = failing(refuse(false))
    const { drainer, inbox, outcomes, states, left } = await drain(['a'], { publisher })
    expect(outcomes()).toEqual(['dead'])
    const [state] = await states()
    expect([state?.status, state?.failures.map(({ error }) => error)]).toEqual([
      'dead',
      ['The bus refuses it'],
    ])
    await pass(20_000)
    expect(await left()).toEqual([])
    expect(bus.events).toEqual([])
    expect((await inbox.stats()).events).toEqual({ pending: 0, queued: 0, dead: 1 })
    await drainer.stop()
  })

  it('creates a dead letter a day after the event was enqueued', async () => {
    const { drainer, outcomes, states } = await drain(['a'], { publisher: { publish: away }, pollMs: 60_000 })
    await pass(day - 3_600_000)
    expect(new Set(outcomes())).toEqual(new Set(['retry']))
    await pass(3_700_000)
    expect(outcomes().at(-1)).toBe('dead')
    expect((await states()).map(({ status }) => status)).toEqual(['dead'])
    await drainer.stop()
  })

  it('leaves failed events in the queue without an inbox', async () => {
    const { publisher, bus } = failing(refuse(false), refuse(false))
    const queue = memoryQueue()
    const outcomes: string[] = []
    await queue.enqueue([createEvent('a', 0)], signal)
    const drainer = createDrainer({
      ...{ queue, publisher, random: () => 0.5, now: () => Date.now() + 10 * day },
      onAttempt: ({ outcome }) => outcomes.push(outcome.status),
    })
    drainer.start()
    await pass(20_000)
    expect(outcomes).toEqual(['retry', 'retry', 'done'])
    expect(bus.events).toHaveLength(1)
    await drainer.stop()
  })

  it('returns waiting events at its stop', async () => {
    const gate = Promise.withResolvers<undefined>()
    const { drainer, outcomes, left } = await drain(['a', 'b', 'c'], {
      ...{ batchSize: 1, concurrency: 1 },
      publisher: {
        publish: async (events) => {
          await gate.promise
          return events.map(() => ({ ok: true }))
        },
      },
      pollMs: 100,
    })
    await pass(1000)
    const stopped = drainer.stop()
    gate.resolve(undefined)
    await stopped
    expect(outcomes()).toEqual(['done'])
    expect(listEventIds(await left()).sort()).toEqual(['b', 'c'])
  })

  it('continues after failures of the queue', async () => {
    const queue = memoryQueue()
    const receive = vi.fn<Queue['receive']>((how) => queue.receive(how)).mockImplementationOnce(away)
    const { bus, drainer, errors } = await drain([], { queue: { ...queue, receive } })
    await queue.enqueue([createEvent('a', 0)], signal)
    expect(bus.events).toEqual([])
    await pass(1100)
    expect(errors).toHaveLength(1)
    expect(bus.events).toHaveLength(1)
    await drainer.stop()
  })

  it('reports an event that another process received as lost', async () => {
    const queue = memoryQueue()
    const { drainer, outcomes, errors } = await drain([], {
      queue: {
        ...queue,
        receive: async (how) =>
          (await queue.receive(how)).map((received) => ({
            ...received,
            ack: () => (received.event.id === 'lost' ? Promise.resolve(false) : away()),
          })),
      },
    })
    await queue.enqueue([createEvent('lost', 0), createEvent('away', 0)], signal)
    await pass(10)
    expect(outcomes()).toEqual(['lost', 'lost'])
    expect(errors).toHaveLength(1)
    await drainer.stop()
  })

  it('rejects a queue whose leases an attempt could outlive', () => {
    const queue = memoryQueue({ leaseMs: 5000 })
    expect(() => createDrainer({ queue, publisher: memoryBus() })).toThrow(TypeError)
  })

  it('rejects an incomplete publisher', () => {
    const create = () => createDrainer({ queue: memoryQueue(), publisher: {} as never })
    expect(create).toThrow(new TypeError('publisher.publish must be a function'))
  })

  it('rejects an inbox without the methods of the drainer', () => {
    const create = () =>
      createDrainer({ queue: memoryQueue(), publisher: memoryBus(), inbox: { forwarded: () => [] } as never })
    expect(create).toThrow(new TypeError('inbox.abandoned must be a function'))
  })

  it.each<[string, Partial<DrainerOptions>]>([
    ['batchSize', { batchSize: NaN }],
    ['concurrency', { concurrency: 0 }],
    ['timeoutMs', { timeoutMs: '5000' as never }],
    ['pollMs', { pollMs: NaN }],
    ['queue.leaseMs', { queue: { ...memoryQueue(), leaseMs: NaN } }],
  ])('rejects an invalid option: %s', (name, wrong) => {
    const create = () => createDrainer({ queue: memoryQueue(), publisher: memoryBus(), ...wrong })
    expect(create).toThrow(TypeError)
    expect(create).toThrow(`${name} must be an integer`)
  })
})
