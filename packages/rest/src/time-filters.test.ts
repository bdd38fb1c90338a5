import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseRfc3339 } from './time-filters.ts'

it.each([
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['0001-01-01', '0001-01-01T00:00:00.000Z'],
  ['2026-01-31T12:34:56Z', '2026-01-31T12:34:56.000Z'],
  ['2026-01-31t12:34:56.7891z', '2026-01-31T12:34:56.789Z'],
  // Regression: a fraction of more than nine digits was rejected. RFC 3339 sets no limit.
  ['2026-01-31T12:34:56.7899999999999999999999Z', '2026-01-31T12:34:56.789Z'],
  ['2026-01-31T12:34:56.5+05:30', '2026-01-31T07:04:56.500Z'],
  ['2026-01-01T00:00:00+00:01', '2025-12-31T23:59:00.000Z'],
  ['2025-12-31T23:30:00-01:00', '2026-01-01T00:30:00.000Z'],
])('parses %s as %s', (text, expected) => {
  expect(parseRfc3339(text)?.toISOString()).toBe(expected)
})

it.each([
  '',
  '2026',
  '2026-1-1',
  '2026-02-29',
  '2026-13-01',
  '2026-00-10',
  '2026-01-32',
  '2026-01-31T24:00:00Z',
  '2026-01-31T12:60:00Z',
  '2026-01-31T12:00:60Z',
  '2026-01-31T12:00Z',
  '2026-01-31T12:00:00',
  '2026-01-31T12:00:00+0100',
  '2026-01-31T12:00:00+24:00',
  '2026-01-31T12:00:00.Z',
  '2026-01-31 12:00:00Z',
  ' 2026-01-31',
  '2026-01-31\n',
  '+002026-01-31',
  // Regression: these caused a 500 because PostgreSQL has no year 0.
  '0000-01-01',
  '0000-12-31T23:59:59.999Z',
  '0001-01-01T00:00:00+00:01',
  '9999-12-31T23:59:59-00:01',
  '1e3',
  'today',
])('rejects %j', (text) => {
  expect(parseRfc3339(text)).toBeUndefined()
})

it('parses every time of the years 1 to 9999 that JavaScript writes', () => {
  const range = { min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z') }
  fc.assert(
    fc.property(fc.date({ ...range, noInvalidDate: true }), (date) => {
      expect(parseRfc3339(date.toISOString())).toEqual(date)
    }),
  )
})
