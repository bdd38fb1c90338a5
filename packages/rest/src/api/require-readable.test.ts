import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { multipartBody } from '../multipart/index.ts'
import type { AnyRoute } from '../route.ts'
import { createApi } from './api.ts'

const base = { path: '/x/{id}', operationId: 'doX', access: 'public' } as const
const noContent = { 204: {} }

function start(
  route: Pick<AnyRoute, 'params' | 'query' | 'headers' | 'cookies' | 'body'>,
  responses = noContent,
) {
  const method = route.body === undefined ? 'GET' : 'POST'
  const binding = {
    route: { ...base, ...route, method, responses } as const,
    handler: () => Promise.reject(new Error('unused')),
  }
  return () => createApi({ routes: [binding] })
}

interface Tree {
  readonly at: Date
  readonly nodes: readonly Tree[]
}
const Tree: z.ZodType<Tree> = z.object({
  at: z.date(),
  get nodes() {
    return z.array(Tree)
  },
})

// Regression: these routes started, were documented, and refused every request.
describe('createApi refuses', () => {
  it.each([
    ['an object', z.object({ a: z.string() })],
    ['an array of objects', z.array(z.object({}))],
    ['an array of arrays', z.array(z.array(z.string()))],
    ['a date', z.date()],
    ['an optional date', z.date().optional()],
    ['a large integer', z.bigint()],
    ['a map', z.map(z.string(), z.string())],
    ['a set', z.set(z.string())],
    ['null', z.null()],
  ])('a query parameter that is %s', (_, schema) => {
    expect(start({ query: z.object({ from: schema }) })).toThrow(/^doX: the query parameter from /)
  })

  it.each([
    ['a path parameter', { params: z.object({ id: z.number() }) }, /^doX: the path parameter id /],
    ['a header', { headers: { size: z.number() } }, /^doX: the header size /],
    ['a cookie', { cookies: { size: z.array(z.string()) } }, /^doX: the cookie size /],
  ])('%s that is not text', (_, route, message) => {
    expect(start(route)).toThrow(message)
  })

  it.each([
    ['at', z.object({ at: z.date() })],
    ['at', z.object({ at: z.date().nullish() })],
    ['items.0.at', z.object({ items: z.array(z.object({ at: z.date() })) })],
    ['n', z.object({ n: z.bigint() })],
    ['map', z.object({ map: z.map(z.string(), z.string()) })],
    ['set', z.object({ set: z.set(z.string()) })],
    ['file', z.object({ file: z.file() })],
    ['*', z.record(z.string(), z.date())],
    ['at', z.object({}).and(z.object({ at: z.date() }))],
    ['at', Tree],
    ['at', Tree.meta({ id: 'Tree' })],
  ])('the field %s of a body that JSON cannot hold', (field, body) => {
    expect(start({ body })).toThrow(`doX: the field ${field} of the body `)
  })

  it.each([
    ['n', z.object({ n: z.bigint() })],
    ['map', z.object({ map: z.map(z.string(), z.string()) })],
    ['set.0', z.object({ set: z.array(z.set(z.string())) })],
  ])('the field %s of a response that JSON cannot hold', (field, data) => {
    expect(start({}, { 200: { data } } as never)).toThrow(`doX: the field ${field} of the response 200 `)
  })
})

describe('createApi accepts', () => {
  it.each([
    [
      'parameters that convert text',
      { params: z.object({ id: z.coerce.number() }), headers: { n: z.stringbool() } },
    ],
    [
      'a query of dates from text',
      { query: z.object({ at: z.coerce.date(), n: z.coerce.bigint().optional() }) },
    ],
    [
      'a query that takes anything',
      { query: z.object({ a: z.any(), b: z.custom(), c: z.never().optional() }) },
    ],
    [
      'a body of dates from text',
      { body: z.object({ at: z.coerce.date(), day: z.iso.date().transform((day) => new Date(day)) }) },
    ],
    ['a body with text for a date', { body: z.object({ at: z.union([z.string(), z.date()]) }) }],
    [
      'a body that is prepared',
      { body: z.object({ at: z.preprocess((text) => new Date(String(text)), z.date()) }) },
    ],
    [
      'a codec',
      {
        body: z.object({
          at: z.codec(z.iso.datetime(), z.date(), { decode: (at) => new Date(at), encode: String }),
        }),
      },
    ],
    ['files of a form', { body: multipartBody(z.object({ file: z.file() })) }],
  ])('%s', (_, route) => {
    expect(start(route)).not.toThrow()
  })

  it('dates of a response', () => {
    expect(start({}, { 200: { data: z.object({ at: z.date() }) } } as never)).not.toThrow()
  })

  it('large integers of a response, if the program defines their JSON', () => {
    Reflect.defineProperty(BigInt.prototype, 'toJSON', { value: String, configurable: true })
    onTestFinished(() => void Reflect.deleteProperty(BigInt.prototype, 'toJSON'))
    expect(start({}, { 200: { data: z.object({ n: z.bigint() }) } } as never)).not.toThrow()
  })
})
