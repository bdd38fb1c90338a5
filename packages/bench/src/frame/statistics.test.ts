import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { computeRatio, computeSpread } from './statistics.ts'

describe('a spread', () => {
  it('has the median, or the mean of the two middle values', () => {
    expect(computeSpread([9, 1, 2])).toEqual({ median: 2, low: 1.5, high: 5.5 })
    expect(computeSpread([4, 1, 2, 30, 3])).toEqual({ median: 3, low: 2, high: 4 })
    expect(computeSpread([4, 1, 2, 30]).median).toBe(3)
    expect(computeSpread([5])).toEqual({ median: 5, low: 5, high: 5 })
  })

  it('has as many values above the median as below it, in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1 }), (values) => {
        const { median, low, high } = computeSpread(values)
        expect(values.filter((value) => value < median).length).toBeLessThanOrEqual(values.length / 2)
        expect(values.filter((value) => value > median).length).toBeLessThanOrEqual(values.length / 2)
        expect(values.filter((value) => value < low).length).toBeLessThan(values.length / 4 + 1)
        expect(values.filter((value) => value > high).length).toBeLessThan(values.length / 4 + 1)
      }),
    )
  })

  it('rejects an empty list', () => {
    expect(() => computeSpread([])).toThrow(TypeError)
  })
})

describe('a ratio', () => {
  it('compares values of the same round, so that common disturbances cancel out', () => {
    expect(computeRatio([200, 20, 2], [100, 10, 1])).toEqual({ median: 2, low: 2, high: 2 })
  })
})
