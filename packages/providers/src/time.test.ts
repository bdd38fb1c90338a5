import { expect, it } from 'vitest'
import { occurredAt, optionalMoment, optionalSeconds, optionalTime } from './time.ts'

it.each([
  ['2025-02-10T10:39:38.000000Z', '2025-02-10T10:39:38.000Z'],
  ['2025-02-10T10:39:38+02:00', '2025-02-10T08:39:38.000Z'],
  ['1970-01-01T00:00:00.001Z', '1970-01-01T00:00:00.001Z'],
  ['1970-01-01T00:00:00Z', null],
  ['0001-01-01T00:00:00Z', null],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ['+010000-01-01T00:00:00Z', null],
  ['soon', null],
  ['', null],
  [1694046470, null],
  [null, null],
])('parses the text %j as %j', (text, time) => {
  expect(optionalTime.parse(text)).toBe(time)
})

it.each([
  [1694046470.93, '2023-09-07T00:27:50.930Z'],
  // 1.001 * 1000 and 2.0017 * 1000 are not integers: a Date would truncate instead of round.
  [1.001, '1970-01-01T00:00:01.001Z'],
  [2.0017, '1970-01-01T00:00:02.002Z'],
  [0, null],
  [-1, null],
  [253402300799.999, '9999-12-31T23:59:59.999Z'],
  [253402300800, null],
  [Number.NaN, null],
  ['1694046470', null],
])('converts %j seconds to %j', (seconds, time) => {
  expect(optionalSeconds.parse(seconds)).toBe(time)
})

it.each([
  [1752520920123, '2025-07-14T19:22:00.123Z'],
  [1752520920123.6, '2025-07-14T19:22:00.124Z'],
  ['2025-07-14T19:22:00.123Z', '2025-07-14T19:22:00.123Z'],
  [0, null],
  [253402300800000, null],
  [Number.POSITIVE_INFINITY, null],
  [true, null],
])('converts %j (milliseconds or text) to %j', (moment, time) => {
  expect(optionalMoment.parse(moment)).toBe(time)
})

it('sets occurredAt only for a known time', () => {
  expect(occurredAt('2025-07-14T19:22:00.123Z')).toEqual({
    occurredAt: 1752520920123,
  })
  expect(occurredAt(null)).toEqual({})
})
