import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBodyBudget, checkBodyLimits, widenNetwork } from './body-budget.ts'

const createBudget = (bytesInFlight: number, bytesInFlightPerAddress = bytesInFlight) =>
  createBodyBudget(checkBodyLimits({ bytesInFlight, bytesInFlightPerAddress }))
const overloaded = expect.objectContaining({
  code: 'OVERLOADED',
  status: 503,
  headers: { 'Retry-After': '1' },
}) as Error

describe('checkBodyLimits', () => {
  const defaults = {
    bodyBytes: 1_048_576,
    bytesInFlight: 268_435_456,
    bytesInFlightPerAddress: 67_108_864,
    bodyTimeoutMs: 10_000,
  }

  it('uses the default for a missing or undefined limit', () => {
    // Regression: undefined disabled the limits.
    const nothing = Object.fromEntries(Object.keys(defaults).map((name) => [name, undefined]))
    for (const given of [undefined, {}, nothing]) expect(checkBodyLimits(given)).toEqual(defaults)
    expect(checkBodyLimits({ bytesInFlight: 7 })).toEqual({ ...defaults, bytesInFlight: 7 })
  })

  it.each(Object.keys(defaults))('rejects a %s that is not positive and finite', (name) => {
    for (const value of [NaN, Infinity, 0, -1, null, '1mb']) {
      expect(() => checkBodyLimits({ [name]: value })).toThrow(
        new TypeError(`limits.${name} must be positive and finite`),
      )
    }
  })

  it('limits the timeout to the longest timer', () => {
    const openSink = createBodyBudget(checkBodyLimits({ bodyTimeoutMs: 2 ** 40 }))
    expect(openSink(1, undefined).timeoutMs).toBe(2 ** 31 - 1)
  })
})

describe('createBodyBudget', () => {
  it('rejects every chunk when the limit is NaN', () => {
    const sink = createBudget(1000)(NaN, 'a')
    expect(() => {
      sink.push(new Uint8Array(1))
    }).toThrow(expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' }) as Error)
  })

  it('accepts a body of the exact limit and rejects a larger one', () => {
    const sink = createBudget(1000)(10, 'a')
    sink.push(new Uint8Array(6))
    sink.push(new Uint8Array(4))
    expect(() => {
      sink.push(new Uint8Array(1))
    }).toThrow(expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE', status: 413 }) as Error)
    expect(sink.bytes()).toHaveLength(10)
  })

  it('passes the timeout to the sink', () => {
    const budget = createBodyBudget(checkBodyLimits({ bodyTimeoutMs: 7 }))
    expect(budget(1, undefined).timeoutMs).toBe(7)
  })

  it('counts each client separately', () => {
    const budget = createBudget(1000, 60)
    budget(100, 'a').push(new Uint8Array(60))
    expect(() => {
      budget(100, 'a').push(new Uint8Array(1))
    }).toThrow(overloaded)
    budget(100, 'b').push(new Uint8Array(60))
  })

  it('counts a body without an address only against the total', () => {
    const budget = createBudget(100, 10)
    budget(100, undefined).push(new Uint8Array(90))
    expect(() => {
      budget(100, 'b').push(new Uint8Array(11))
    }).toThrow(overloaded)
  })

  it('leaves memory for other addresses when many addresses use their share', () => {
    for (const addresses of [
      ['192.0.2.1', '198.51.100.1', '203.0.113.1', '10.0.0.1'],
      ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'],
      ['2001:db8:0:1::/64', '2001:db8:0:2::/64', '2001:db8:0:3::/64', '2001:db8:0:4::/64'],
      [undefined, undefined, undefined, undefined],
    ]) {
      const budget = createBudget(256_000, 64_000)
      for (const address of addresses) {
        const body = budget(64_000, address)
        expect(() => {
          for (;;) body.push(new Uint8Array(100))
        }).toThrow()
      }
      for (const address of ['192.0.2.9', '198.51.100.9', '2001:db8:0:9::/64', undefined])
        budget(1000, address).push(new Uint8Array(1000))
    }
  })

  it('gives an address its full share while no other address holds bytes', () => {
    const budget = createBudget(100)
    const first = budget(100, 'a')
    first.push(new Uint8Array(50))
    budget(100, 'a').push(new Uint8Array(50))
  })

  it('releases the bytes of a body once and rejects later chunks', () => {
    const budget = createBudget(100)
    const first = budget(100, 'a')
    first.push(new Uint8Array(100))
    first.release()
    first.release()
    expect(() => {
      first.push(new Uint8Array(1))
    }).toThrow(expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' }) as Error)
    budget(100, 'a').push(new Uint8Array(100))
    expect(() => {
      budget(100, 'b').push(new Uint8Array(1))
    }).toThrow(overloaded)
  })

  it('does not count rejected chunks', () => {
    const budget = createBudget(100, 50)
    const sink = budget(40, 'a')
    for (const bytes of [41, 60, 101]) {
      expect(() => {
        sink.push(new Uint8Array(bytes))
      }).toThrow()
    }
    sink.release()
    budget(100, 'a').push(new Uint8Array(50))
    budget(100, 'b').push(new Uint8Array(16))
  })

  it('matches the model for random bodies and ends empty', () => {
    const step = fc.record({
      body: fc.nat(5),
      bytes: fc.integer({ min: 1, max: 60 }),
      release: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { minLength: 40, maxLength: 80 }), (steps) => {
        const budget = createBudget(100, 50)
        const clients = ['192.0.2.1', '192.0.2.1', '192.0.2.2', '198.51.100.1', undefined, undefined]
        const networks = ['192.0.2', '192.0.2', '192.0.2', '198.51.100', undefined, undefined]
        const open = (body: number) => ({ sink: budget(40, clients[body]), held: 0 })
        const bodies = clients.map((_, body) => open(body))
        const sumHeld = (isCounted: (body: number) => boolean) =>
          bodies.reduce((sum, { held }, body) => sum + (isCounted(body) ? held : 0), 0)
        for (const { body, bytes, release } of steps) {
          const one = bodies[body]!
          if (release) {
            one.sink.release()
            bodies[body] = open(body)
            continue
          }
          const isNear = (keys: readonly unknown[]) => (other: number) =>
            keys[body] === undefined ? other === body : keys[other] === keys[body]
          const own = sumHeld(isNear(clients)) + bytes
          const near = sumHeld(isNear(networks)) + bytes
          const total = sumHeld(() => true) + bytes
          const fits =
            one.held + bytes <= 40 &&
            total <= 100 &&
            (clients[body] === undefined || own <= 50) &&
            (total === own || own <= (100 - total) * (1 - (2 * near) / 100))
          const push = () => {
            one.sink.push(new Uint8Array(bytes))
          }
          if (fits) {
            push()
            one.held += bytes
          } else expect(push).toThrow()
        }
        for (const { sink } of bodies) sink.release()
        for (const client of clients) {
          const sink = budget(50, client)
          sink.push(new Uint8Array(50))
          sink.release()
        }
      }),
    )
  })
})

it.each([
  ['192.0.2.1', '192.0.2'],
  ['2001:db8:1:2::/64', '2001:db8:1'],
  ['0:0:0:0::/64', '0:0:0'],
  ['', ''],
])('widens the network %s to %s', (network, wider) => {
  expect(widenNetwork(network)).toBe(wider)
})
