import { expect, it } from 'vitest'
import { listRetryDelays, type RetryOptions } from './retry-delays.ts'

it('returns a list of delays unchanged', () => {
  expect(listRetryDelays([1000, 500])).toEqual([1000, 500])
  expect(listRetryDelays([])).toEqual([])
})

it('lets delays grow to the longest one until the time has passed', () => {
  expect(listRetryDelays({ firstMs: 10, longestMs: 40, forMs: 150 })).toEqual([10, 20, 40, 40, 40])
  expect(listRetryDelays({ firstMs: 10, factor: 1, forMs: 30 })).toEqual([10, 10, 10])
})

it('retries for three days by default', () => {
  const delays = listRetryDelays({})
  expect(delays.slice(0, 3)).toEqual([5000, 10_000, 20_000])
  const hours = delays.reduce((sum, delay) => sum + delay, 0) / 3_600_000
  expect(hours).toBeGreaterThan(66)
  expect(hours).toBeLessThanOrEqual(72)
})

it.each<RetryOptions>([
  ...[[0], [1.5], [604_800_000, 1], Array(1001).fill(1)],
  ...[{ firstMs: 0 }, { factor: 0.5 }, { firstMs: 10, longestMs: 5 }, { forMs: 604_800_001 }],
  { firstMs: 1, factor: 1, forMs: 604_800_000 },
])('rejects %j', (options) => {
  expect(() => listRetryDelays(options)).toThrow(/^retry/)
})
