import { describe, expect, it } from 'vitest'
import { testFailureLimiter } from '../testing/index.ts'
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
    now += 30_000
    expect(await limiter.check('192.0.2.1')).toBe(0)
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
})
