import { expect, it } from 'vitest'
import { z } from 'zod'
import { readPath } from './agreement.ts'
import {
  computed,
  count,
  data,
  flag,
  id,
  integer,
  list,
  readData,
  required,
  text,
  texts,
  time,
  withDefault,
  within,
} from './fields.ts'

it.each([
  ['text', text, ['a', ' '], ['', 1, true, null, undefined, [], {}]],
  ['integer', integer, [0, -5, 7], [1.5, 2 ** 53, 1e300, '1', null]],
  ['count', count, [0, 7], [-1, 1.5, 2 ** 53, '1', null]],
  ['flag', flag, [true, false], [0, 'true', null]],
])('a %s is null for another value', (_, sort, valid, others) => {
  const { read, schema } = sort('a.b')
  for (const value of valid) expect(read({ a: { b: value } })).toBe(value)
  for (const value of others) expect(read({ a: { b: value } })).toBeNull()
  for (const payload of [null, 'a', {}, { a: null }, { a: 'b' }, Object.create({ a: { b: 1 } })])
    expect(schema.parse(read(payload))).toBeNull()
})

it('an id is text, from text or from a number', () => {
  const read = (value: unknown) => id('id').read({ id: value })
  expect(['6XR4', 7, 0].map(read)).toEqual(['6XR4', '7', '0'])
  for (const value of ['', -1, 1.5, 2 ** 53, true, null]) expect(read(value)).toBeNull()
})

it.each([
  ['2025-02-10T10:39:38.000000Z', '2025-02-10T10:39:38.000Z'],
  ['2025-02-10T10:39:38+02:00', '2025-02-10T08:39:38.000Z'],
  ['1970-01-01T00:00:00Z', null],
  ['0001-01-01T00:00:00Z', null],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ['+010000-01-01T00:00:00Z', null],
  ['soon', null],
  ['', null],
  // A Date would truncate 1694046470.93 * 1000 instead of rounding it.
  [1694046470.93, '2023-09-07T00:27:50.930Z'],
  [2.0017, '1970-01-01T00:00:02.002Z'],
  [1752520920123, '2025-07-14T19:22:00.123Z'],
  [0, null],
  [-1, null],
  [1e300, null],
  [true, null],
])('a time %j is %j', (value, expected) => {
  expect(time('at').read({ at: value })).toBe(expected)
})

it('a field has the first valid value among its paths', () => {
  const { read } = text('a', 'b.c', 'd.0')
  expect(read({ a: 'A', b: { c: 'C' } })).toBe('A')
  expect(read({ a: 7, b: { c: 'C' } })).toBe('C')
  expect(read({ b: {}, d: ['D'] })).toBe('D')
})

it('reads data, of which only the required fields can be invalid', () => {
  const schema = data({
    name: required(text('name')),
    title: withDefault(text('title'), 'untitled'),
    labels: texts('labels'),
    parts: list('parts', data({ size: count('size') })),
    owner: within((payload) => readPath(payload, 'owners.0'), text('login')),
    is_new: computed(z.boolean(), () => true),
  })
  const payload = {
    name: 'a',
    labels: ['x', '', 7, 'y'],
    parts: [{ size: 1 }, null, 5, {}],
    owners: [{ login: 'o' }],
  }
  const read = {
    name: 'a',
    title: 'untitled',
    labels: ['x', 'y'],
    parts: [{ size: 1 }, { size: null }],
    owner: 'o',
    is_new: true,
  }
  expect(readData(schema, payload)).toEqual(read)
  expect(schema.parse(read)).toEqual(read)
  const nothing = schema.safeParse(readData(schema, {}))
  expect(nothing.error?.issues.map(({ path }) => path)).toEqual([['name']])
})
