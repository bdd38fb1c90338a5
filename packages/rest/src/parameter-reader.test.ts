import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readRequest } from './route-request.ts'
import type { AnyRoute, RouteQuery } from './route.ts'

const base = { method: 'GET', path: '/books', operationId: 'listBooks', access: 'public' } as const

async function read(query: RouteQuery, text: string): Promise<unknown> {
  const route: AnyRoute = { ...base, query, responses: { 204: {} } }
  return (await readRequest(route, { params: {}, query: text })).query
}

const tags = z.array(z.enum(['new', 'old']))
const Page = z.int().meta({ id: 'Page' })

// Regression: every request with one of these parameters was 400.
describe('a query parameter', () => {
  it.each([
    ['an array', z.object({ tag: tags }), 'tag=new&tag=old', { tag: ['new', 'old'] }],
    ['an array of one', z.object({ tag: tags }), 'tag=new', { tag: ['new'] }],
    ['an array of numbers', z.object({ n: z.array(z.number()) }), 'n=1&n=-2.5e3', { n: [1, -2500] }],
    ['a tuple', z.object({ n: z.tuple([z.string(), z.int()]) }), 'n=1&n=1', { n: ['1', 1] }],
    ['an absent array', z.object({ tag: tags.optional() }), '', {}],
    ['an array by default', z.object({ tag: tags.default(['old']) }), '', { tag: ['old'] }],
    [
      'one or several',
      z.object({ q: z.union([z.string(), z.array(z.string())]) }),
      'q=a&q=b',
      { q: ['a', 'b'] },
    ],
    ['one of one or several', z.object({ q: z.union([z.string(), z.array(z.string())]) }), 'q=a', { q: 'a' }],
    ['a number', z.object({ n: z.number().min(1) }), 'n=5', { n: 5 }],
    ['a component', z.object({ n: Page.optional() }), 'n=5', { n: 5 }],
    [
      'text that the schema converts to what its metadata describe',
      z.object({ n: z.string().transform(Number).optional().meta({ type: 'integer' }) }),
      'n=5',
      { n: 5 },
    ],
    [
      'a Boolean',
      z.object({ on: z.boolean(), off: z.boolean() }),
      'on=true&off=false',
      { on: true, off: false },
    ],
    ['a coerced Boolean', z.object({ on: z.coerce.boolean() }), 'on=false', { on: false }],
    ['a literal', z.object({ v: z.literal([1, 2]) }), 'v=2', { v: 2 }],
    ['a number or a word', z.object({ n: z.union([z.literal('all'), z.int()]) }), 'n=5', { n: 5 }],
    ['a word or a number', z.object({ n: z.union([z.literal('all'), z.int()]) }), 'n=all', { n: 'all' }],
    ['text or a number', z.object({ n: z.union([z.int(), z.string()]) }), 'n=5', { n: '5' }],
    ['a number or null', z.object({ n: z.int().nullable() }), 'n=5', { n: 5 }],
    [
      'an intersection',
      z.object({ n: z.int() }).and(z.object({ tag: tags })),
      'n=1&tag=new',
      { n: 1, tag: ['new'] },
    ],
    [
      'a choice of objects',
      z.union([z.object({ n: z.int() }), z.object({ tag: tags })]),
      'tag=new',
      { tag: ['new'] },
    ],
    ['a record', z.record(z.string(), z.int()), 'a=1', { a: 1 }],
    [
      'a list in one text',
      z.object({ q: z.preprocess((text) => String(text).split(','), tags) }),
      'q=new,old',
      { q: ['new', 'old'] },
    ],
    [
      'JSON',
      z.object({ q: z.string().transform((text): unknown => JSON.parse(text)) }),
      'q=%7B%7D',
      { q: {} },
    ],
    ['arktype', type({ n: 'number', 'tag?': 'string[]' }), 'n=1&tag=a', { n: 1, tag: ['a'] }],
    ['valibot', toStandardJsonSchema(v.object({ n: v.array(v.number()) })), 'n=1', { n: [1] }],
    ['valibot without JSON Schema', v.object({ q: v.string() }), 'q=1', { q: '1' }],
  ] as const)('can be %s', async (_, schema, text, expected) => {
    expect(await read(schema, text)).toEqual(expected)
  })

  // Regression: text took precedence over the number of another member, which refused it.
  it.each([
    ['a member with a constant', 'kind=a&x=5', { kind: 'a', x: 5 }],
    ['another member with a constant', 'kind=b&x=5', { kind: 'b', x: '5' }],
    ['a member with a list', 'kind=c&x=5', { kind: 'c', x: [5] }],
    ['a member with a list of several', 'kind=c&x=5&x=6', { kind: 'c', x: [5, 6] }],
    ['a member with a Boolean', 'kind=d&x=true', { kind: 'd', x: true }],
  ])('is converted by %s of a union', async (_, text, expected) => {
    const query = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a'), x: z.number() }),
      z.object({ kind: z.literal('b'), x: z.string() }),
      z.object({ kind: z.literal('c'), x: z.array(z.number()) }),
      z.object({ kind: z.literal('d'), x: z.boolean() }),
    ])
    expect(await read(query, text)).toEqual(expected)
    const page = await read(query.and(z.object({ page: z.int() })), `${text}&page=2`)
    expect(page).toEqual({ ...expected, page: 2 })
  })

  it.each([
    ['x=5', { x: 5 }],
    ['x=5&y=a', { x: '5', y: 'a' }],
    ['x=a&y=a', { x: 'a', y: 'a' }],
  ])(
    'is converted from %s by the member of a union that has its required parameters',
    async (text, expected) => {
      const query = z.union([z.object({ x: z.number() }), z.object({ x: z.string(), y: z.string() })])
      expect(await read(query, text)).toEqual(expected)
    },
  )

  it('is converted by a member of a union that coerces it', async () => {
    const query = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal(1), x: z.coerce.boolean() }),
      z.object({ kind: z.literal(2), x: z.array(z.string()) }),
    ])
    expect(await read(query, 'kind=1&x=')).toEqual({ kind: 1, x: false })
  })

  it.each([
    ['kind=a&x=y', 'WRONG_TYPE'],
    ['kind=a&x=5&x=6', 'WRONG_TYPE'],
    ['kind=b', 'REQUIRED'],
  ])('is refused by the chosen member of a union in %s', async (text, code) => {
    const query = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a'), x: z.number() }),
      z.object({ kind: z.literal('b'), x: z.array(z.number()) }),
    ])
    await expect(read(query, text)).rejects.toMatchObject({ details: [{ code, field: 'x' }] })
  })

  it.each([
    ['n=', z.number()],
    ['n=x', z.number()],
    ['n=0x10', z.number()],
    ['n=Infinity', z.number()],
    ['n=1e999', z.number()],
    ['n=9007199254740993', z.int()],
    ['n=yes', z.boolean()],
    ['n=x', z.array(z.number())],
  ])('is not converted from %s', async (text, schema) => {
    await expect(read(z.object({ n: schema }), text)).rejects.toMatchObject({ status: 400 })
  })

  it('is refused if it repeats without being an array', async () => {
    await expect(read(z.object({ n: z.int() }), 'n=1&n=2')).rejects.toMatchObject({
      details: [{ code: 'DUPLICATE', field: 'n' }],
    })
  })

  it('is refused if an array has too many values', async () => {
    const text = Array.from({ length: 65 }, () => 'tag=new').join('&')
    await expect(read(z.object({ tag: tags }), text)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })
})
