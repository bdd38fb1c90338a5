import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ratioOf, spreadOf } from './statistics.ts'

describe('a spread', () => {
  it('has the middle value, or the mean of the two in the middle', () => {
    expect(spreadOf([9, 1, 2])).toEqual({ median: 2, low: 1.5, high: 5.5 })
    expect(spreadOf([4, 1, 2, 30, 3])).toEqual({ median: 3, low: 2, high: 4 })
    expect(spreadOf([4, 1, 2, 30]).median).toBe(3)
    expect(spreadOf([5])).toEqual({ median: 5, low: 5, high: 5 })
  })

  it('has as many values above the median as below it, in whatever order they come', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1 }), (values) => {
        const { median, low, high } = spreadOf(values)
        expect(values.filter((value) => value < median).length).toBeLessThanOrEqual(values.length / 2)
        expect(values.filter((value) => value > median).length).toBeLessThanOrEqual(values.length / 2)
        expect(values.filter((value) => value < low).length).toBeLessThan(values.length / 4 + 1)
        expect(values.filter((value) => value > high).length).toBeLessThan(values.length / 4 + 1)
      }),
    )
  })

  it('of nothing is refused', () => {
    expect(() => spreadOf([])).toThrow(TypeError)
  })
})

describe('a ratio', () => {
  it('is of what both did in the same round, so that a disturbance of both does not show', () => {
    expect(ratioOf([200, 20, 2], [100, 10, 1])).toEqual({ median: 2, low: 2, high: 2 })
  })
})
