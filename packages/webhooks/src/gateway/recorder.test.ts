import { SallyportError } from '@sallyport/errors'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { bytesOf, doorbell, never, openGateway, receivedAt, rung, type Opened } from '../../test/doorbell.ts'
import {
  defineProvider,
  memoryBus,
  memoryInbox,
  type Dispatcher,
  type CompleteInbox,
  type Place,
  type Publisher,
  type PublishResult,
} from '../index.ts'

afterEach(() => {
  vi.useRealTimers()
})
const fakeTimers = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
const unavailable = { status: 503, said: 'INBOX_UNAVAILABLE', headers: { 'Retry-After': '5' } }

describe('without an inbox', () => {
  const publishing = (publish: Publisher['publish'], more = {}): Opened =>
    openGateway({ publisher: { publish }, ...more })

  it('an event is published before it is answered, and a second time told as a duplicate', async () => {
    const bus = memoryBus()
    const gate = Promise.withResolvers<undefined>()
    let answered = false
    const { deliver } = publishing(async (events, signal) => {
      await gate.promise
      expect(answered).toBe(false)
      return bus.publish(events, signal)
    })
    const answering = deliver().finally(() => (answered = true))
    await new Promise((resolve) => setImmediate(resolve))
    expect(answered).toBe(false)
    gate.resolve(undefined)
    expect(await answering).toMatchObject({ said: 'accepted', events: [{ duplicate: false }] })
    expect(bus.events.map(({ id }) => id)).toEqual(['doorbell:bell.rung:1'])
    answered = false
    expect(await deliver()).toMatchObject({ said: 'duplicate', events: [{ duplicate: true }] })
    expect(bus.events).toHaveLength(1)
  })

  it('a bus that does not know duplicates accepts every delivery', async () => {
    const { deliver } = publishing(async (events) => events.map(() => ({ ok: true })))
    expect((await deliver()).said).toBe('accepted')
    expect((await deliver()).said).toBe('accepted')
  })

  const ok: PublishResult = { ok: true }
  const no: PublishResult = { ok: false, retryable: true, error: 'it is full' }
  const final: PublishResult = { ok: false, retryable: false, error: 'never' }
  const failures: [string, Publisher['publish']][] = [
    ['rejects', () => Promise.reject(new Error('away'))],
    [
      'throws',
      () => {
        throw new Error('away')
      },
    ],
    ['fails for one event', async () => [ok, no]],
    ['will never take one event', async () => [final, ok]],
    ['answers for fewer events', async () => [ok]],
    ['answers nothing', async () => undefined as never],
    ['leaves a hole in its answer', async () => [undefined, ok] as never],
  ]
  const two = ['a', 'b'].map((door) => ({
    kind: 'bell.rung' as const,
    key: [door],
    subject: door,
    data: { door },
  }))
  it.each(failures)('a bus that %s is 503, so that the sender tries again', async (_, publish) => {
    const { deliver, observed } = publishing(publish, {
      providers: [{ ...doorbell, normalize: () => two }],
    })
    expect(await deliver()).toMatchObject(unavailable)
    expect(observed[0]).toMatchObject({ code: 'INBOX_UNAVAILABLE', error: expect.anything() as unknown })
  })

  it('a bus that hangs is 503 when its time is up, and is told so', async () => {
    fakeTimers()
    const signals: AbortSignal[] = []
    const { deliver } = publishing(
      (_, signal) => {
        signals.push(signal)
        return never()
      },
      { publishTimeoutMs: 700 },
    )
    let answered = false
    const answering = deliver().finally(() => (answered = true))
    await vi.advanceTimersByTimeAsync(699)
    expect([answered, signals[0]?.aborted]).toEqual([false, false])
    await vi.advanceTimersByTimeAsync(1)
    expect(await answering).toMatchObject(unavailable)
    expect(signals[0]?.aborted).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('what cannot be read is left with the sender, and nothing is published', async () => {
    const bus = memoryBus()
    const { deliver, observed } = openGateway({ publisher: bus })
    expect(await deliver({ body: bytesOf({ kind: 'broken', id: 'x' }) })).toMatchObject(unavailable)
    expect(observed[0]).toMatchObject({ outcome: 'refused', reason: 'NORMALIZER_FAILED' })
    expect((await deliver({ body: bytesOf({ kind: 'polished' }) })).said).toBe('ignored')
    expect(bus.events).toEqual([])
  })
})

describe('with an inbox', () => {
  /** Remembers what became of the room that it gave. */
  function dispatcherOf(ends: string[]): Dispatcher {
    const place: Place = {
      leaseMs: 1234,
      fill: ({ events }) => ends.push(`filled ${String(events[0]?.lease !== undefined)}`),
      giveUp: () => ends.push('given up'),
    }
    return {
      notifies: false,
      reserve: () => place,
      wake: () => undefined,
      start: () => undefined,
      stop: async () => undefined,
    }
  }

  it('what is recorded is leased for the dispatcher', async () => {
    const ends: string[] = []
    const inbox = memoryInbox()
    const leases: unknown[] = []
    const { deliver } = openGateway({
      dispatcher: dispatcherOf(ends),
      inbox: {
        ...inbox,
        record: (record, how) => {
          leases.push(how?.leaseMs)
          return inbox.record(record, how)
        },
      },
    })
    expect((await deliver()).said).toBe('accepted')
    expect((await deliver()).said).toBe('duplicate')
    expect(leases).toEqual([1234, 1234])
    expect(ends).toEqual(['filled true', 'filled false'])
  })

  it('what is old and known is a duplicate, and what is old and new is quarantined', async () => {
    // The redelivery of a dead letter was once quarantined when a limit had been set meanwhile.
    const day = 24 * 60 * 60 * 1000
    const old = defineProvider({
      ...doorbell,
      normalize: ({ payload }) =>
        (payload as { ids: string[] }).ids.map((id) => {
          const occurredAt = id === 'fresh' ? receivedAt : 0
          return { kind: 'bell.rung', key: [id], subject: 's', occurredAt, data: { door: id } } as const
        }),
    })
    const inner = memoryInbox()
    let isAway = false
    const inbox: CompleteInbox = {
      ...inner,
      known: (ids) => (isAway ? Promise.reject(new Error('away')) : inner.known(ids)),
    }
    const before = openGateway({ providers: [old], inbox })
    const after = openGateway({ providers: [old], inbox, maxEventAgeMs: day })
    const send = async ({ deliver }: Opened, ...ids: string[]) =>
      (await deliver({ body: bytesOf({ ids }) })).said
    expect(await send(before, 'a', 'b')).toBe('accepted')
    expect(await send(after, 'b', 'a')).toBe('duplicate')
    expect(await send(after, 'a', 'fresh')).toBe('accepted')
    expect(await send(after, 'a', 'c')).toBe('quarantined')
    isAway = true
    expect(await send(after, 'a')).toBe('INBOX_UNAVAILABLE')
  })

  it('a store that hangs when it is asked what it knows is 503 after 10 seconds', async () => {
    fakeTimers()
    const asked = Promise.withResolvers<undefined>()
    const dated = defineProvider({
      ...doorbell,
      normalize: () =>
        ({ kind: 'bell.rung', key: ['a'], subject: 's', occurredAt: 0, data: { door: 'a' } }) as const,
    })
    const known: CompleteInbox['known'] = () => {
      asked.resolve(undefined)
      return never()
    }
    const { deliver, observed, recorded } = openGateway({
      ...{ providers: [dated], maxEventAgeMs: 1000 },
      inbox: { ...memoryInbox(), known },
    })
    const answering = deliver()
    await asked.promise
    await vi.advanceTimersByTimeAsync(9999)
    expect(observed).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(await answering).toMatchObject(unavailable)
    expect(observed[0]?.error).toMatchObject({ name: 'TimeoutError' })
    expect(recorded).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  // What happened any time ago is younger than no number at all: nothing was too old.
  it.each([Number.NaN, 0, -1, 1.5, '5'])('a limit of age of %j is none', (maxEventAgeMs) => {
    expect(() => openGateway({ maxEventAgeMs: maxEventAgeMs as number })).toThrow(
      new TypeError('maxEventAgeMs must be an integer of at least 1'),
    )
    openGateway({ maxEventAgeMs: Infinity })
  })

  it('a refusal with a code of its own is answered with it, and the room given up', async () => {
    const ends: string[] = []
    const refusal = new SallyportError('OVERLOADED', 'Later')
    const { deliver } = openGateway({
      dispatcher: dispatcherOf(ends),
      inbox: { ...memoryInbox(), record: () => Promise.reject(refusal) },
    })
    expect(await deliver()).toMatchObject({ status: 503, said: 'OVERLOADED' })
    expect(ends).toEqual(['given up'])
  })

  it('a store that hangs is 503 after 10 seconds, with its room and bytes given back', async () => {
    fakeTimers()
    const ends: string[] = []
    let hanging = true
    const inbox = memoryInbox()
    const body = rung()
    const { deliver, observed } = openGateway({
      dispatcher: dispatcherOf(ends),
      limits: { bytesInFlight: body.length },
      inbox: { ...inbox, record: (record, how) => (hanging ? never() : inbox.record(record, how)) },
    })
    const answering = deliver({ body })
    await vi.advanceTimersByTimeAsync(9999)
    expect((await deliver({ body })).said).toBe('OVERLOADED')
    await vi.advanceTimersByTimeAsync(1)
    expect(await answering).toMatchObject(unavailable)
    expect(observed.at(-1)?.error).toMatchObject({ name: 'TimeoutError' })
    expect(ends).toEqual(['given up'])
    hanging = false
    expect((await deliver({ body })).said).toBe('accepted')
    expect(vi.getTimerCount()).toBe(0)
  })
})
