import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  encodeBody,
  client,
  doorbell,
  openGateway,
  receivedAt,
  rung,
  secret,
  signature,
  type Sent,
} from '../../test/doorbell.ts'
import {
  createDispatcher,
  createGateway,
  defineProvider,
  hmac,
  createMemoryBus,
  createMemoryInbox,
  signedTime,
  staticSecrets,
  type AnyProvider,
  type Delivery,
  type Dispatcher,
  type GatewayOptions,
} from '../index.ts'
import type { DeliverySpan } from './gateway-contract.ts'

const broken = encodeBody({ kind: 'broken', id: 'private' })
const reject = () => Promise.reject(new Error('unavailable'))

describe('observation', () => {
  const none = encodeBody({ kind: 'polished' })
  const outcomes: [string, Sent & { signed?: boolean; options?: Partial<GatewayOptions> }, object][] = [
    ['accepted', { signed: true }, { outcome: 'accepted', deliveryId: 'd-1' }],
    ['ignored', { signed: true, body: none }, { outcome: 'ignored' }],
    [
      'quarantined',
      { signed: true, body: broken },
      {
        outcome: 'quarantined',
        deliveryId: 'd-1',
        reason: 'NORMALIZER_FAILED',
        error: expect.any(Error) as unknown,
      },
    ],
    ['unsigned', {}, { code: 'INVALID_SIGNATURE', reason: 'missing' }],
    ['malformed', { headers: { 'x-signature': 'x' } }, { code: 'INVALID_SIGNATURE', reason: 'malformed' }],
    [
      'wrongly signed',
      { headers: { 'x-signature': `sha256=${'0'.repeat(64)}` } },
      { code: 'INVALID_SIGNATURE', reason: 'mismatch' },
    ],
    [
      'not JSON',
      { signed: true, body: encodeBody('x') },
      {
        outcome: 'quarantined',
        status: 200,
        deliveryId: 'd-1',
        reason: 'NORMALIZER_FAILED',
        error: expect.any(Error) as unknown,
      },
    ],
    ['of a wrong method', { method: 'PUT' }, { code: 'METHOD_NOT_ALLOWED' }],
    ['too large', { body: new Uint8Array(1024 * 1024 + 1) }, { code: 'PAYLOAD_TOO_LARGE' }],
    ['compressed', { headers: { 'content-encoding': 'gzip' } }, { code: 'UNSUPPORTED_MEDIA_TYPE' }],
    ['blocked', { options: { limiter: { check: () => 1, fail: () => 1 } } }, { code: 'RATE_LIMITED' }],
    [
      'without its secret',
      { options: { secrets: { lease: reject } } },
      { code: 'PROVIDER_UNAVAILABLE', error: new Error('unavailable') },
    ],
    [
      'that cannot be recorded',
      { signed: true, options: { inbox: { ...createMemoryInbox(), record: reject } } },
      { code: 'INBOX_UNAVAILABLE', deliveryId: 'd-1', error: new Error('unavailable') },
    ],
    [
      'over the budget',
      { options: { limits: { bytesInFlight: 1 } } },
      { code: 'OVERLOADED', error: expect.objectContaining({ code: 'OVERLOADED' }) as unknown },
    ],
    [
      'whose host fails',
      { readBody: () => Promise.reject(new TypeError('read before')) },
      { code: 'INTERNAL_ERROR', error: new TypeError('read before') },
    ],
  ]

  it.each(outcomes)('reports a request once: %s', async (_, { signed, options, ...sent }, expected) => {
    let time = receivedAt
    const opened = openGateway({ newId: () => 'd-1', now: () => (time += 5), ...options })
    const answer = await (signed ? opened.deliver(sent) : opened.send(sent))
    expect(opened.observed).toEqual([
      {
        provider: 'doorbell',
        address: client,
        outcome: 'refused',
        status: answer.status,
        durationMs: expect.any(Number) as unknown,
        ...expected,
      },
    ])
    const [{ code, error, durationMs }] = opened.observed as [(typeof opened.observed)[0]]
    expect(durationMs).toBeGreaterThanOrEqual(5)
    expect(answer.status >= 400).toBe(code !== undefined)
    if (answer.status >= 500) expect(error).toBeDefined()
  })

  it('compares a signed time with the time at which a queue received the request', async () => {
    const timed = hmac({
      ...{ algorithm: 'sha256', encoding: 'hex', header: 'x-signature' },
      timestamp: signedTime({ header: 'x-time' }),
      content: ({ timestamp, body }) => [timestamp, '.', body],
    })
    const { send, recorded } = openGateway({ providers: [{ ...doorbell, signature: timed }] })
    const yesterday = receivedAt - 86_400_000
    const unsigned = { method: 'POST', headers: new Headers(), body: rung() }
    const headers = await timed.sign(unsigned, secret, yesterday)
    expect((await send({ headers })).said).toBe('INVALID_SIGNATURE')
    expect((await send({ headers, receivedAt: yesterday + 600_000 })).said).toBe('INVALID_SIGNATURE')
    expect((await send({ headers, receivedAt: yesterday + 1000 })).said).toBe('accepted')
    expect(recorded.map(({ record }) => record.receivedAt)).toEqual([yesterday + 1000])
  })

  it('reports a duplicate with a new delivery id', async () => {
    const { deliver, observed } = openGateway()
    await deliver()
    await deliver()
    expect(observed.map(({ outcome }) => outcome)).toEqual(['accepted', 'duplicate'])
    expect(observed[0]?.deliveryId).not.toBe(observed[1]?.deliveryId)
  })

  it('omits the path of an unknown provider and a missing address', async () => {
    const { send, observed } = openGateway()
    await send({ provider: 'x\n<script>', address: null })
    expect(observed).toEqual([
      { provider: 'unknown', outcome: 'refused', status: 404, code: 'UNKNOWN_PROVIDER', durationMs: 0 },
    ])
  })

  it.each([
    () => {
      throw new Error('the observer failed')
    },
    reject,
  ])('ignores an error of the observer', async (observe) => {
    const unhandled: unknown[] = []
    const listener = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', listener)
    const { deliver } = openGateway({ observe })
    expect(await deliver()).toMatchObject({ status: 200, said: 'accepted' })
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', listener)
    expect(unhandled).toEqual([])
  })
})

