import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { bindRoute } from './bind-route.ts'
import { defineListQuery } from './define-list-query.ts'
import { defineRoute } from './define-route.ts'
import { cursorEnvelope, dataEnvelope, offsetEnvelope } from './envelope.ts'
import type { ListFilter } from './filters.ts'
import { schemaFilter } from './schema-filter.ts'

const base = { method: 'GET', path: '/x', operationId: 'x', summary: 'x', access: 'public' } as const
const of = <S extends z.ZodType>(data: S) =>
  defineRoute({ ...base, responses: { 200: { description: 'It', data } } })

const Label = z.object({ n: z.int() })
const user = of(
  z.strictObject({
    id: z.string(),
    name: z.string().optional(),
    at: z.date().nullable(),
    labels: z.array(Label).optional(),
  }),
)
interface Row {
  id: string
  name?: string
  at: Date | null
  labels?: { n: number }[]
}
const row: Row = { id: '1', at: null }
const choice = of(
  z.discriminatedUnion('t', [
    z.object({ t: z.literal('a') }),
    z.object({ t: z.literal('b'), x: z.enum(['on', 'off']) }),
  ]),
)
const list = defineRoute({
  ...base,
  query: defineListQuery({ sortable: ['id'], fields: ['id'] }),
  responses: { 200: { description: 'A page', list: z.object({ id: z.string() }) } },
})

// Regression: only missing fields were checked, so a password hash in a row compiled.
describe('an undeclared field does not compile', () => {
  it('in a resource', () => {
    const leaky = { ...row, password_hash: 'x' }
    // @ts-expect-error a literal with an undeclared field
    bindRoute(user, () => ({ status: 200, body: { data: { id: '1', at: null, password_hash: 'x' } } }))
    // @ts-expect-error a value with an undeclared field
    bindRoute(user, () => ({ status: 200, body: { data: leaky } }))
    // @ts-expect-error an envelope
    bindRoute(user, async () => ({ status: 200, body: dataEnvelope(leaky) }))
    const optional: Row & { secret?: string } = row
    // @ts-expect-error an optional field
    bindRoute(user, () => ({ status: 200, body: dataEnvelope(optional) }))
    type Either = { id: string; at: null } | { id: string; at: null; secret: string }
    const either = (): Either => ({ id: '1', at: null })
    // @ts-expect-error one of several results
    bindRoute(user, () => ({ status: 200, body: dataEnvelope(either()) }))
  })

  it('in nested values, next to data, and in a list', () => {
    const deep = { id: '1', at: null, labels: [{ n: 1, secret: 1 }] }
    // @ts-expect-error an item of an array
    bindRoute(user, () => ({ status: 200, body: dataEnvelope(deep) }))
    // @ts-expect-error next to data
    bindRoute(user, () => ({ status: 200, body: { data: row, debug: row.name } }))
    // @ts-expect-error next to body
    bindRoute(user, () => ({ status: 200, extra: 1, body: { data: row } }))
    // @ts-expect-error a field of another union member
    bindRoute(choice, () => ({ status: 200, body: { data: { t: 'a', x: 'on' } } }))
    const meta = { nextCursor: 'x', hasMore: false }
    // @ts-expect-error an item with an undeclared field
    bindRoute(list, () => ({ status: 200, body: cursorEnvelope([{ id: '1', secret: 1 }], meta) }))
    const tuple = of(z.tuple([z.string(), Label]))
    // @ts-expect-error a tuple with an undeclared field
    bindRoute(tuple, () => ({ status: 200, body: { data: ['a', { n: 1, secret: 1 }] } }))
  })

  it('in a tree', () => {
    const Tree = z.object({
      id: z.string(),
      get children() {
        return z.array(Tree)
      },
    })
    interface Leaf {
      id: string
      children: Leaf[]
      secret: string
    }
    const leaf: Leaf = { id: '1', children: [], secret: 'x' }
    // @ts-expect-error at any depth
    bindRoute(of(Tree), () => ({ status: 200, body: { data: { id: '0', children: [leaf] } } }))
    const child = { id: '2', children: [] }
    bindRoute(of(Tree), () => ({ status: 200, body: { data: { id: '1', children: [child] } } }))
  })
})

