import fc from 'fast-check'
import { expect, it } from 'vitest'
import { editObjects } from './edit-objects.ts'

it('keeps the text of other values', () => {
  const rename = editObjects('{ "a" : {"b":[1.0, "]}\\""], "c": {} } }', ['a'], (members) =>
    members.map(({ name, value }) => ({ name: `${name}'`, value })),
  )
  expect(rename).toBe(`{"a":{"b'":[1.0, "]}\\""],"c'":{}}}`)
})

it.each([
  ['1', ['a']],
  ['[{"a":1}]', ['a']],
  ['{"a":[{}]}', ['a', 'b']],
  ['{"a":{"*":{}}}', ['a', '*']],
  ['[1,"*"]', ['*']],
  ['[]', ['*']],
])('edits nothing in %s without an object at the path %j', (json, path) => {
  expect(editObjects(json, path, () => [{ name: 'edited', value: '1' }])).toBe(json)
})

it('keeps the value of any object that is not edited', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const json = JSON.stringify({ items: [value, value] }, undefined, 1)
      const edited = editObjects(json, ['items', '*'], (members) => members)
      expect(JSON.parse(edited)).toEqual(JSON.parse(json))
    }),
  )
})
