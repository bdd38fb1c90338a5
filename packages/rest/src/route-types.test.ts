import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { defineListQuery } from './define-list-query.ts'
import { cursorEnvelope, dataEnvelope, offsetEnvelope } from './envelope.ts'
import type { ListFilter } from './filters.ts'
import { createRouteGroup } from './route-group.ts'
import { schemaFilter } from './schema-filter.ts'

const route = createRouteGroup()
const of = <S extends z.ZodType>(data: S) => ({ operationId: 'x', responses: { 200: { data } } })

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
const list = {
  operationId: 'x',
  query: defineListQuery({ sortable: ['id'], fields: ['id'] }),
  responses: { 200: { list: z.object({ id: z.string() }) } },
}

// Regression: only missing fields were checked, so a password hash in a row compiled.
describe('an undeclared field does not compile', () => {
  it('in a resource', () => {
    const leaky = { ...row, password_hash: 'x' }
    // @ts-expect-error a literal with an undeclared field
    route.get('/x', user, () => ({ status: 200, body: { data: { id: '1', at: null, password_hash: 'x' } } }))
    // @ts-expect-error a value with an undeclared field
    route.get('/x', user, () => ({ status: 200, body: { data: leaky } }))
    // @ts-expect-error an envelope
    route.get('/x', user, async () => ({ status: 200, body: dataEnvelope(leaky) }))
    const optional: Row & { secret?: string } = row
    // @ts-expect-error an optional field
    route.get('/x', user, () => ({ status: 200, body: dataEnvelope(optional) }))
    type Either = { id: string; at: null } | { id: string; at: null; secret: string }
    const either = (): Either => ({ id: '1', at: null })
    // @ts-expect-error one of several results
    route.get('/x', user, () => ({ status: 200, body: dataEnvelope(either()) }))
  })

  it('in nested values, next to data, and in a list', () => {
    const deep = { id: '1', at: null, labels: [{ n: 1, secret: 1 }] }
    // @ts-expect-error an item of an array
    route.get('/x', user, () => ({ status: 200, body: dataEnvelope(deep) }))
    // @ts-expect-error next to data
    route.get('/x', user, () => ({ status: 200, body: { data: row, debug: row.name } }))
    // @ts-expect-error next to body
    route.get('/x', user, () => ({ status: 200, extra: 1, body: { data: row } }))
    // @ts-expect-error a field of another union member
    route.get('/x', choice, () => ({ status: 200, body: { data: { t: 'a', x: 'on' } } }))
    const meta = { nextCursor: 'x', hasMore: false }
    // @ts-expect-error an item with an undeclared field
    route.get('/x', list, () => ({ status: 200, body: cursorEnvelope([{ id: '1', secret: 1 }], meta) }))
    const tuple = of(z.tuple([z.string(), Label]))
    // @ts-expect-error a tuple with an undeclared field
    route.get('/x', tuple, () => ({ status: 200, body: { data: ['a', { n: 1, secret: 1 }] } }))
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
    route.get('/x', of(Tree), () => ({ status: 200, body: { data: { id: '0', children: [leaf] } } }))
    const child = { id: '2', children: [] }
    route.get('/x', of(Tree), () => ({ status: 200, body: { data: { id: '1', children: [child] } } }))
  })
})

describe('a declared result compiles', () => {
  it('as a value and as a literal', () => {
    route.get('/x', user, async () => ({ status: 200, headers: { ETag: '"1"' }, body: dataEnvelope(row) }))
    route.get('/x', user, () => ({ status: 200, body: { data: { ...row, labels: [{ n: 1 }] } } }))
    route.get('/x', choice, () => ({ status: 200, body: { data: { t: 'b', x: 'on' } } }))
    route.get('/x', choice, () => ({ status: 200, body: dataEnvelope({ t: 'b', x: 'on' } as const) }))
    route.get('/x', choice, () => {
      if (row.id === '1') return { status: 200, body: { data: { t: 'a' } } }
      return { status: 200, body: { data: { t: 'b', x: 'on' } } }
    })
    const tags = of(z.object({ tags: z.array(z.string()) }))
    route.get('/x', tags, () => ({ status: 200, body: { data: { tags: ['a'] } } }))
    route.get('/x', of(z.array(z.string())), () => ({ status: 200, body: dataEnvelope(['a']) }))
    const page = { page: 1, limit: 1, total: 1 }
    route.get('/x', list, () => ({ status: 200, body: offsetEnvelope([{ id: '1' }], page) }))
  })

  it('with an open schema, and with one of several statuses', () => {
    route.get('/x', of(z.unknown()), () => ({ status: 200, body: { data: { a: 1 } } }))
    route.get('/x', of(z.custom<object>()), () => ({ status: 200, body: { data: { a: 1 } } }))
    route.get('/x', of(z.instanceof(Object)), () => ({ status: 200, body: { data: { a: 1 } } }))
    const details = of(z.object({ details: z.custom<object>().optional() }))
    route.get('/x', details, () => ({ status: 200, body: { data: { details: { a: 1 } } } }))
    route.get('/x', of(z.json()), () => ({ status: 200, body: { data: { a: [1, { b: null }] } } }))
    route.get('/x', of(z.looseObject({ a: z.int() })), () => ({
      status: 200,
      body: { data: { a: 1, b: 2 } },
    }))
    route.get('/x', of(z.record(z.string(), Label)), () => ({ status: 200, body: { data: { a: { n: 1 } } } }))
    const two = {
      operationId: 'x',
      responses: { 200: { body: Label }, 202: { description: 'Later' } },
    }
    route.get('/x', two, async () => {
      if (row.id === '1') return { status: 202 }
      return { status: 200, body: { n: 1 } }
    })
  })
})

it('parameters and filters accept schemas that convert text', () => {
  const path = '/a/{id}/{at}'
  const params = z.object({ id: z.coerce.number(), at: z.string().transform((text) => new Date(text)) })
  route.get(path, { operationId: 'x', params }, (request) => {
    expectTypeOf(request.params).toEqualTypeOf<{ id: number; at: Date }>()
  })
  const mixed = z.object({ id: z.string().nullable(), at: z.union([z.string(), z.int()]) })
  route.get(path, { operationId: 'x', params: mixed }, () => undefined)
  const numeral = z.object({ id: z.number(), at: z.string() })
  // @ts-expect-error a parameter is not a number
  route.get(path, { operationId: 'x', params: numeral }, () => undefined)
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
