import { expect, it } from 'vitest'
import { acceptsGzip } from './accept-encoding.ts'

it.each([
  ['gzip', true],
  ['br, GZIP ; q=0.5', true],
  ['gzip;q=0.0', false],
  ['gzip;q=high', false],
  ['x-gzip, gzipped, deflate', false],
  ['', false],
])('reads %j', (header, expected) => {
  expect(acceptsGzip(header)).toBe(expected)
})

// Regression: the time was quadratic in the number of spaces, and 100,000 took half a minute.
it('reads a long run of spaces in linear time', () => {
  const startedAt = performance.now()
  expect(acceptsGzip(`gzip${' '.repeat(100_000)}x`)).toBe(false)
  expect(performance.now() - startedAt).toBeLessThan(10_000)
})
