import { describe, it } from 'vitest'
import * as v from 'valibot'
import { z } from 'zod'
import { createRouteGroup } from './route-group.ts'
import { defineRoute } from './define-route.ts'
import { multipartBody } from './multipart/index.ts'

const get = { method: 'GET', path: '/x', operationId: 'x', access: 'public', responses: { 204: {} } } as const
const post = { ...get, method: 'POST' } as const
const group = createRouteGroup({ access: 'public' })

describe('a query does not compile', () => {
  it('with values that text cannot express', () => {
    // @ts-expect-error text is no object
    defineRoute({ ...get, query: z.object({ a: z.object({ b: z.string() }) }) })
    // @ts-expect-error text is no Date
    defineRoute({ ...get, query: z.object({ from: z.date().optional() }) })
    // @ts-expect-error a large integer
    defineRoute({ ...get, query: z.object({ n: z.bigint() }) })
    // @ts-expect-error an array of objects
    defineRoute({ ...get, query: z.object({ a: z.array(z.object({ b: z.string() })) }) })
    // @ts-expect-error a map of a library without JSON Schema
    defineRoute({ ...get, query: v.object({ a: v.map(v.string(), v.string()) }) })
    // @ts-expect-error in a group
    group.get('/x', { operationId: 'x', query: z.object({ from: z.date() }) }, () => undefined)
  })
})

describe('a body does not compile', () => {
  it('with values that JSON cannot hold', () => {
    // @ts-expect-error JSON has no dates
    defineRoute({ ...post, body: z.object({ at: z.date() }) })
    // @ts-expect-error an optional set in an array
    defineRoute({ ...post, body: z.object({ a: z.array(z.object({ b: z.set(z.string()).nullish() })) }) })
    // @ts-expect-error a large integer of a library without JSON Schema
    defineRoute({ ...post, body: v.object({ n: v.bigint() }) })
    // @ts-expect-error in a group
    group.post('/x', { operationId: 'x', body: z.object({ at: z.date() }) }, () => undefined)
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
    defineRoute({ ...get, query })
    defineRoute({ ...get, query: z.record(z.string(), z.number()) })
    defineRoute({ ...get, query: z.union([z.object({ a: z.string() }), z.object({ b: z.number() })]) })
    defineRoute({ ...get, query: z.looseObject({ a: z.string() }) })
    group.get('/x', { operationId: 'x', query }, ({ query: { n } }) => {
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
    defineRoute({ ...post, body: Tree })
    defineRoute({ ...post, body: z.json() })
    defineRoute({ ...post, body: z.unknown() })
    defineRoute({
      ...post,
      body: z.object({ at: z.union([z.iso.date(), z.date()]), custom: z.custom<object>() }),
    })
    defineRoute({ ...post, body: multipartBody(z.object({ file: z.file() })) })
    group.post('/x', { operationId: 'x', body: z.array(Tree) }, ({ body }) => {
      body.concat([])
    })
  })

  it('in a function that is generic over its schemas', () => {
    const define = <Schema extends z.ZodType<object, Readonly<Record<string, unknown>>>>(schema: Schema) =>
      defineRoute({ ...post, query: schema, body: schema })
    define(z.object({ a: z.string() }))
  })
})
