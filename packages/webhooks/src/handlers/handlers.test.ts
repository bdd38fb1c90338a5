import { createDelivery, createEvent } from '@sallyport/testing'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { doorbell, never, signature } from '../../test/doorbell.ts'
import {
  createDispatcher,
  defineProvider,
  handlers,
  type InternalEvent,
  memoryInbox,
  NonRetryableError,
  type Provider,
} from '../index.ts'
import { testPublisher } from '../testing/publisher-suite.ts'

const { signal } = new AbortController()
const named = (name: string, id = name): InternalEvent => createEvent(id, 0, { name })

const seen = new WeakMap<object, string[]>()
for (const [title, concurrency] of [
  ['sequential handlers', 1],
  ['concurrent handlers', 4],
] as const) {
  describe(title, () => {
    testPublisher(
      { describe, expect, it },
      {
        create() {
          const ids: string[] = []
          const publisher = handlers({ 'doorbell/bell.rung': ({ id }) => ids.push(id) }, { concurrency })
          seen.set(publisher, ids)
          return publisher
        },
        published: (publisher) => seen.get(publisher) ?? [],
        deduplicates: false,
        ordered: concurrency === 1,
        keepsObjects: true,
      },
    )
  })
}

describe('handlers', () => {
  it('passes each event to the handler of its name', async () => {
    const handled: string[] = []
    const byName = { 'a/b.c': ({ id }: InternalEvent) => handled.push(id) }
    const events = [named('a/b.c', '1'), named('a/b.d', '2'), named('toString', '3')]
    expect(await handlers(byName).publish(events, signal)).toEqual([{ ok: true }, { ok: true }, { ok: true }])
    expect(handled).toEqual(['1'])
    const refused = { ok: false, retryable: false, error: 'No handler for events of this name' }
    expect(await handlers(byName, { unhandled: 'refuse' }).publish(events, signal)).toEqual([
      { ok: true },
      refused,
      refused,
    ])
  })

  it('fails only the events whose handlers throw', async () => {
    const publisher = handlers({
      'a/was.fine': () => undefined,
      'a/has.thrown': () => {
        throw new TypeError('with something private')
      },
      'a/has.rejected': () => Promise.reject(Object.assign(new Error('private'), { code: 'ECONNREFUSED' })),
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- handlers can reject with any value
      'a/has.rejected_oddly': () => Promise.reject('private'),
      'a/was.final': () => Promise.reject(new NonRetryableError('private')),
      'a/was.final_below': () => {
        throw new Error('private', {
          cause: new Error('private', { cause: new NonRetryableError('private') }),
        })
      },
    })
    const names = [
      'has.thrown',
      'has.rejected',
      'has.rejected_oddly',
      'was.final',
      'was.final_below',
      'was.fine',
    ]
    const results = await publisher.publish(
      names.map((name) => named(`a/${name}`)),
      signal,
    )
    expect(results).toEqual([
      { ok: false, retryable: true, error: 'TypeError' },
      { ok: false, retryable: true, error: 'Error ECONNREFUSED' },
      { ok: false, retryable: true, error: 'Unknown error' },
      { ok: false, retryable: false, error: 'NonRetryableError NON_RETRYABLE' },
      { ok: false, retryable: false, error: 'Error' },
      { ok: true },
    ])
  })

  it('ends the search in a circle of causes', async () => {
    const circle = new Error('private')
    circle.cause = circle
    const publisher = handlers({ 'a/b.c': () => Promise.reject(circle) })
    expect(await publisher.publish([named('a/b.c')], signal)).toMatchObject([{ retryable: true }])
  })

  it.each(['name', 'code', 'cause'])(
    'fails an event whose error throws when its %s is read',
    async (member) => {
      const error = new Error('private')
      const get = () => {
        throw new Error('private')
      }
      Object.defineProperty(error, member, { get })
      const inbox = memoryInbox()
      const publisher = handlers({ 'doorbell/bell.rung': () => Promise.reject(error) })
      await inbox.record(createDelivery(Date.now(), 'a'))
      const outcomes: unknown[] = []
      const dispatcher = createDispatcher({
        ...{ inbox, publisher, random: () => 0.5 },
        onAttempt: ({ outcome }) => outcomes.push(outcome),
      })
      dispatcher.start()
      const description = member === 'cause' ? 'Error' : 'Unknown error'
      await expect.poll(() => outcomes).toEqual([{ status: 'retry', afterMs: 500, error: description }])
      await dispatcher.stop()
    },
  )

  it('limits concurrent handlers', async () => {
    let working = 0
    let most = 0
    const publisher = handlers(
      {
        'a/b.c': async () => {
          most = Math.max(most, ++working)
          await new Promise((resolve) => setImmediate(resolve))
          working--
        },
      },
      { concurrency: 3 },
    )
    await publisher.publish(
      Array.from({ length: 10 }, () => named('a/b.c')),
      signal,
    )
    expect(most).toBe(3)
    await publisher.publish([], signal)
    const wide = handlers({ 'a/b.c': () => undefined }, { concurrency: Number.MAX_SAFE_INTEGER })
    expect(await wide.publish([named('a/b.c')], signal)).toEqual([{ ok: true }])
  })

  it.each([
    ['concurrency', [NaN, Infinity, 0, 1.5], 'of at least 1'],
    ['timeoutMs', [NaN, Infinity, 0, -1, 1.5, 2 ** 31], 'from 1 to 2147483647'],
  ])('rejects a %s out of range', (name, values, range) => {
    for (const value of values) {
      expect(() => handlers({}, { [name]: value })).toThrow(
        new TypeError(`${name} must be an integer ${range}`),
      )
    }
  })

  it('rejects a handler that is not a function', () => {
    for (const handler of ['log', null, {}] as never[]) {
      const refused = new TypeError('The handler of a/b.c must be a function')
      expect(() => handlers({ 'a/b.c': handler })).toThrow(refused)
    }
    expect(() => handlers({ 'a/b.c': undefined })).not.toThrow()
  })

  it('returns finished results and aborts the other handlers at the timeout', async () => {
    vi.useFakeTimers()
    try {
      const started: string[] = []
      const signals: AbortSignal[] = []
      const publisher = handlers(
        {
          'a/was.quick': ({ id }) => started.push(id),
          'a/has.hung': ({ id }, stop) => {
            started.push(id)
            signals.push(stop)
            return never()
          },
        },
        { concurrency: 1, timeoutMs: 1000 },
      )
      const late = { ok: false, retryable: true, error: 'The handlers took too long' }
      const publishing = publisher.publish(
        ['a/was.quick', 'a/has.hung', 'a/was.quick'].map((name, index) => named(name, String(index))),
        signal,
      )
      await vi.advanceTimersByTimeAsync(1000)
      expect(await publishing).toEqual([{ ok: true }, late, late])
      expect([started, signals.map(({ aborted }) => aborted)]).toEqual([['0', '1'], [true]])

      const stop = new AbortController()
      const stopped = publisher.publish([named('a/has.hung')], stop.signal)
      stop.abort()
      expect(await stopped).toEqual([late])
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it('retries the events of an inbox', async () => {
    const inbox = memoryInbox()
    const tries: string[] = []
    const publisher = handlers<readonly [typeof doorbell]>({
      'doorbell/bell.rung': ({ id, data }) => {
        tries.push(`${id} ${data.door}`)
        if (id === 'never') throw new NonRetryableError('The door does not exist')
        if (tries.length < 4) throw new Error('The light is off')
      },
    })
    const delivery = createDelivery(Date.now(), 'often', 'never')
    await inbox.record(delivery)
    const dispatcher = createDispatcher({ inbox, publisher, pollMs: 5, backoff: { baseMs: 1 } })
    dispatcher.start()
    const states = async () => (await inbox.get(delivery.id))?.events.map(({ status }) => status)
    await expect.poll(states).toEqual(['published', 'dead'])
    expect(tries.filter((one) => one === 'often front').length).toBeGreaterThan(1)
    await dispatcher.stop()
  })
})

describe('the types of handlers', () => {
  const gate = defineProvider({
    name: 'gate',
    signature,
    events: { 'gate.opened': z.object({ by: z.string() }), 'bell.rung': z.object({ times: z.number() }) },
    normalize: () => [],
  })
  type Providers = readonly [typeof doorbell, typeof gate]

  it('include the names and the data of the providers', () => {
    expect([doorbell.name satisfies 'doorbell', gate.name satisfies 'gate']).toEqual(['doorbell', 'gate'])
    handlers<Providers>({
      'gate/gate.opened': ({ data, name }) => [data.by.length, name satisfies 'gate/gate.opened'],
      'gate/bell.rung': ({ data }) => data.times + 1,
      'doorbell/bell.rung': async ({ data }, stop) => {
        stop.throwIfAborted()
        await Promise.resolve(data.door.length)
      },
    })
    // Without providers, every name is valid and the data is unknown.
    handlers({ 'any/thing.happened': ({ data }) => data satisfies unknown })
  })

  it('accept every name for a provider without a literal name', () => {
    type Elsewhere = readonly [Provider<(typeof gate)['events']>]
    handlers<Elsewhere>({ 'elsewhere/gate.opened': ({ data }) => data.by.length })
    // @ts-expect-error only the doorbell has a door
    handlers<Elsewhere>({ 'elsewhere/gate.opened': ({ data }) => String(data.door) })
    // @ts-expect-error no provider has this kind
    handlers<Elsewhere>({ 'elsewhere/gate.closed': () => undefined })
  })

  it('reject unknown kinds, unknown providers and wrong data', () => {
    // @ts-expect-error the gate has no kind gate.closed
    handlers<Providers>({ 'gate/gate.closed': () => undefined })
    // @ts-expect-error the kind belongs to another provider
    handlers<Providers>({ 'doorbell/gate.opened': () => undefined })
    // @ts-expect-error the provider is unknown
    handlers<Providers>({ 'gat/gate.opened': () => undefined })
    // @ts-expect-error only the doorbell has a door
    handlers<Providers>({ 'gate/gate.opened': ({ data }) => String(data.door) })
    // @ts-expect-error a number is not a string
    handlers<Providers>({ 'gate/bell.rung': ({ data }) => String(data.times.length) })
    // @ts-expect-error a handler is a function
    const handlesNothing = () => handlers<Providers>({ 'gate/bell.rung': 'log' })
    expect(handlesNothing).toThrow(new TypeError('The handler of gate/bell.rung must be a function'))
  })
})
