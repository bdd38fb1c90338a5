import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { count, id, optional, optionalCount, optionalFlag, optionalText, text, readText } from './fields.ts'

it.each([
  ['a text', optionalText, text],
  ['a count', optionalCount, count],
  ['a flag', optionalFlag, z.boolean()],
])('an optional %s field equals its zod schema', (_, single, schema) => {
  const read = z.object({ field: single })
  const expected = z.object({ field: optional(schema) })
  const numbers = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(2 ** 53, -0))
  const values = fc.oneof(fc.jsonValue(), fc.string(), numbers, fc.boolean(), fc.constant(undefined))
  fc.assert(
    fc.property(values, (field) => {
      expect(read.parse({ field })).toEqual(expected.parse({ field }))
    }),
  )
  expect(read.parse({})).toEqual({ field: null })
})

it('converts text and integers to text ids', () => {
  expect([id.parse('6XR4'), id.parse(7), id.parse(0)]).toEqual(['6XR4', '7', '0'])
  for (const input of ['', -1, 1.5, 2 ** 53, true, null]) expect(id.safeParse(input).success).toBe(false)
})

it('reads a text from an arbitrary payload', () => {
  expect(readText({ type: 'a' }, 'type')).toBe('a')
  for (const payload of [null, undefined, 'type', {}, { type: 5 }, Object.create({ type: 'a' })])
    expect(readText(payload, 'type')).toBeUndefined()
})
