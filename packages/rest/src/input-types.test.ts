import { describe, it } from 'vitest'
import * as v from 'valibot'
import { z } from 'zod'
import { multipartBody } from './multipart/index.ts'
import { createRouteGroup } from './route-group.ts'

const route = createRouteGroup({ access: 'public' })
const base = { operationId: 'x' } as const
const end = () => undefined

describe('a query does not compile', () => {
  it('with values that text cannot express', () => {
    // @ts-expect-error text is no object
    route.get('/x', { ...base, query: z.object({ a: z.object({ b: z.string() }) }) }, end)
    // @ts-expect-error text is no Date
    route.get('/x', { ...base, query: z.object({ from: z.date().optional() }) }, end)
    // @ts-expect-error a large integer
    route.get('/x', { ...base, query: z.object({ n: z.bigint() }) }, end)
    // @ts-expect-error an array of objects
    route.get('/x', { ...base, query: z.object({ a: z.array(z.object({ b: z.string() })) }) }, end)
    // @ts-expect-error a map of a library without JSON Schema
    route.get('/x', { ...base, query: v.object({ a: v.map(v.string(), v.string()) }) }, end)
  })
})

describe('a body does not compile', () => {
  it('with values that JSON cannot hold', () => {
    // @ts-expect-error JSON has no dates
    route.post('/x', { ...base, body: z.object({ at: z.date() }) }, end)
    const nested = z.object({ a: z.array(z.object({ b: z.set(z.string()).nullish() })) })
    // @ts-expect-error an optional set in an array
    route.post('/x', { ...base, body: nested }, end)
    // @ts-expect-error a large integer of a library without JSON Schema
    route.post('/x', { ...base, body: v.object({ n: v.bigint() }) }, end)
  })
})

describe('a route compiles', () => {
  it('with a query that is converted from text', () => {
    const query = z.object({
      tag: z.array(z.enum(['a'])).optional(),
      n: z.number(),
      on: z.boolean().default(true),
      any: z.unknown(),
      all: z.array(z.unknown()),
      at: z.coerce.date(),
      either: z.union([z.string(), z.date()]),
    })
    route.get('/x', { ...base, query }, end)
    route.get('/x', { ...base, query: z.record(z.string(), z.number()) }, end)
    route.get(
      '/x',
      { ...base, query: z.union([z.object({ a: z.string() }), z.object({ b: z.number() })]) },
      end,
    )
    route.get('/x', { ...base, query: z.looseObject({ a: z.string() }) }, end)
    route.get('/x', { operationId: 'x', query }, ({ query: { n } }) => {
      n.toFixed()
    })
  })

  it('with a body that JSON holds', () => {
    const Tree = z.object({
      id: z.string().brand('Id'),
      get nodes() {
        return z.array(Tree)
      },
    })
    route.post('/x', { ...base, body: Tree }, end)
    route.post('/x', { ...base, body: z.json() }, end)
    route.post('/x', { ...base, body: z.unknown() }, end)
    const mixed = z.object({ at: z.union([z.iso.date(), z.date()]), custom: z.custom<object>() })
    route.post('/x', { ...base, body: mixed }, end)
    route.post('/x', { ...base, body: multipartBody(z.object({ file: z.file() })) }, end)
    route.post('/x', { operationId: 'x', body: z.array(Tree) }, ({ body }) => {
      body.concat([])
    })
  })

  it('in a function that is generic over its schemas', () => {
    const define = <Schema extends z.ZodType<object, Readonly<Record<string, unknown>>>>(
      schema: Schema,
    ): Schema => {
      route.post('/x', { ...base, query: schema, body: schema }, end)
      return schema
    }
    define(z.object({ a: z.string() }))
  })
})