describe('a declared result compiles', () => {
  it('as a value and as a literal', () => {
    bindRoute(user, async () => ({ status: 200, headers: { ETag: '"1"' }, body: dataEnvelope(row) }))
    bindRoute(user, () => ({ status: 200, body: { data: { ...row, labels: [{ n: 1 }] } } }))
    bindRoute(choice, () => ({ status: 200, body: { data: { t: 'b', x: 'on' } } }))
    bindRoute(choice, () => ({ status: 200, body: dataEnvelope({ t: 'b', x: 'on' } as const) }))
    bindRoute(choice, () => {
      if (row.id === '1') return { status: 200, body: { data: { t: 'a' } } }
      return { status: 200, body: { data: { t: 'b', x: 'on' } } }
    })
    const tags = of(z.object({ tags: z.array(z.string()) }))
    bindRoute(tags, () => ({ status: 200, body: { data: { tags: ['a'] } } }))
    bindRoute(of(z.array(z.string())), () => ({ status: 200, body: dataEnvelope(['a']) }))
    const page = { page: 1, limit: 1, total: 1 }
    bindRoute(list, () => ({ status: 200, body: offsetEnvelope([{ id: '1' }], page) }))
  })

  it('with an open schema, and with one of several statuses', () => {
    bindRoute(of(z.unknown()), () => ({ status: 200, body: { data: { a: 1 } } }))
    bindRoute(of(z.custom<object>()), () => ({ status: 200, body: { data: { a: 1 } } }))
    bindRoute(of(z.instanceof(Object)), () => ({ status: 200, body: { data: { a: 1 } } }))
    const details = of(z.object({ details: z.custom<object>().optional() }))
    bindRoute(details, () => ({ status: 200, body: { data: { details: { a: 1 } } } }))
    bindRoute(of(z.json()), () => ({ status: 200, body: { data: { a: [1, { b: null }] } } }))
    bindRoute(of(z.looseObject({ a: z.int() })), () => ({ status: 200, body: { data: { a: 1, b: 2 } } }))
    bindRoute(of(z.record(z.string(), Label)), () => ({ status: 200, body: { data: { a: { n: 1 } } } }))
    const two = defineRoute({
      ...base,
      responses: { 200: { description: 'It', body: Label }, 202: { description: 'Later' } },
    })
    bindRoute(two, async () => {
      if (row.id === '1') return { status: 202 }
      return { status: 200, body: { n: 1 } }
    })
  })
})

it('parameters and filters accept schemas that convert text', () => {
  const route = { ...base, path: '/a/{id}/{at}', responses: { 204: { description: 'No' } } } as const
  const params = z.object({ id: z.coerce.number(), at: z.string().transform((text) => new Date(text)) })
  bindRoute(defineRoute({ ...route, params }), (request) => {
    expectTypeOf(request.params).toEqualTypeOf<{ id: number; at: Date }>()
    return { status: 204 }
  })
  defineRoute({
    ...route,
    params: z.object({ id: z.string().nullable(), at: z.union([z.string(), z.int()]) }),
  })
  // @ts-expect-error a parameter is not a number
  defineRoute({ ...route, params: z.object({ id: z.number(), at: z.string() }) })
  expectTypeOf(schemaFilter(z.coerce.number())).toEqualTypeOf<ListFilter<number>>()
  // @ts-expect-error a query parameter is not a number
  expect(() => schemaFilter(z.number())).toThrow('must accept text')
  // Regression: functions that are generic over schemas did not compile.
  const trimmed = <Schema extends z.ZodType<string, string>>(schema: Schema) => schemaFilter(schema)
  expectTypeOf(trimmed(z.string())).toEqualTypeOf<ListFilter<string>>()
  // @ts-expect-error a generic schema must not take a number
  const numeric = <Schema extends z.ZodType<number, number>>(schema: Schema) => schemaFilter(schema)
  expectTypeOf(numeric).toBeFunction()
})
