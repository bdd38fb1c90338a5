import { expect, it } from 'vitest'
import { z } from 'zod'
import { defineListQuery } from '../define-list-query.ts'
import { defineRoute } from '../define-route.ts'
import { readRequest } from '../route-request.ts'
import type { AnyRoute } from '../route.ts'
import { createOpenApiDocument } from './index.ts'

const documented = { summary: 'It', access: 'public' } as const
const documentOf = (routes: readonly AnyRoute[]) =>
  createOpenApiDocument({ routes, info: { title: 'An API', version: '1' } })

it('documents parameters and request bodies in OpenAPI 3.0', () => {
  const route = defineRoute({
    ...documented,
    method: 'POST',
    path: '/posts/{id}',
    operationId: 'post',
    params: z.object({ id: z.base64() }),
    query: z.object({ state: z.enum(['on', 'off']).nullable() }),
    body: z.object({ file: z.base64().meta({ examples: ['eA=='] }) }),
    responses: { 204: { description: 'Done' } },
  })
  const { parameters, requestBody } = documentOf([route]).paths?.['/posts/{id}']?.post ?? {}
  expect(parameters).toMatchObject([
    { name: 'id', schema: { format: 'byte' } },
    { name: 'state', schema: { nullable: true, enum: ['on', 'off', null] } },
  ])
  const schema = { properties: { file: { format: 'byte' } } }
  expect(requestBody).toMatchObject({
    content: { 'application/json': { schema, example: { file: 'eA==' } } },
  })
})

// Regression: notes stayed in parameter schemas, and two routes with one parameter threw.
it('documents parameters of the user like other parameters', () => {
  const params = z.object({ id: z.uuid().meta({ param: { id: 'PostId' } }) })
  const query = z.object({ PostId: z.string() })
  const routes = ['/posts/{id}', '/drafts/{id}'].map((path) =>
    defineRoute({
      ...documented,
      method: 'GET',
      path,
      operationId: path.slice(1, 6),
      params,
      query,
      responses: { 204: { description: 'Done' } },
    }),
  )
  const { components, paths } = documentOf(routes)
  const [id, other] = ['PostId', 'PostId2'].map((name) => ({ $ref: `#/components/parameters/${name}` }))
  expect(paths?.['/drafts/{id}']?.get?.parameters).toEqual(expect.arrayContaining([id, other]))
  const schema = { type: 'string', format: 'uuid' }
  expect(components?.parameters?.['PostId']).toEqual({ name: 'id', in: 'path', required: true, schema })
})

it('documents metadata as read-only, independent of .readonly()', () => {
  const id = z.string().meta({ readOnly: true })
  const data = z.object({ a: id.readonly(), b: id, c: z.string().readonly().meta({ readOnly: true }) })
  const route = defineRoute({
    ...documented,
    method: 'GET',
    path: '/it',
    operationId: 'it',
    responses: { 200: { description: 'It', body: data } },
  })
  const properties = Object.fromEntries(['a', 'b', 'c'].map((name) => [name, { readOnly: true }]))
  expect(documentOf([route]).paths?.['/it']?.get?.responses?.['200']).toMatchObject({
    content: { 'application/json': { schema: { properties } } },
  })
})

// Regression: a readonly array was documented as read-only and omitted from the example.
it('documents readonly fields of a request as required', async () => {
  const body = z.strictObject({ title: z.string(), tags: z.array(z.string()).readonly() })
  const route = defineRoute({
    ...documented,
    method: 'POST',
    path: '/posts',
    operationId: 'post',
    body,
    responses: { 204: { description: 'Done' } },
  })
  const { paths } = documentOf([route])
  const content = paths?.['/posts']?.post?.requestBody as { content: Record<string, { example: unknown }> }
  const { example } = content.content['application/json']!
  await expect(readRequest(route, { params: {}, query: '', body: example })).resolves.toBeDefined()
  expect(JSON.stringify(paths)).not.toContain('readOnly')
})

const [Id, Name] = [z.object({ id: z.string() }), z.object({ name: z.string() })]
// Regression: refined schemas threw, and other fields were required.
it.each([
  ['refined', Id.extend(Name.shape).refine(({ id, name }) => id !== name)],
  ['readonly', Id.extend(Name.shape).readonly()],
  [
    'a union',
    z.discriminatedUnion('t', [Id.extend({ t: z.literal('a') }), Name.extend({ t: z.literal('b') })]),
  ],
  ['an intersection', z.intersection(Id, Name)],
  ['lazy', z.lazy(() => Id.extend(Name.shape))],
  ['nullable', Id.extend(Name.shape).nullable()],
  ['a pipe', z.unknown().pipe(Id.extend(Name.shape))],
])('requires no field of an item when fields may omit it: %s', (_, schema) => {
  const query = defineListQuery({ sortable: ['id'], fields: ['id', 'name'], pagination: 'offset' })
  const list = schema.meta({ id: 'Item', description: 'An item.' })
  const responses = { 200: { description: 'A page', list } }
  const whole = documentOf([
    defineRoute({ ...documented, method: 'GET', path: '/items', operationId: 'list', query, responses }),
  ])
  const { ItemFields } = whole.components?.schemas as Record<string, object>
  expect(ItemFields).toMatchObject({ description: 'An item.' })
  expect(JSON.stringify(ItemFields)).toContain('"name"')
  expect(JSON.stringify(ItemFields)).not.toContain('"required"')
})
