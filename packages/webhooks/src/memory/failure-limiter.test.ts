import { describe, expect, it } from 'vitest'
import { memoryFailureLimiter } from '../index.ts'

describe('memoryFailureLimiter', () => {
  it('blocks an address after the allowed failures until the window has passed', async () => {
    let now = 1000
    const limiter = memoryFailureLimiter({ failures: 3, windowMs: 60_000, now: () => now })
    for (let failure = 1; failure <= 3; failure++) {
      expect(await limiter.check('192.0.2.1')).toBe(0)
      expect(await limiter.fail('192.0.2.1')).toBe(0)
      now += 10_000
    }
    expect(await limiter.check('192.0.2.1')).toBe(30_000)
    expect(await limiter.check('192.0.2.2')).toBe(0)
    now += 30_000
    expect(await limiter.check('192.0.2.1')).toBe(0)
    expect(await limiter.fail('192.0.2.1')).toBe(0)
    expect(await limiter.check('192.0.2.1')).toBe(0)
  })

  it('tells a failure that slipped through beside others', async () => {
    const limiter = memoryFailureLimiter({ failures: 2, windowMs: 60_000, now: () => 0 })
    expect([await limiter.fail('a'), await limiter.fail('a'), await limiter.fail('a')]).toEqual([
      0, 0, 60_000,
    ])
  })

  it('counts a /64 of IPv6 as one client, and an IPv4-mapped address as IPv4', async () => {
    const limiter = memoryFailureLimiter({ failures: 1 })
    await limiter.fail('2001:db8::1')
    expect(await limiter.check('2001:db8::ffff')).toBeGreaterThan(0)
    expect(await limiter.check('2001:db8:0:1::1')).toBe(0)
    await limiter.fail('::ffff:192.0.2.1')
    expect(await limiter.check('192.0.2.1')).toBeGreaterThan(0)
  })

  it.each(['failures', 'windowMs', 'addresses'])('refuses %s that would block nobody', (name) => {
    // Nothing was ever as many failures as NaN, and no window lasted as long: there once was no limiter at all.
    for (const value of [NaN, Infinity, 0, -1, 1.5]) {
      expect(() => memoryFailureLimiter({ [name]: value })).toThrow(
        new TypeError(`${name} must be an integer of at least 1`),
      )
    }
  })

  it('remembers a bounded number of addresses, and forgets the oldest windows first', async () => {
    let now = 0
    const limiter = memoryFailureLimiter({ failures: 1, addresses: 100, now: () => now })
    for (let address = 0; address < 150; address++) {
      now++
      await limiter.fail(`address-${String(address)}`)
    }
    expect(await limiter.check('address-49')).toBe(0)
    expect(await limiter.check('address-50')).toBeGreaterThan(0)
    expect(await limiter.check('address-149')).toBeGreaterThan(0)
  })
})
