import { type } from 'arktype'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createStrip } from './strip-schema.ts'

const User = z.object({ id: z.string(), boss: z.object({ id: z.string() }).nullable().optional() })
const Shape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('circle'), radius: z.number() }),
  z.object({ kind: z.enum(['square', 'cube']), side: z.number() }),
])
interface Comment {
  readonly text: string
  readonly replies: readonly Comment[]
}
const Comment: z.ZodType<Comment> = z.object({
  text: z.string(),
  get replies() {
    return z.array(Comment)
  },
})

it.each([
  ['an object', User, { id: '1', x: 1 }, { id: '1' }],
  ['a nested object', User, { id: '1', boss: { id: '2', x: 1 } }, { id: '1', boss: { id: '2' } }],
  ['null', User, { id: '1', boss: null, x: 1 }, { id: '1', boss: null }],
  ['an array', z.array(User), [{ id: '1', x: 1 }], [{ id: '1' }]],
  ['a tuple', z.tuple([User, z.string()]), [{ id: '1', x: 1 }, 'a'], [{ id: '1' }, 'a']],
  ['a record', z.record(z.string(), User), { a: { id: '1', x: 1 } }, { a: { id: '1' } }],
  [
    'a loose object',
    z.looseObject({ boss: User }),
    { x: 1, boss: { id: '1', x: 1 } },
    { x: 1, boss: { id: '1' } },
  ],
  ['a member of a union', Shape, { kind: 'circle', radius: 1, side: 2 }, { kind: 'circle', radius: 1 }],
  ['a member with choices', Shape, { kind: 'cube', radius: 1, side: 2 }, { kind: 'cube', side: 2 }],
  ['an unknown member of a union', Shape, { kind: 'x', radius: 1, x: 2 }, { kind: 'x', radius: 1 }],
  [
    'an intersection',
    z.intersection(User, z.object({ age: z.int() })),
    { id: '1', age: 2, x: 1 },
    { id: '1', age: 2 },
  ],
  ['a union with an array', z.union([z.array(User), User]), [{ id: '1', x: 1 }], [{ id: '1' }]],
  [
    'a recursive schema',
    Comment,
    { text: 'a', replies: [{ text: 'b', x: 1, replies: [] }] },
    { text: 'a', replies: [{ text: 'b', replies: [] }] },
  ],
  ['an optional default', User.default({ id: '0' }).optional(), { id: '1', x: 1 }, { id: '1' }],
  ['an object of arktype', type({ id: 'string', 'boss?': { id: 'string' } }), { id: '1', x: 1 }, { id: '1' }],
  ['an empty object', z.object({}), { x: 1 }, {}],
  ['an array in the place of an object', User, [{ id: '1', x: 1 }], [{ id: '1' }]],
  [
    'an object in the place of a text',
    User,
    { id: { hash: 'x' }, boss: { id: [{ x: 1 }] } },
    { id: {}, boss: { id: {} } },
  ],
  [
    'an object in the place of a choice',
    z.array(z.enum(['a', 'b']).nullable()),
    [{ x: 1 }, null, 'a'],
    [{}, null, 'a'],
  ],
])('removes the undeclared fields of %s', (_, schema, value, kept) => {
  expect(createStrip(schema)?.(value)).toEqual(kept)
})

it.each([
  ['z.unknown()', z.object({ data: z.unknown() }), { data: { x: 1 } }],
  ['z.custom()', z.object({ data: z.custom<object>() }), { data: { x: 1 } }],
  [
    'a transformed value',
    z.object({ data: z.string().transform((text) => ({ text })) }),
    { data: { text: 'x' } },
  ],
  ['an object that does not match', User, { id: 7, boss: 'x' }],
  ['a date in the place of a text', z.object({ at: z.iso.datetime() }), { at: new Date(0) }],
  ['a text', User, 'x'],
])('returns the value itself for %s', (_, schema, value) => {
  expect(createStrip(schema)?.(value)).toBe(value)
})

it('strips what toJSON returns, and keeps dates', () => {
  const at = new Date(0)
  const strip = createStrip(z.object({ user: User, at: z.date() }))
  const user = { toJSON: () => ({ id: '1', hash: 'x' }) }
  expect(JSON.stringify(strip?.({ user, at }))).toBe(JSON.stringify({ user: { id: '1' }, at }))
})

it('does not set the prototype by a field', () => {
  const value: unknown = JSON.parse('{"a":{"x":1},"__proto__":{"x":1}}')
  const strip = createStrip(z.record(z.string(), z.object({})))
  expect(JSON.stringify(strip?.(value))).toBe('{"a":{},"__proto__":{}}')
})

it('takes time in proportion to the depth of a value', () => {
  let value: object = { text: 'x', replies: [], x: 1 }
  for (let depth = 0; depth < 200; depth++) value = { text: 'x', replies: [value] }
  expect(JSON.stringify(createStrip(Comment)?.(value))).not.toContain('"x":1')
})