it('treats an empty Content-Encoding as identity', async () => {
  const { deliver } = openGateway()
  expect((await deliver({ headers: { 'content-encoding': '' } })).said).toBe('accepted')
})

describe('recorded delivery', () => {
  it('has only its credentials redacted in the headers', async () => {
    const { deliver, recorded } = openGateway()
    await deliver({
      headers: [
        ['Authorization', 'Bearer t'],
        ['Cookie', 'sid=1'],
        ['X-Api-Key', 'k'],
        ['X-Signature', 'x'],
        ['Content-Type', 'application/json'],
        ['X-Forwarded-For', '198.51.100.7'],
        ['X-Event', 'rung'],
        ['X-Event', 'twice'],
      ],
    })
    expect(recorded[0]?.record.headers).toEqual({
      authorization: '[redacted]',
      cookie: '[redacted]',
      'x-api-key': '[redacted]',
      'x-signature': '[redacted]',
      'content-type': 'application/json',
      'x-forwarded-for': '198.51.100.7',
      'x-event': 'rung, twice',
    })
  })

  it('has the signature header of a custom scheme redacted', async () => {
    const scheme: AnyProvider['signature'] = {
      headers: ['x-seal'],
      verify: ({ body }) => ({ verified: true, body }),
      sign: () => ({}),
    }
    const { send, recorded } = openGateway({ providers: [{ ...doorbell, signature: scheme }] })
    await send({ headers: { 'X-Seal': 'proof', 'x-sealed': 'value' } })
    await send({ headers: { 'X-Seal': 'proof' }, body: broken })
    expect(recorded.map(({ record }) => record.headers)).toEqual([
      { 'x-seal': '[redacted]', 'x-sealed': 'value' },
      { 'x-seal': '[redacted]' },
    ])
  })

  it('has the form of the body that the scheme verified', async () => {
    const compact = encodeBody({ kind: 'rung', id: '7', door: 'back' })
    const verify = () => ({ verified: true, body: compact }) as const
    const provider = { ...doorbell, signature: { ...signature, verify } }
    const { send, recorded } = openGateway({ providers: [provider] })
    await send({ body: encodeBody(' not even JSON ') })
    expect(recorded[0]?.record).toMatchObject({ body: compact, receivedAt, provider: 'doorbell' })
    expect(recorded[0]?.record.events[0]?.event.id).toBe('doorbell:bell.rung:7')
  })

  // Regression: the method was called without its object.
  it('calls `end` of a span as a method', async () => {
    class Span implements DeliverySpan {
      readonly outcomes: string[] = []
      run<T>(work: () => T): T {
        return work()
      }
      end({ outcome }: { outcome: string }): void {
        this.outcomes.push(outcome)
      }
    }
    const span = new Span()
    await openGateway({ tracer: { start: () => span } }).send()
    expect(span.outcomes).toEqual(['refused'])
  })

  // A scheme in JavaScript can omit `await`.
  it('is rejected when `verified` is a promise', async () => {
    const verify = ({ body }: Delivery) => ({ verified: Promise.resolve(false) as never, body })
    const { send, recorded, observed } = openGateway({
      providers: [{ ...doorbell, signature: { ...signature, verify } }],
    })
    expect((await send()).status).toBe(401)
    expect([recorded, observed[0]?.code]).toEqual([[], 'INVALID_SIGNATURE'])
  })

  it('has different event ids when no event has a key', async () => {
    const two = { kind: 'bell.rung', subject: 'front', data: { door: 'front' } } as const
    const { deliver } = openGateway({ providers: [{ ...doorbell, normalize: () => [two, two, two] }] })
    const { events } = await deliver()
    expect(new Set(events.map(({ id }) => id)).size).toBe(3)
    for (const { id } of events) expect(id).toMatch(/^doorbell:sha256:[0-9a-f]{64}:bell\.rung(:[12])?$/)
    expect((await deliver()).events.map(({ id }) => id)).toEqual(events.map(({ id }) => id))
    expect((await deliver({ body: rung('2') })).said).toBe('accepted')
  })

  it('has different event ids for equal bodies of different kinds', async () => {
    const events = { 'bell.rung': z.object({}), 'bell.muted': z.object({}) }
    const deliverAs = async (kind: 'bell.rung' | 'bell.muted') => {
      const normalize = () => ({ kind, subject: 'front', data: {} })
      const provider = defineProvider({ name: 'doorbell', signature, events, normalize })
      return (await openGateway({ providers: [provider] }).deliver()).events[0]?.id
    }
    expect(await deliverAs('bell.rung')).not.toBe(await deliverAs('bell.muted'))
  })

  it('has a hashed key when the key is too long', async () => {
    const { deliver } = openGateway()
    const long = 'x'.repeat(300)
    const [a, b] = [await deliver({ body: rung(`${long}a`) }), await deliver({ body: rung(`${long}b`) })]
    expect(a.events[0]?.id).toMatch(/^doorbell:bell\.rung:sha256:[0-9a-f]{64}$/)
    expect(b.events[0]?.duplicate).toBe(false)
    expect((await deliver({ body: rung(`${long}a`) })).said).toBe('duplicate')
    const fits = 'y'.repeat(255 - 'doorbell:bell.rung:'.length)
    expect((await deliver({ body: rung(fits) })).events[0]?.id).toBe(`doorbell:bell.rung:${fits}`)
  })

  it('stores an unreadable delivery once', async () => {
    const { deliver, recorded } = openGateway()
    for (let time = 0; time < 2; time++) {
      expect(await deliver({ body: broken })).toMatchObject({ status: 200, said: 'quarantined', events: [] })
    }
    expect(await deliver({ body: encodeBody({ kind: 'broken', id: 'other' }) })).toMatchObject({
      status: 200,
    })
    expect(recorded.map(({ result }) => result.events[0]?.duplicate)).toEqual([false, true, false])
    expect(recorded[0]?.record).toMatchObject({
      body: broken,
      events: [],
      quarantine: {
        key: expect.stringMatching(/^doorbell:sha256:[0-9a-f]{64}$/) as string,
        reason: 'NORMALIZER_FAILED',
      },
    })
  })
})

