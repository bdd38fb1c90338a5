import { expect, it } from 'vitest'
import { z } from 'zod'
import { checkRoute } from '../check-route.ts'
import { readRequest } from '../route-request.ts'
import type { AnyRoute } from '../route.ts'
import { createOpenApiDocument } from './index.ts'

const documented = { summary: 'It', access: 'public' } as const
const getDocument = (routes: readonly AnyRoute[], openapi?: '3.0') =>
  createOpenApiDocument({ routes, info: { title: 'An API', version: '1' }, ...(openapi && { openapi }) })

it('documents parameters and request bodies in OpenAPI 3.0', () => {
  const route = checkRoute({
    ...documented,
    method: 'POST',
    path: '/posts/{id}',
    operationId: 'post',
    params: z.object({ id: z.base64() }),
    query: z.object({ state: z.enum(['on', 'off']).nullable() }),
    body: z.object({ file: z.base64().meta({ examples: ['eA=='] }) }),
    responses: { 204: { description: 'Done' } },
  })
  const { parameters, requestBody } = getDocument([route], '3.0').paths['/posts/{id}']?.post ?? {}
  expect(parameters).toMatchObject([
    { name: 'id', schema: { format: 'byte' } },
    { name: 'state', schema: { nullable: true, enum: ['on', 'off', null] } },
  ])
  const schema = { properties: { file: { format: 'byte' } } }
  expect(requestBody).toMatchObject({
    content: { 'application/json': { schema, example: { file: 'eA==' } } },
  })
})

it('documents metadata as read-only, independent of .readonly()', () => {
  const id = z.string().meta({ readOnly: true })
  const data = z.object({ a: id.readonly(), b: id, c: z.string().readonly().meta({ readOnly: true }) })
  const route = checkRoute({
    ...documented,
    method: 'GET',
    path: '/it',
    operationId: 'it',
    responses: { 200: { description: 'It', body: data } },
  })
  const properties = Object.fromEntries(['a', 'b', 'c'].map((name) => [name, { readOnly: true }]))
  expect(getDocument([route]).paths['/it']?.['get']?.responses['200']).toMatchObject({
    content: { 'application/json': { schema: { properties } } },
  })
})

// Regression: a readonly array was documented as read-only and omitted from the example.
it('documents readonly fields of a request as required', async () => {
  const body = z.strictObject({ title: z.string(), tags: z.array(z.string()).readonly() })
  const route = checkRoute({
    ...documented,
    method: 'POST',
    path: '/posts',
    operationId: 'post',
    body,
    responses: { 204: { description: 'Done' } },
  })
  const { paths } = getDocument([route])
  const content = paths['/posts']?.['post']?.requestBody as { content: Record<string, { example: unknown }> }
  const { example } = content.content['application/json']!
  await expect(readRequest(route, { params: {}, query: '', body: example })).resolves.toBeDefined()
  expect(JSON.stringify(paths)).not.toContain('readOnly')
})

const responses = { 201: { description: 'It' } }
const post = { ...documented, method: 'POST', path: '/posts', operationId: 'post', responses } as const

// Regression: code generators require a field with the keyword default.
it('documents a field with a default as optional, and the default as text', () => {
  const status = z.enum(['open', 'done'])
  const body = z.object({
    status: status.default('open'),
    count: z.int().meta({ description: 'How many.' }).default(3),
  })
  const { paths } = getDocument([checkRoute({ ...post, body })])
  const { requestBody } = paths['/posts']?.['post'] ?? {}
  const schema = requestBody?.content['application/json']?.schema
  expect(schema).not.toHaveProperty('required')
  expect(schema?.properties).toMatchObject({
    status: { enum: ['open', 'done'], description: 'Default: `open`.' },
    count: { description: 'How many. Default: `3`.' },
  })
  expect(JSON.stringify(schema)).not.toContain('"default"')
})

it('names the output of a component that differs from its input', () => {
  const Inner = z.object({ n: z.int().default(1) }).meta({ id: 'Inner' })
  const Outer = z.object({ inner: Inner }).meta({ id: 'Outer' })
  const Same = z.object({ text: z.string() }).meta({ id: 'Same' })
  const body = z.strictObject({ outer: Outer, same: Same })
  const both = { 201: { description: 'It', data: z.object({ outer: Outer, same: Same }) } }
  const { components } = getDocument([checkRoute({ ...post, body, responses: both })])
  const names = Object.keys(components?.schemas ?? {}).filter((name) => !/Error|Problem/.test(name))
  expect(names.sort()).toEqual(['Inner', 'InnerOutput', 'Outer', 'OuterOutput', 'Same'])
  expect(components?.schemas?.['OuterOutput']?.properties).toEqual({
    inner: { $ref: '#/components/schemas/InnerOutput' },
  })
})

it('rejects two different schemas with one id', () => {
  const One = z.object({ a: z.string() }).meta({ id: 'One' })
  const other = { 201: { description: 'It', data: z.object({ b: z.string() }).meta({ id: 'One' }) } }
  const first = { ...post, path: '/first', operationId: 'first', responses: other }
  const second = checkRoute({ ...post, responses: { 201: { description: 'It', data: One } } })
  expect(() => getDocument([checkRoute(first), second])).toThrow('Two different schemas have the id One')
})

it('names a recursive schema without an id by its operation', () => {
  const Tree = z.object({
    get children() {
      return z.array(Tree)
    },
  })
  const { components } = getDocument([checkRoute({ ...post, body: Tree })])
  expect(components?.schemas?.['postBody']).toMatchObject({
    properties: { children: { type: 'array', items: { $ref: '#/components/schemas/postBody' } } },
  })
})

it('documents a response that is not JSON by its media type', () => {
  const csv = { 200: { description: 'It', mediaType: 'text/csv; charset=utf-8' } }
  const { paths } = getDocument([checkRoute({ ...post, responses: csv })])
  expect(paths['/posts']?.['post']?.responses['200']).toMatchObject({
    content: { 'text/csv; charset=utf-8': { schema: { type: 'string' } } },
  })
})
