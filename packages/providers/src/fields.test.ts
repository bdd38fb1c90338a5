import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { count, optional, optionalCount, optionalFlag, optionalText, text } from './fields.ts'

it.each([
  ['a text', optionalText, text],
  ['a count', optionalCount, count],
  ['a flag', optionalFlag, z.boolean()],
])('%s that an event can do without is what the schemas of zod make of it', (_, single, schema) => {
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
