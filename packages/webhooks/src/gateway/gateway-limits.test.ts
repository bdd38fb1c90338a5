import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { client, never, openGateway, secret, signBody, rung } from '../../test/doorbell.ts'
import {
  createSecretKeeper,
  createMemoryFailureLimiter,
  createMemoryInbox,
  type FailureLimiter,
} from '../index.ts'
import type { BodySink } from './body-budget.ts'

afterEach(() => {
  vi.useRealTimers()
})
const fakeTimers = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
const reject = () => Promise.reject(new Error('unavailable'))

describe('failure limiter', () => {
  it('is checked before any other step and counts only failures', async () => {
    const asked: string[] = []
    const limiter: FailureLimiter = {
      check: (address) => (asked.push(`check ${address}`), 0),
      fail: (address) => (asked.push(`fail ${address}`), 0),
    }
    const { send, deliver } = openGateway({ limiter })
    await send({ provider: 'unknown', address: '::ffff:192.0.2.9' })
    expect(asked.splice(0)).toEqual(['check ::ffff:192.0.2.9'])
    await deliver()
    expect(asked.splice(0)).toEqual([`check ${client}`, `check ${client}`])
    await send()
    expect(asked.splice(0)).toEqual([`check ${client}`, `check ${client}`, `fail ${client}`])
    await send({ address: null })
    expect(asked).toEqual([])
  })

  it('is checked again after the body', async () => {
    const limiter = createMemoryFailureLimiter({ failures: 1, now: () => 0 })
    const { send, observed, recorded } = openGateway({ limiter })
    const begun = Promise.withResolvers<undefined>()
    const rest = Promise.withResolvers<undefined>()
    const slow = send({
      headers: await signBody(rung()),
      readBody: async (sink) => {
        begun.resolve(undefined)
        await rest.promise
        sink.push(rung())
      },
    })
    await begun.promise
    expect((await send()).said).toBe('INVALID_SIGNATURE')
    rest.resolve(undefined)
    expect(await slow).toMatchObject({ status: 429, said: 'RATE_LIMITED', headers: { 'Retry-After': '60' } })
    expect(observed.at(-1)).toMatchObject({ code: 'RATE_LIMITED' })
    expect(recorded).toEqual([])
  })

  it('blocks before the body is read when it answers asynchronously', async () => {
    let read = 0
    const { deliver, recorded } = openGateway({ limiter: { check: async () => 1000, fail: () => 0 } })
    const answer = await deliver({
      readBody: async () => {
        read++
      },
    })
    expect(answer).toMatchObject({ status: 429, said: 'RATE_LIMITED', headers: { 'Retry-After': '1' } })
    expect([read, recorded]).toEqual([0, []])
  })

  it('blocks after the body when it answers asynchronously', async () => {
    const waits = [0, 1000]
    const limiter: FailureLimiter = { check: async () => waits.shift() ?? 0, fail: () => 0 }
    const { deliver, recorded } = openGateway({ limiter })
    expect(await deliver()).toMatchObject({ status: 429, said: 'RATE_LIMITED' })
    expect([waits, recorded]).toEqual([[], []])
  })

  it('rounds the wait up to whole seconds in Retry-After', async () => {
    const limiter = { check: () => 1001, fail: () => 0 }
    expect((await openGateway({ limiter }).send()).headers['Retry-After']).toBe('2')
  })

  it('answers 429 for a failure beyond the limit and reports its reason', async () => {
    const { send, observed } = openGateway({ limiter: { check: () => 0, fail: async () => 5000 } })
    expect(await send()).toMatchObject({ said: 'RATE_LIMITED', headers: { 'Retry-After': '5' } })
    expect(observed[0]).toMatchObject({ code: 'RATE_LIMITED', reason: 'missing' })
  })

  const failing: Record<string, () => never | Promise<never>> = {
    throws: () => {
      throw new Error('unavailable')
    },
    rejects: reject,
    hangs: never,
  }
  it.each(Object.keys(failing))('blocks no address and reports the error when it %s', async (how) => {
    fakeTimers()
    const errors: unknown[] = []
    const limiter = { check: failing[how]!, fail: failing[how]! }
    const { deliver, send } = openGateway({ limiter, onLimiterError: (error) => errors.push(error) })
    const good = deliver()
    await vi.advanceTimersByTimeAsync(2000)
    expect((await good).said).toBe('accepted')
    expect(errors).toHaveLength(2)
    const bad = send()
    await vi.advanceTimersByTimeAsync(3000)
    expect((await bad).said).toBe('INVALID_SIGNATURE')
    expect(errors).toHaveLength(5)
    for (const error of errors) expect(error).toBeInstanceOf(how === 'hangs' ? DOMException : Error)
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each([
    reject,
    () => {
      throw new Error('the hook failed')
    },
  ])('ignores an error of `onLimiterError`', async (onLimiterError) => {
    const { deliver } = openGateway({ limiter: { check: reject, fail: reject }, onLimiterError })
    expect((await deliver()).said).toBe('accepted')
  })

  it('counts failures but accepts verified deliveries with `allowVerified`', async () => {
    const limiter = createMemoryFailureLimiter({ failures: 2 })
    const { deliver, send } = openGateway({ limiter, allowVerified: true })
    const said = []
    for (let request = 0; request < 4; request++) said.push((await send()).said)
    expect(said).toEqual(['INVALID_SIGNATURE', 'INVALID_SIGNATURE', 'RATE_LIMITED', 'RATE_LIMITED'])
    expect((await deliver()).said).toBe('accepted')
  })
})

describe('a block after a change of the secret', () => {
  /** Two gateways that share a limiter of two failures, and a store of secrets. */
  const open = () => {
    const store = { values: ['the old secret'] as readonly string[], at: 0 }
    const now = () => store.at
    const limiter = createMemoryFailureLimiter({ failures: 2, now: () => 0 })
    const openOne = () =>
      openGateway({
        ...{ limiter, now },
        secrets: createSecretKeeper(
          { lease: () => ({ values: store.values, expiresAt: store.at + 1000 }) },
          { now, monotonicNow: now },
        ),
      })
    const change = (values: readonly string[]) => {
      store.values = values
      store.at += 2000
    }
    return { store, change, one: openOne(), other: openOne() }
  }

  it('is lifted in every gateway that shares the limiter', async () => {
    const { change, one, other } = open()
    const said = []
    for (const { deliver } of [one, other, one]) said.push((await deliver()).said)
    expect(said).toEqual(['INVALID_SIGNATURE', 'INVALID_SIGNATURE', 'RATE_LIMITED'])
    change([secret])
    expect((await one.deliver()).said).toBe('accepted')
    // A forged delivery of another client restores no block.
    await one.send({ address: '198.51.100.7' })
    expect((await other.deliver()).status).toBe(200)
    expect((await one.send({ provider: 'unknown' })).said).toBe('RATE_LIMITED')
  })

  it('stays while a store lists the same secrets in another order', async () => {
    const { change, one } = open()
    change([secret, 'old'])
    for (let failure = 0; failure < 2; failure++) await one.send()
    change(['old', secret])
    expect((await one.deliver()).said).toBe('RATE_LIMITED')
  })

  it('counts the failures of the client from the start, for a minute', async () => {
    const { store, change, one } = open()
    for (let failure = 0; failure < 2; failure++) await one.deliver()
    change([secret])
    for (let failure = 0; failure < 2; failure++) expect((await one.send()).said).toBe('INVALID_SIGNATURE')
    expect((await one.deliver()).said).toBe('RATE_LIMITED')
    store.at += 60_000
    expect((await one.send({ address: '198.51.100.7' })).said).toBe('INVALID_SIGNATURE')
    expect((await one.deliver()).said).toBe('RATE_LIMITED')
  })
})

describe('body budget', () => {
  const held = () => {
    const gate = Promise.withResolvers<undefined>()
    const holding = async (sink: BodySink) => {
      sink.push(new Uint8Array(90))
      await gate.promise
    }
    return { holding, end: gate }
  }
  const fill = { body: new Uint8Array(20) }

  it('counts IPv4 by address and IPv6 by /64', async () => {
    const { send } = openGateway({ limits: { bytesInFlightPerAddress: 100 } })
    for (const [holder, same, other] of [
      ['2001:db8:0:1::1', '2001:db8:0:1:ffff::9', '2001:db8:0:2::1'],
      ['192.0.2.1', '::ffff:192.0.2.1', '192.0.2.2'],
    ] as const) {
      const { holding, end } = held()
      const first = send({ readBody: holding, address: holder })
      await sleep(0)
      expect((await send({ ...fill, address: same })).said).toBe('OVERLOADED')
      expect((await send({ ...fill, address: other })).said).toBe('INVALID_SIGNATURE')
      expect((await send({ ...fill, address: null })).said).toBe('INVALID_SIGNATURE')
      end.resolve(undefined)
      await first
      expect((await send({ ...fill, address: same })).said).toBe('INVALID_SIGNATURE')
    }
  })

  it('is released after every outcome of a request', async () => {
    const limits = { bodyBytes: 100, bytesInFlight: 100 }
    const full = { body: new Uint8Array(100) }
    const { send, deliver } = openGateway({ limits })
    const requests = [
      () => send(full),
      () => send({ body: new Uint8Array(101) }),
      () => deliver({ body: new TextEncoder().encode('x'.repeat(100)) }),
      () =>
        send({
          readBody: async (sink) => {
            sink.push(new Uint8Array(100))
            throw new Error('the host failed')
          },
        }),
      () => deliver(),
    ]
    for (const request of [...requests, ...requests]) {
      expect((await request()).said).not.toBe('OVERLOADED')
    }
    const unavailable = openGateway({ limits, inbox: { ...createMemoryInbox(), record: reject } })
    for (let request = 0; request < 3; request++) {
      expect((await unavailable.deliver()).said).toBe('INBOX_UNAVAILABLE')
    }
  })

  it('uses the default for an undefined limit and rejects NaN', async () => {
    const { send } = openGateway({ limits: { bodyBytes: undefined as never } })
    expect((await send({ body: new Uint8Array(1024 * 1024 + 1) })).said).toBe('PAYLOAD_TOO_LARGE')
    expect(() => openGateway({ limits: { bytesInFlight: NaN } })).toThrow(TypeError)
  })

  it('rejects chunks after the response', async () => {
    const { send } = openGateway({ limits: { bytesInFlight: 100 } })
    let late: BodySink | undefined
    await send({
      readBody: async (sink) => {
        late = sink
      },
    })
    expect(() => late?.push(new Uint8Array(100))).toThrow(
      expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' }) as Error,
    )
    expect((await send(fill)).said).toBe('INVALID_SIGNATURE')
  })
})

describe('unavailable secret', () => {
  const leases: Record<string, () => never | Promise<{ values: string[] }> | { values: string[] }> = {
    'when the store hangs': never,
    'when the store rejects': reject,
    'when the list is empty': () => ({ values: [] }),
    'when every secret is empty': async () => ({ values: ['', ''] }),
  }
  it.each(Object.keys(leases))('answers 503 before the body is read %s', async (how) => {
    fakeTimers()
    let read = 0
    const { send, observed } = openGateway({ secrets: { lease: leases[how]! } })
    const answering = send({
      readBody: async () => {
        read++
      },
    })
    await vi.advanceTimersByTimeAsync(5000)
    expect(await answering).toMatchObject({
      status: 503,
      said: 'PROVIDER_UNAVAILABLE',
      headers: { 'Retry-After': '5' },
    })
    expect(observed[0]?.error).toBeInstanceOf(how.endsWith('hangs') ? DOMException : Error)
    expect(read).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  })
})