describe('error of a provider', () => {
  const quoted = 'a quote of the body'
  const throwing: Record<string, () => never> = {
    'a message': () => {
      throw new Error(quoted)
    },
    'a message that looks like a stack': () => {
      throw new Error(`first\n    at ${quoted} (/secret.ts:1:1)\n    at ${quoted}`)
    },
    'an error whose message was another when its stack was written': () => {
      const error = new Error(`first\n    at ${quoted} (/secret.ts:1:1)`)
      expect(error.stack).toContain(quoted)
      throw Object.assign(error, { message: '' })
    },
    "a message of Node's own": () => {
      const stack = 'TypeError [ERR_OF_NODE]: x\n    at parse (gateway.test.ts:1:1)'
      throw Object.assign(new TypeError('x'), { code: 'ERR_OF_NODE', stack })
    },
    'an error whose name is a text': () => {
      throw Object.assign(new Error('x'), { name: quoted, code: quoted })
    },
    'a string': () => {
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- a provider may throw anything
      throw quoted
    },
  }

  it.each(Object.keys(throwing))('is reported without the body when normalize throws %s', async (name) => {
    const normalize = throwing[name]!
    const { deliver, observed } = openGateway({ providers: [{ ...doorbell, normalize }] })
    expect(await deliver()).toMatchObject({ said: 'quarantined' })
    const error = observed[0]?.error as Error
    expect(error).toBeInstanceOf(Error)
    expect(`${error.message} ${String(error.stack)} ${String(error.cause)}`).not.toContain(quoted)
    if (name.startsWith('a message')) expect(error.stack).toContain('gateway.test.ts')
  })

  it('names only the fields that do not fit the schema', async () => {
    const { deliver, observed } = openGateway()
    await deliver({ body: encodeBody({ kind: 'rung', id: '1', door: { private: 7 } }) })
    expect(observed[0]).toMatchObject({
      outcome: 'quarantined',
      error: { message: 'TypeError: door invalid_type' },
    })
  })

  it.each([
    ['a promise', async () => []],
    ['a promise that is rejected', () => Promise.reject(new Error('later'))],
    ['a list of promises', () => [Promise.reject(new Error('later'))]],
  ])('quarantines a delivery when normalize returns %s', async (_, normalize) => {
    const provider = { ...doorbell, normalize: normalize as unknown as AnyProvider['normalize'] }
    const { deliver, observed } = openGateway({ providers: [provider] })
    expect((await deliver()).said).toBe('quarantined')
    expect(observed[0]).toMatchObject({ error: { message: 'TypeError ASYNC_NORMALIZER' } })
  })

  it('quarantines an undeclared kind', async () => {
    const normalize = () => ({ kind: 'bell.stolen', subject: 'front', data: {} })
    const { deliver } = openGateway({ providers: [{ ...doorbell, normalize }] })
    expect((await deliver()).said).toBe('quarantined')
  })

  it.each([
    ['nanoseconds', { occurredAt: 1.7e18 }],
    ['a time after the year 9999', { occurredAt: Date.UTC(10_000, 0) }],
    ['a time before the year 0', { occurredAt: Date.parse('0000-01-01T00:00:00Z') - 1 }],
    ['a time as a string', { occurredAt: '2026-01-01' }],
    ['no subject', { subject: undefined }],
    ['a subject that is a number', { subject: 7 }],
    ['a key with undefined', { key: [undefined] }],
    ['a key with NaN', { key: ['a', NaN] }],
    // Regression: two ids of 19 digits had the same key.
    ['a key with a rounded number', { key: [2 ** 53] }],
    ['a key with a rounded negative number', { key: [-(2 ** 53)] }],
    // Regression: all events had the same id, and the second one was lost.
    ['a key of empty parts', { key: ['', ''] }],
    ['a key with an object', { key: [{}] }],
  ])('quarantines an event with %s', async (_, wrong) => {
    const normalize = () => ({ kind: 'bell.rung', subject: 'front', data: { door: 'front' }, ...wrong })
    const provider = { ...doorbell, normalize: normalize as unknown as AnyProvider['normalize'] }
    const { deliver, recorded } = openGateway({ providers: [provider] })
    expect((await deliver()).said).toBe('quarantined')
    expect(recorded[0]?.record.quarantine).toMatchObject({ reason: 'NORMALIZER_FAILED' })
  })

  it('quarantines data that the inbox cannot serialize', async () => {
    const events = { 'bell.rung': z.object({ door: z.bigint() }) }
    const normalize = () => ({ kind: 'bell.rung', subject: 'front', data: { door: 7n } })
    const inbox = createMemoryInbox()
    const { deliver, observed } = openGateway({
      providers: [{ ...doorbell, events, normalize }],
      inbox: {
        ...inbox,
        async record(delivery, how) {
          JSON.stringify(delivery.events)
          return inbox.record(delivery, how)
        },
      },
    })
    expect(await deliver()).toMatchObject({ status: 200, said: 'quarantined' })
    expect(observed[0]).toMatchObject({ reason: 'NORMALIZER_FAILED', error: { message: 'TypeError' } })
  })

  // Regression: a signed message in XML was answered with 400 and kept nowhere.
  it.each(Object.keys(throwing))('is reported without the body when parse throws %s', async (name) => {
    const { deliver, observed, recorded } = openGateway({
      providers: [{ ...doorbell, parse: throwing[name]! }],
    })
    const { status, said, text } = await deliver()
    expect([status, said]).toEqual([200, 'quarantined'])
    const error = observed[0]?.error as Error
    expect(`${text} ${error.message} ${String(error.stack)} ${String(error.cause)}`).not.toContain(quoted)
    expect(recorded[0]?.record).toMatchObject({ body: rung(), quarantine: { reason: 'NORMALIZER_FAILED' } })
  })

  it('answers 503 without an inbox when parse throws', async () => {
    const parse = throwing['a message']!
    const { deliver } = openGateway({ providers: [{ ...doorbell, parse }], publisher: createMemoryBus() })
    expect(await deliver()).toMatchObject({ status: 503, said: 'PROVIDER_UNAVAILABLE' })
  })

  it.each([
    [() => reject()],
    [
      () => {
        throw new Error(quoted)
      },
    ],
    // Regression: the error of a scheme was reported unchanged.
    [() => ({ verified: false, reason: 'malformed', error: new Error(quoted) }) as const],
  ])('answers 401 and counts a failure when a scheme throws', async (verify) => {
    const provider = { ...doorbell, signature: { ...signature, verify } }
    const { send, observed, recorded } = openGateway({ providers: [provider] })
    for (let failure = 0; failure < 20; failure++) expect((await send()).status).toBe(401)
    expect((await send()).status).toBe(429)
    // Regression: the observation had no error.
    const error = expect.objectContaining({ message: 'Error' }) as unknown
    expect(observed[0]).toMatchObject({ code: 'INVALID_SIGNATURE', reason: 'malformed', error })
    expect(String((observed[0]?.error as Error).stack)).not.toContain(quoted)
    expect(recorded).toEqual([])
  })
})

