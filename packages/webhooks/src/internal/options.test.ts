import { describe, expect, test } from 'vitest'
import { integerOption, timerOption } from './options.ts'

// What is no number at all comes from JavaScript, or from a setting that nobody looked at.
const noIntegers = [NaN, Infinity, -Infinity, 1.5, 2 ** 53, '3', null, undefined] as number[]

describe('integerOption', () => {
  test.each([0, 1, Number.MAX_SAFE_INTEGER])('gives %d', (value) => {
    expect(integerOption('keys', value, 0)).toBe(value)
  })

  test.each([...noIntegers, -1])('refuses %s', (value) => {
    expect(() => integerOption('keys', value, 0)).toThrow(
      new TypeError('keys must be an integer of at least 0'),
    )
  })

  test.each([0, 61])('refuses %d, which is out of its range', (value) => {
    expect(() => integerOption('limit', value, 1, 60)).toThrow(
      new TypeError('limit must be an integer from 1 to 60'),
    )
  })
})

describe('timerOption', () => {
  test('gives what a timer takes', () => {
    expect([timerOption('everyMs', 1), timerOption('everyMs', 2 ** 31 - 1)]).toEqual([1, 2_147_483_647])
    expect(timerOption('pauseMs', 0, 0)).toBe(0)
  })

  // A timer once ended a wait of thirty days after a millisecond.
  test.each([...noIntegers, 0, -1, 2 ** 31])('refuses %s', (value) => {
    expect(() => timerOption('everyMs', value)).toThrow(
      new TypeError('everyMs must be an integer from 1 to 2147483647'),
    )
  })
})
