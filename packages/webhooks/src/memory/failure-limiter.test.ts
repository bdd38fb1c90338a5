import { testFailureLimiter } from '@sallyport/testing'
import { describe, expect, it } from 'vitest'
import { memoryFailureLimiter as checkedLimiter } from './checked-failure-limiter.ts'
import { memoryFailureLimiter } from './failure-limiter.ts'

testFailureLimiter({ describe, expect, it }, { create: (options) => memoryFailureLimiter(options) })

describe('memoryFailureLimiter', () => {
  it('counts a window from the first failure', async () => {
    let now = 1000
    const limiter = memoryFailureLimiter({ failures: 3, windowMs: 60_000, now: () => now })
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

  it('remembers 100,000 addresses unless it is told otherwise', () => {
    const limiter = memoryFailureLimiter({ failures: 1, now: () => 0 })
    for (let address = 0; address <= 100_000; address++) void limiter.fail(`10.${address}`)
    const left = [0, 1, 100_000].map((address) => limiter.check(`10.${address}`))
    expect(left).toEqual([0, 60_000, 60_000])
  })

  it('blocks after 20 failures for a minute unless it is told otherwise', () => {
    const limiter = memoryFailureLimiter({ now: () => 0 })
    const waits = Array.from({ length: 20 }, () => [limiter.check('192.0.2.1'), limiter.fail('192.0.2.1')])
    expect(waits.flat().every((waitMs) => waitMs === 0)).toBe(true)
    expect(limiter.check('192.0.2.1')).toBe(60_000)
  })

  it('tells time by itself unless it is given a clock', async () => {
    const limiter = memoryFailureLimiter({ failures: 1, windowMs: 1 })
    await limiter.fail('192.0.2.1')
    await expect.poll(() => limiter.check('192.0.2.1'), { timeout: 10_000 }).toBe(0)
  })

  it.each(['failures', 'windowMs', 'addresses'])('takes no %s that is none', (name) => {
    for (const value of [NaN, Infinity, 0, -1, 1.5]) {
      expect(() => checkedLimiter({ [name]: value })).toThrow(
        new TypeError(`${name} must be an integer of at least 1`),
      )
    }
  })

  it('keeps the options that were checked', async () => {
    const limiter = checkedLimiter({ failures: 1, windowMs: 5, now: () => 0 })
    await limiter.fail('192.0.2.1')
    expect(await limiter.check('192.0.2.1')).toBe(5)
  })
})
