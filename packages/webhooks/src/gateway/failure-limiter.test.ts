import { testFailureLimiter } from '@sallyport/testing'
import { describe, expect, it } from 'vitest'
import { createMemoryFailureLimiter } from './failure-limiter.ts'

testFailureLimiter({ describe, expect, it }, { create: (options) => createMemoryFailureLimiter(options) })

describe('createMemoryFailureLimiter', () => {
  it('counts a window from the first failure', async () => {
    let now = 1000
    const limiter = createMemoryFailureLimiter({ failures: 3, windowMs: 60_000, now: () => now })
    for (let failure = 1; failure <= 3; failure++) {
      await limiter.fail('192.0.2.1')
      now += 10_000
    }
    expect(await limiter.check('192.0.2.1')).toBe(30_000)
    for (let asked = 0; asked < 2; asked++) {
      now += 30_000
      expect(await limiter.check('192.0.2.1')).toBe(0)
    }
  })

  it('forgets the oldest windows beyond the number of addresses', async () => {
    let now = 0
    const limiter = createMemoryFailureLimiter({ failures: 1, addresses: 100, now: () => now })
    for (let address = 0; address < 150; address++) {
      now++
      await limiter.fail(`address-${String(address)}`)
    }
    expect(await limiter.check('address-49')).toBe(0)
    expect(await limiter.check('address-50')).toBeGreaterThan(0)
    expect(await limiter.check('address-149')).toBeGreaterThan(0)
  })

  it('stores 100,000 addresses by default', () => {
    const limiter = createMemoryFailureLimiter({ failures: 1, now: () => 0 })
    for (let address = 0; address <= 100_000; address++) void limiter.fail(`10.${address}`)
    const left = [0, 1, 100_000].map((address) => limiter.check(`10.${address}`))
    expect(left).toEqual([0, 60_000, 60_000])
  })

  it('blocks for a minute after 20 failures by default', () => {
    const limiter = createMemoryFailureLimiter({ now: () => 0 })
    const waits = Array.from({ length: 20 }, () => [limiter.check('192.0.2.1'), limiter.fail('192.0.2.1')])
    expect(waits.flat().every((waitMs) => waitMs === 0)).toBe(true)
    expect(limiter.check('192.0.2.1')).toBe(60_000)
  })

  it('uses a monotonic clock by default', async () => {
    const limiter = createMemoryFailureLimiter({ failures: 1, windowMs: 1 })
    await limiter.fail('192.0.2.1')
    await expect.poll(() => limiter.check('192.0.2.1'), { timeout: 10_000 }).toBe(0)
  })

  it.each(['failures', 'windowMs', 'addresses'])('rejects an invalid %s', (name) => {
    for (const value of [NaN, Infinity, 0, -1, 1.5]) {
      expect(() => createMemoryFailureLimiter({ [name]: value })).toThrow(
        new TypeError(`${name} must be an integer of at least 1`),
      )
    }
  })
})
