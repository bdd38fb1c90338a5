import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkRoute } from '../check-route.ts'
import { readRequest } from '../route-request.ts'
import type { AnyRoute } from '../route.ts'
import { createOpenApiDocument, type OpenApiOptions } from './document.ts'

const post = {
  method: 'POST',
  path: '/books/{id}',
  operationId: 'post',
  summary: 'It',
  access: 'public',
} as const
const responses = { 201: { description: 'It' } }

const valibotRoute = checkRoute({
  ...post,
  params: toStandardJsonSchema(v.object({ id: v.pipe(v.string(), v.uuid()) })),
  query: toStandardJsonSchema(v.object({ expand: v.optional(v.picklist(['author', 'publisher'])) })),
  body: toStandardJsonSchema(
    v.strictObject({
      title: v.pipe(v.string(), v.minLength(1), v.maxLength(100), v.description('The title.')),
      pages: v.pipe(v.number(), v.integer(), v.gtValue(0)),
      published_on: v.optional(v.nullable(v.pipe(v.string(), v.isoDate())), null),
    }),
  ),
  responses: {
    201: { description: 'It', data: toStandardJsonSchema(v.object({ title: v.string() })) },
  },
})

const arktypeRoute = checkRoute({
  ...post,
  params: type({ id: 'string.uuid.v4' }),
  query: type({ 'expand?': "'author' | 'publisher'" }),
  body: type({
    '+': 'reject',
    title: type('1 <= string <= 100').describe('The title.'),
    pages: 'number.integer > 0',
    published_on: 'string.date.iso.parse | null = null',
  }),
  responses: { 201: { description: 'It', data: type({ title: 'string' }) } },
})

const zodRoute = checkRoute({
  ...post,
  params: z.object({ id: z.uuid() }),
  query: z.object({ expand: z.enum(['author', 'publisher']).optional() }),
  body: z.strictObject({
    title: z.string().min(1).max(100).meta({ description: 'The title.' }),
    pages: z.int().gt(0),
    published_on: z.iso.date().nullable().default(null),
  }),
  responses: { 201: { description: 'It', data: z.object({ title: z.string() }) } },
})

function createOperation(route: AnyRoute, openapi: NonNullable<OpenApiOptions['openapi']>) {
  const document = createOpenApiDocument({
    routes: [route],
    info: { title: 'An API', version: '1' },
    openapi,
  })
  return { version: document.openapi, ...document.paths['/books/{id}']?.['post'] }
}

describe.each([
  ['zod', zodRoute],
  ['valibot', valibotRoute],
  ['arktype', arktypeRoute],
])('the document of %s schemas', (_, route: AnyRoute) => {
  it('describes parameters, body and response in OpenAPI 3.0', () => {
    const { version, parameters, requestBody, responses } = createOperation(route, '3.0')
    expect(version).toBe('3.0.3')
    expect(parameters).toMatchObject([
      { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'expand', in: 'query' },
    ])
    const { schema, example } = requestBody?.content['application/json'] ?? {}
    expect(schema).toMatchObject({
      type: 'object',
      properties: {
        title: { type: 'string', minLength: 1, maxLength: 100, description: 'The title.' },
        pages: { type: 'integer', minimum: 0, exclusiveMinimum: true },
        published_on: { nullable: true },
      },
      additionalProperties: false,
    })
    expect(schema?.required?.toSorted()).toEqual(['pages', 'title'])
    expect(example).toMatchObject({ title: 'text', pages: 1 })
    expect(responses?.['201']).toMatchObject({
      content: { 'application/json': { schema: { properties: { data: { required: ['title'] } } } } },
    })
  })

  it('describes null and exclusive limits in OpenAPI 3.1', () => {
    const { version, requestBody } = createOperation(route, '3.1')
    expect(version).toBe('3.1.1')
    const { pages, published_on } = requestBody?.content['application/json']?.schema?.properties ?? {}
    expect(pages).toMatchObject({ type: 'integer', exclusiveMinimum: 0 })
    expect(JSON.stringify(published_on)).toContain('"null"')
    expect(JSON.stringify(requestBody)).not.toContain('nullable')
  })

  it('has an example that the route accepts', async () => {
    const { requestBody } = createOperation(route, '3.0')
    const params = { id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301' }
    const body = requestBody?.content['application/json']?.example
    await expect(readRequest(route, { params, query: 'expand=author', body })).resolves.toBeDefined()
  })
})

it('documents the null of arktype in OpenAPI 3.0', () => {
  const body = type({ value: type.unit(null) })
  const { requestBody } = createOperation(checkRoute({ ...post, responses, body }), '3.0')
  expect(requestBody?.content['application/json']?.schema?.properties).toEqual({
    value: { type: 'string', nullable: true, enum: [null] },
  })
})

it('rejects a schema without JSON Schema and names its operation', () => {
  const route = checkRoute({ ...post, path: '/books', responses, body: v.object({ title: v.string() }) })
  const options = { routes: [route], info: { title: 'An API', version: '1' } }
  expect(() => createOpenApiDocument(options)).toThrow(/^postBody: a schema of valibot has no JSON Schema/)
})

it('names the operation of a schema that cannot be converted', () => {
  const body = toStandardJsonSchema(
    v.object({
      at: v.pipe(
        v.string(),
        v.check((text) => text !== ''),
      ),
    }),
  )
  const route = checkRoute({ ...post, path: '/books', responses, body })
  const options = { routes: [route], info: { title: 'An API', version: '1' } }
  expect(() => createOpenApiDocument(options)).toThrow(/^postBody: /)
})