describe('notification', () => {
  const silent = defineProvider({
    name: doorbell.name,
    signature,
    events: doorbell.events,
    normalize: (delivery) => doorbell.normalize(delivery),
  })
  const dispatcherWith = (notifies: boolean): Dispatcher =>
    createDispatcher({
      inbox: createMemoryInbox(),
      publisher: createMemoryBus(),
      ...(notifies && {
        notifications: { providers: [doorbell], notifier: { notify: () => Promise.resolve() } },
      }),
    })
  const cases: [Partial<GatewayOptions>, boolean][] = [
    [{}, false],
    [{ dispatcher: dispatcherWith(false) }, false],
    [{ dispatcher: dispatcherWith(true) }, true],
    [{ dispatcher: dispatcherWith(true), notifications: false }, false],
    [{ notifications: true }, true],
    [{ notifications: true, providers: [silent] }, false],
  ]

  it.each(cases)('is recorded as documented: %#', async (options, expected) => {
    const { deliver, recorded } = openGateway(options)
    await deliver()
    expect(recorded[0]?.record.events.map(({ notify, route }) => [notify, route])).toEqual([
      [expected, 'direct'],
    ])
  })

  it('is rejected without a dispatcher that notifies', () => {
    const options = { providers: [doorbell], secrets: staticSecrets({}), inbox: createMemoryInbox() }
    expect(() =>
      createGateway({ ...options, notifications: true, dispatcher: dispatcherWith(false) }),
    ).toThrow(TypeError)
    expect(() => createGateway({ ...options, providers: [doorbell, doorbell] })).toThrow(TypeError)
  })
})
