import { SallyportError } from '@sallyport/errors'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  encodeBody,
  doorbell,
  never,
  openGateway,
  receivedAt,
  rung,
  signature,
  type Opened,
} from '../../test/doorbell.ts'
import {
  defineProvider,
  defineService,
  createMemoryBus,
  createMemoryInbox,
  parseFormJson,
  type AnyProvider,
  type Dispatcher,
  type CompleteInbox,
  type Publisher,
  type PublishResult,
} from '../index.ts'
import type { Reservation } from '../dispatch/dispatcher.ts'

afterEach(() => {
  vi.useRealTimers()
})
const fakeTimers = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
const unavailable = { status: 503, said: 'INBOX_UNAVAILABLE', headers: { 'Retry-After': '5' } }

describe('gateway without an inbox', () => {
  const publishing = (publish: Publisher['publish'], more = {}): Opened =>
    openGateway({ publisher: { publish }, ...more })

  it('publishes an event before the response and reports a duplicate', async () => {
    const bus = createMemoryBus()
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

  it('accepts every delivery when the bus does not report duplicates', async () => {
    const { deliver } = publishing(async (events) => events.map(() => ({ ok: true })))
    expect((await deliver()).said).toBe('accepted')
    expect((await deliver()).said).toBe('accepted')
  })

  const ok: PublishResult = { ok: true }
  const no: PublishResult = { ok: false, retryable: true, error: 'it is full' }
  const final: PublishResult = { ok: false, retryable: false, error: 'never' }
  const failures: [string, Publisher['publish']][] = [
    ['rejects', () => Promise.reject(new Error('unavailable'))],
    [
      'throws',
      () => {
        throw new Error('unavailable')
      },
    ],
    ['fails for one event', async () => [ok, no]],
    ['rejects one event permanently', async () => [final, ok]],
    ['returns fewer results', async () => [ok]],
    ['returns undefined', async () => undefined as never],
    ['returns a list with a hole', async () => [undefined, ok] as never],
  ]
  const two = ['a', 'b'].map((door) => ({
    kind: 'bell.rung' as const,
    key: [door],
    subject: door,
    data: { door },
  }))
  it.each(failures)('answers 503 when the bus %s', async (_, publish) => {
    const { deliver, observed } = publishing(publish, {
      providers: [{ ...doorbell, normalize: () => two }],
    })
    expect(await deliver()).toMatchObject(unavailable)
    expect(observed[0]).toMatchObject({ code: 'INBOX_UNAVAILABLE', error: expect.anything() as unknown })
  })

  it('aborts the publisher and answers 503 at the timeout', async () => {
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

  it('answers 503 for an unreadable delivery and publishes nothing', async () => {
    const bus = createMemoryBus()
    const { deliver, observed } = openGateway({ publisher: bus })
    const answer = await deliver({ body: encodeBody({ kind: 'broken', id: 'x' }) })
    expect(answer).toMatchObject({ ...unavailable, said: 'PROVIDER_UNAVAILABLE' })
    expect(answer.text).toContain('The delivery cannot be read: try again')
    const error = expect.objectContaining({ message: 'Error' }) as unknown
    expect(observed[0]).toMatchObject({ outcome: 'refused', reason: 'NORMALIZER_FAILED', error })
    expect((await deliver({ body: encodeBody({ kind: 'polished' }) })).said).toBe('ignored')
    expect(bus.events).toEqual([])
  })
})

describe('an event of a service', () => {
  const text = '{"action":"opened","items":[{"action":"closed"}]}'
  const options = { name: 'github', signature, kind: 'action', parse: parseFormJson('payload') } as const
  const service = defineService(options)
  const changing: AnyProvider = {
    ...service,
    normalize(delivery) {
      Reflect.deleteProperty(delivery.payload as object, 'items')
      return service.normalize(delivery)
    },
  }
  const validated: AnyProvider = {
    ...service,
    events: {
      opened: {
        '~standard': {
          version: 1,
          vendor: 'in place',
          validate(value) {
            Reflect.deleteProperty(value as object, 'items')
            return { value }
          },
        },
      },
    },
  }

  it.each<[data: string, provider: AnyProvider, body: string, isBody: boolean]>([
    ['the body', service, text, true],
    ['a field of a form', service, `payload=${encodeURIComponent(text)}`, false],
    ['a part of the body', defineService({ ...options, events: 'items.*' }), text, false],
    ['the value of another parser', { ...service, parse: () => ({ action: 'opened' }) }, text, false],
    ['a changed body', changing, text, false],
    ['a body with a large integer', service, '{"action":"opened","id":9007199254740993}', false],
    [
      'a body with a rounded integer',
      { ...service, largeIntegers: 'number' },
      '{"action":"opened","id":9007199254740993}',
      true,
    ],
    ['the value of a schema', validated, text, false],
  ])('is recorded with %s as its data', async (_, provider, body, isBody) => {
    const { deliver, recorded } = openGateway({ providers: [provider] })
    expect((await deliver({ provider: 'github', body: encodeBody(body) })).said).toBe('accepted')
    expect(recorded[0]?.record.events.map(({ dataIsBody = false }) => dataIsBody)).toEqual([isBody])
  })
})

describe('gateway with an inbox', () => {
  /** A dispatcher that lists the results of its reservation. */
  function createReserver(ends: string[]): Dispatcher {
    const reservation: Reservation = {
      leaseMs: 1234,
      fill: ({ events }) => ends.push(`filled ${String(events[0]?.lease !== undefined)}`),
      giveUp: () => ends.push('given up'),
    }
    return {
      notifies: false,
      reserve: () => reservation,
      wake: () => undefined,
      start: () => undefined,
      stop: async () => undefined,
    }
  }

  it('leases recorded events for the dispatcher', async () => {
    const ends: string[] = []
    const inbox = createMemoryInbox()
    const leases: unknown[] = []
    const { deliver } = openGateway({
      dispatcher: createReserver(ends),
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

  it('quarantines an old event unless the inbox has it', async () => {
    // Regression: the redelivery of a dead letter was quarantined after the limit was set.
    const day = 24 * 60 * 60 * 1000
    const old = defineProvider({
      ...doorbell,
      normalize: ({ payload }) =>
        (payload as { ids: string[] }).ids.map((id) => {
          const occurredAt = id === 'fresh' ? receivedAt : 0
          return { kind: 'bell.rung', key: [id], subject: 's', occurredAt, data: { door: id } } as const
        }),
    })
    const inner = createMemoryInbox()
    let isUnavailable = false
    const inbox: CompleteInbox = {
      ...inner,
      known: (ids) => (isUnavailable ? Promise.reject(new Error('unavailable')) : inner.known(ids)),
    }
    const before = openGateway({ providers: [old], inbox })
    const after = openGateway({ providers: [old], inbox, maxEventAgeMs: day })
    const send = async ({ deliver }: Opened, ...ids: string[]) =>
      (await deliver({ body: encodeBody({ ids }) })).said
    expect(await send(before, 'a', 'b')).toBe('accepted')
    expect(await send(after, 'b', 'a')).toBe('duplicate')
    expect(await send(after, 'a', 'fresh')).toBe('accepted')
    expect(await send(after, 'a', 'c')).toBe('quarantined')
    isUnavailable = true
    expect(await send(after, 'a')).toBe('INBOX_UNAVAILABLE')
  })

  it('answers 503 when `known` does not settle within 10 seconds', async () => {
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
      inbox: { ...createMemoryInbox(), known },
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

  // Regression: with NaN, no event was too old.
  it.each([Number.NaN, 0, -1, 1.5, '5'])('rejects maxEventAgeMs %j', (maxEventAgeMs) => {
    expect(() => openGateway({ maxEventAgeMs: maxEventAgeMs as number })).toThrow(
      new TypeError('maxEventAgeMs must be an integer of at least 1'),
    )
    openGateway({ maxEventAgeMs: Infinity })
  })

  it('answers with the error code of the inbox and cancels the reservation', async () => {
    const ends: string[] = []
    const refusal = new SallyportError('OVERLOADED', 'Later')
    const { deliver } = openGateway({
      dispatcher: createReserver(ends),
      inbox: { ...createMemoryInbox(), record: () => Promise.reject(refusal) },
    })
    expect(await deliver()).toMatchObject({ status: 503, said: 'OVERLOADED' })
    expect(ends).toEqual(['given up'])
  })

  it('releases the reservation and the bytes when `record` does not settle within 10 seconds', async () => {
    fakeTimers()
    const ends: string[] = []
    let hanging = true
    const inbox = createMemoryInbox()
    const body = rung()
    const { deliver, observed } = openGateway({
      dispatcher: createReserver(ends),
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
