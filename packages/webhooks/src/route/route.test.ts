import { createDelivery } from '@sallyport/test-support/records'
import { createEvent } from '@sallyport/webhooks/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { publishWithReferences } from '../dispatch/data-reference.ts'
import {
  createDispatcher,
  createMemoryBus,
  createMemoryInbox,
  route,
  type WebhookEvent,
  type MemoryBus,
  type Publisher,
  type PublishResult,
} from '../index.ts'
import { testPublisher } from '../testing/publisher-suite.ts'

const { signal } = new AbortController()
const ok: PublishResult = { ok: true }
const later: PublishResult = { ok: false, retryable: true, error: 'Unavailable' }
const final: PublishResult = { ok: false, retryable: false, error: 'Refused' }
const large: PublishResult = { ...final, tooLarge: true }

const named = (name: string, id = name, rest: Partial<WebhookEvent> = {}) =>
  createEvent(id, 0, { name, ...rest })
const a = named('github/push', 'a')
const b = named('github/push', 'b')

/** A publisher that records the ids of each call and answers each event. */
function recorder(answer: (event: WebhookEvent) => PublishResult | Promise<never> = () => ok) {
  const calls: string[][] = []
  const publisher: Publisher = {
    publish(events) {
      calls.push(events.map(({ id }) => id))
      return Promise.all(events.map(async (event) => answer(event)))
    },
  }
  return { publisher, calls }
}

const hanging: Publisher = { publish: () => new Promise(() => undefined) }

const buses = new WeakMap<object, MemoryBus>()
describe('route to two buses', () => {
  testPublisher(
    { describe, expect, it },
    {
      create() {
        const second = createMemoryBus()
        const publisher = route([
          { name: 'first', publisher: createMemoryBus() },
          { name: 'second', publisher: second },
        ])
        buses.set(publisher, second)
        return publisher
      },
      events: (publisher) => buses.get(publisher)?.events ?? [],
      keepsObjects: true,
    },
  )
})

describe('route', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('publishes an event on every publisher whose conditions it meets', async () => {
    const [all, some, shop] = [recorder(), recorder(), recorder()]
    const publisher = route([
      { name: 'all', publisher: all.publisher },
      { name: 'some', publisher: some.publisher, events: ['github/issues.*', 'stripe/*', 'a-b/c'] },
      {
        name: 'shop',
        publisher: shop.publisher,
        endpoints: ['shop-1'],
        when: ({ data }) => (data as { total: number }).total > 9,
      },
    ])
    const source = { provider: 'stripe', endpoint: 'shop-1', deliveryId: '', receivedAt: 0 }
    const events = [
      ...[
        'github/issues',
        'github/issues.opened',
        'github/issue',
        'stripe/a.b',
        'a-b/c',
        'a-b/c.d',
        'stripe',
      ],
    ].map((name) => named(name))
    const orders = [
      named('stripe/order', '1', { source, data: { total: 9 } }),
      named('stripe/order', '2', { source, data: { total: 10 } }),
    ]
    const results = await publisher.publish([...events, ...orders], signal)
    expect(results).toMatchObject(results.map(() => ok))
    expect(all.calls).toEqual([[...events.map(({ id }) => id), '1', '2']])
    expect(some.calls).toEqual([['github/issues', 'github/issues.opened', 'stripe/a.b', 'a-b/c', '1', '2']])
    expect(shop.calls).toEqual([['2']])
  })

  it('publishes an event once on a publisher in several routes', async () => {
    const { publisher, calls } = recorder()
    await route([
      { name: 'pushes', publisher, events: ['github/push'] },
      { name: 'rest', publisher },
    ]).publish([a], signal)
    expect(calls).toEqual([['a']])
  })

  it('retries an event only on the publishers that do not have it', async () => {
    const first = recorder()
    const answers = new Map([['a', later]])
    const second = recorder(({ id }) => answers.get(id) ?? ok)
    const publisher = route([
      { name: 'first', publisher: first.publisher },
      { name: 'second', publisher: second.publisher },
    ])
    expect(await publisher.publish([a, b], signal)).toMatchObject([
      { ok: false, retryable: true, error: 'second: Unavailable' },
      ok,
    ])
    answers.clear()
    expect(await publisher.publish([a], signal)).toMatchObject([ok])
    expect([first.calls, second.calls]).toEqual([[['a', 'b']], [['a', 'b'], ['a']]])
    // A replay of a published event reaches all publishers.
    await publisher.publish([a], signal)
    expect([first.calls.at(-1), second.calls.at(-1)]).toEqual([['a'], ['a']])
  })

  it('names the publishers that took an event in an attempt, and those that may take it later', async () => {
    const answers = [later, later, ok]
    const publisher = route([
      { name: 'first', publisher: recorder().publisher },
      { name: 'second', publisher: recorder(() => answers.shift() ?? ok).publisher },
      { name: 'never', publisher: recorder(() => final).publisher },
      { name: 'other', publisher: createMemoryBus(), events: ['stripe/*'] },
    ])
    const targets = async () => (await publisher.publish([a], signal))[0]?.targets
    const [first, waiting] = [
      { name: 'first', ok: true },
      { name: 'second', ok: false },
    ]
    expect([await targets(), await targets(), await targets()]).toEqual([
      [first, waiting],
      [waiting],
      [{ name: 'second', ok: true }],
    ])
  })

  it('publishes a forgotten event on all of its publishers again', async () => {
    const first = recorder()
    const publisher = route(
      [
        { name: 'first', publisher: first.publisher },
        { name: 'second', publisher: recorder(() => later).publisher },
      ],
      { memoryEvents: 1 },
    )
    await publisher.publish([a, b], signal)
    await publisher.publish([a, b], signal)
    expect(first.calls).toEqual([['a', 'b'], ['a']])
  })

  it('retries an event while one publisher may take it, with the longest requested delay', async () => {
    const publisher = route([
      { name: 'never', publisher: recorder(() => final).publisher },
      { name: 'soon', publisher: recorder(() => ({ ...later, retryAfterMs: 10 })).publisher },
      { name: 'late', publisher: recorder(() => ({ ...later, retryAfterMs: 20 })).publisher },
    ])
    expect(await publisher.publish([a], signal)).toMatchObject([
      {
        ...{ ok: false, retryable: true, retryAfterMs: 20 },
        error: 'never: Refused; soon: Unavailable; late: Unavailable',
      },
    ])
    const dead = route([{ name: 'never', publisher: recorder(() => final).publisher }])
    expect(await dead.publish([a], signal)).toMatchObject([
      { ok: false, retryable: false, error: 'never: Refused' },
    ])
  })

  it('sends a reference only to the publishers that refuse the size', async () => {
    const seen: [string, boolean][] = []
    let isDown = true
    const small = recorder((event) => {
      seen.push(['small', event.dataref !== undefined])
      return event.dataref === undefined ? large : ok
    })
    const down = recorder((event) => {
      seen.push(['down', event.dataref !== undefined])
      return isDown ? later : ok
    })
    const publisher = route([
      { name: 'small', publisher: small.publisher, when: ({ data }) => data !== undefined },
      { name: 'down', publisher: down.publisher },
    ])
    const publish = publishWithReferences(
      (some, stop) => publisher.publish(some, stop),
      () => '/data',
    )
    expect(await publish([a], signal)).toMatchObject([
      { ok: false, retryable: true, error: 'down: Unavailable' },
    ])
    isDown = false
    expect(await publish([a], signal)).toMatchObject([ok])
    expect(seen).toEqual([
      ['small', false],
      ['down', false],
      ['small', true],
      ['down', false],
    ])
  })

  it('removes the values of redact for one publisher, also in a retry', async () => {
    const [whole, redacted] = [createMemoryBus(), createMemoryBus()]
    let isDown = true
    const failing: Publisher = {
      publish: (events, stop) =>
        isDown ? Promise.resolve(events.map(() => later)) : redacted.publish(events, stop),
    }
    const publisher = route([
      { name: 'whole', publisher: whole },
      { name: 'redacted', publisher: failing, redact: ['email'] },
      { name: 'redacted', publisher: failing, events: ['github/*'], redact: ['card.*'] },
    ])
    const data = { email: 'ann@x.org', card: { number: 1 }, total: 2 }
    const source = { provider: 'github', deliveryId: '', receivedAt: 0 }
    const push = named('github/push', 'github:push:ann%40x.org', { data, subject: 'ann@x.org', source })
    const charge = named('stripe/charge', 'stripe:charge:1', { data })
    await publisher.publish([push, charge], signal)
    isDown = false
    expect(await publisher.publish([push, charge], signal)).toMatchObject([ok, ok])
    expect(whole.events).toEqual([push, charge])
    const id = expect.stringMatching(/^github:push:sha256:[0-9a-f]{64}$/) as string
    const subject = expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string
    const email = '[redacted]'
    expect(redacted.events.toSorted((one, other) => (one.name < other.name ? -1 : 1))).toEqual([
      { ...push, id, subject, data: { ...data, email, card: { number: email } } },
      { ...charge, data: { ...data, email } },
    ])
  })

  it('publishes no reference to the values of redact', async () => {
    const tooLarge = recorder((event) => (event.dataref === undefined ? large : ok))
    const publisher = route([{ name: 'bus', publisher: tooLarge.publisher, redact: ['email'] }])
    const publish = publishWithReferences(
      (some, stop) => publisher.publish(some, stop),
      () => '/data',
    )
    expect(await publish([a], signal)).toMatchObject([
      { ok: false, retryable: false, error: expect.stringContaining('values of redact') as string },
    ])
    expect(tooLarge.calls).toEqual([['a']])
  })

  it('refuses a path of a header', () => {
    expect(() => route([{ name: 'bus', publisher: createMemoryBus(), redact: ['header:x-a'] }])).toThrow(
      TypeError,
    )
  })

  it('refuses an event without a route, or ignores it', async () => {
    const routes = [{ name: 'bus', publisher: createMemoryBus(), events: ['stripe/*'] }]
    const refused = { ok: false, retryable: false, error: 'No route for events of this name' }
    expect(await route(routes).publish([a], signal)).toMatchObject([refused])
    const ignored = { ok: true, targets: [] }
    expect(await route(routes, { unrouted: 'ignore' }).publish([a], signal)).toEqual([ignored])
  })

  it('retries an event whose condition throws', async () => {
    const when = ({ id }: WebhookEvent) => {
      if (id === 'a') throw new RangeError('confidential')
      return true
    }
    const [failed, taken] = await route([{ name: 'bus', publisher: createMemoryBus(), when }]).publish(
      [a, b],
      signal,
    )
    expect(failed).toMatchObject({
      ...{ ok: false, retryable: true, targets: [] },
      error: expect.stringMatching(/RangeError$/) as string,
    })
    expect(taken).toMatchObject(ok)
  })

  it('settles the other publishers when one hangs or rejects', async () => {
    vi.useFakeTimers()
    const publisher = route([
      { name: 'fine', publisher: createMemoryBus(), events: ['github/*'] },
      { name: 'hangs', publisher: hanging, events: ['stripe/*'] },
      { name: 'rejects', publisher: { publish: () => Promise.reject(new Error('x')) }, events: ['zoom/*'] },
    ])
    const publishing = publisher.publish([a, named('stripe/a'), named('zoom/a')], signal)
    await vi.advanceTimersByTimeAsync(4000)
    expect(await publishing).toMatchObject([
      ok,
      { ok: false, retryable: true, error: expect.stringMatching(/^hangs: TimeoutError/) as string },
      { ok: false, retryable: true, error: 'rejects: Error' },
    ])
  })

  it('makes one call at a time to a slow publisher, until it takes an event', async () => {
    vi.useFakeTimers()
    let isSlow = true
    const { publisher: recording, calls } = recorder(() =>
      isSlow ? new Promise<never>(() => undefined) : ok,
    )
    const publisher = route([
      { name: 'fine', publisher: createMemoryBus(), events: ['github/*'] },
      { name: 'slow', publisher: recording, events: ['stripe/*'] },
    ])
    const events = ['1', '2', '3', '4'].map((id) => named('stripe/a', id))
    const first = publisher.publish(events.slice(0, 1), signal)
    await vi.advanceTimersByTimeAsync(2000)
    // The second call ends at once, with the event of the other publisher.
    expect(await publisher.publish([a, ...events.slice(1, 2)], signal)).toMatchObject([
      ok,
      { ok: false, retryable: true, error: expect.stringContaining('slow: The bus is slow') as string },
    ])
    await vi.advanceTimersByTimeAsync(2000)
    expect(await first).toMatchObject([{ retryable: true }])
    isSlow = false
    expect(await publisher.publish(events.slice(2, 3), signal)).toMatchObject([ok])
    expect(calls).toEqual([['1'], ['3']])
  })

  it('isolates an event that makes a publisher reject, after its first failure', async () => {
    const taken: string[] = []
    const publisher = route([
      {
        name: 'rejects',
        publisher: {
          publish(events) {
            if (events.some(({ id }) => id === 'b')) return Promise.reject(new Error('x'))
            taken.push(...events.map(({ id }) => id))
            return Promise.resolve(events.map(() => ok))
          },
        },
      },
    ])
    const events = [a, b, named('github/push', 'c'), named('github/push', 'd')]
    const rejected = { ok: false, retryable: true, error: 'rejects: Error' }
    expect(await publisher.publish(events, signal)).toMatchObject(events.map(() => rejected))
    expect(await publisher.publish(events, signal)).toMatchObject([ok, rejected, ok, ok])
    expect(taken.sort()).toEqual(['a', 'c', 'd'])
  })

  it('treats a missing result as a failure', async () => {
    for (const answer of [undefined, [], [null], [{}]]) {
      const none = { publish: () => Promise.resolve(answer) } as unknown as Publisher
      expect(await route([{ name: 'none', publisher: none }]).publish([a], signal)).toMatchObject([
        { ok: false, retryable: true, error: 'none: No answer for this event' },
      ])
    }
  })

  it('rejects routes that it cannot use', () => {
    const publisher = createMemoryBus()
    expect(() => route([])).toThrow(TypeError)
    expect(() => route([{ name: 'x', publisher: {} as Publisher }])).toThrow(/route x.publish/)
    const other = { name: 'x', publisher: createMemoryBus() }
    expect(() => route([{ name: 'x', publisher }, other])).toThrow('Two publishers have the name x')
    for (const pattern of ['*', 'github', 'github/', '/push', 'github/pu*', 'GitHub/push', 'github/a/b'])
      expect(() => route([{ name: 'x', publisher, events: [pattern] }])).toThrow(`not "${pattern}"`)
    expect(() => route([{ name: 'x', publisher }], { timeoutMs: 0 })).toThrow('timeoutMs')
    expect(() => route([{ name: 'x', publisher }], { memoryEvents: -1 })).toThrow('memoryEvents')
  })

  it('settles an event in the inbox when all of its publishers have it', async () => {
    const inbox = createMemoryInbox()
    const [first, second] = [createMemoryBus(), createMemoryBus()]
    let failures = 1
    const flaky: Publisher = {
      publish: (events, stop) =>
        failures-- > 0 ? Promise.resolve(events.map(() => later)) : second.publish(events, stop),
    }
    const publisher = route([
      { name: 'first', publisher: first },
      { name: 'second', publisher: flaky },
    ])
    const statuses: string[] = []
    const dispatcher = createDispatcher({
      ...{ inbox, publisher, pollMs: 5, backoff: { baseMs: 1 } },
      onAttempt: ({ outcome }) => statuses.push(outcome.status),
    })
    await inbox.record(createDelivery(Date.now(), { event: a }))
    dispatcher.start()
    await expect.poll(() => statuses).toEqual(['retry', 'done'])
    await dispatcher.stop()
    expect([first.events.length, second.events.length]).toEqual([1, 1])
  })
})
