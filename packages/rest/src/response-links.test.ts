import { expect, it } from 'vitest'
import { z } from 'zod'
import { createApi } from './api/api.ts'
import { defineListQuery } from './define-list-query.ts'
import { createOpenApiDocument } from './openapi/index.ts'
import { createRouteGroup } from './route-group.ts'
import type { ResponseLink } from './route.ts'

const Book = z.object({ id: z.string() })
const route = createRouteGroup({ access: 'public' })

const createRoutes = (link: ResponseLink, name = 'GetBook') => [
  route.post(
    '/shelves/{shelf}/books',
    {
      operationId: 'createBook',
      body: Book,
      query: z.object({ language: z.string().optional() }),
      data: Book,
      links: { [name]: link },
    },
    ({ body }) => body,
  ),
  route.get(
    '/books/{id}',
    { operationId: 'getBook', data: Book, headers: { 'X-Tenant': z.string().optional() } },
    ({ params }) => params,
  ),
  route.list(
    '/books',
    {
      operationId: 'listBooks',
      item: Book,
      query: defineListQuery({ sortable: ['id'], pagination: 'offset' }),
    },
    () => [],
  ),
  route.delete(
    '/books/{id}',
    {
      operationId: 'deleteBook',
      links: { Rest: { operationId: 'listBooks', parameters: { limit: '10' } } },
    },
    () => undefined,
  ),
]

const getBook = (parameters: Readonly<Record<string, string>>) => ({ operationId: 'getBook', parameters })

it.each(['3.0', '3.1'] as const)('documents the links of success responses in %s', (openapi) => {
  const link = getBook({ id: '$response.body#/data/id' })
  const { routes } = createApi({ routes: createRoutes(link) })
  const { paths } = createOpenApiDocument({ routes, info: { title: 'Books', version: '1' }, openapi })
  const responses = paths['/shelves/{shelf}/books']?.['post']?.responses
  expect(responses?.['201']).toMatchObject({ links: { GetBook: link } })
  expect(responses?.['400']).not.toHaveProperty('links')
  expect(paths['/books/{id}']?.['get']?.responses['200']).not.toHaveProperty('links')
})

it.each([
  '1984',
  '$url',
  '$request.path.shelf',
  '$request.query.language',
  '$request.header.X-Id',
  '$request.body#/id',
  '$response.header.Location',
  '$response.body',
  '$response.body#/a~1b/~0',
])('accepts the value %s', (id) => {
  expect(() => createApi({ routes: createRoutes(getBook({ id, 'X-Tenant': 'a' })) })).not.toThrow()
})

it.each([
  '$',
  '$id',
  '$request.path.id',
  '$request.query.page',
  '$request.header.X Id',
  '$response.path.shelf',
  '$response.body#data',
  '$response.body#/~2',
  '$response.body.data',
])('refuses the expression %s', (id) => {
  expect(() => createApi({ routes: createRoutes(getBook({ id })) })).toThrow(
    `createBook: the link GetBook has the expression ${id}, which has no value`,
  )
})

it.each([
  [{ operationId: 'findBook' }, 'has the unknown operation findBook'],
  [{ operationId: 'listBooks', parameters: { cursor: '' } }, 'has the parameter cursor'],
  [getBook({ id: '1', language: 'en' }), 'has the parameter language, which getBook does not have'],
  [getBook({ 'X-Tenant': 'a' }), 'needs the parameter id of getBook'],
  [
    { operationId: 'deleteBook', parameters: { id: '$response.body#/data/id' }, name: 'a b' },
    'needs another name',
  ],
])('refuses the link %j', ({ name, ...link }: ResponseLink & { readonly name?: string }, problem) => {
  const bindings = createRoutes(link, name)
  expect(() => createApi({ routes: bindings })).toThrow(problem)
  const routes = bindings.map((binding) => binding.route)
  expect(() => createOpenApiDocument({ routes, info: { title: 'Books', version: '1' } })).toThrow(problem)
})

it('refuses the body of a response that has none', () => {
  const links = { Next: { operationId: 'ping', parameters: { id: '$response.body#/id' } } }
  const ping = route.delete('/pings/{id}', { operationId: 'ping', links }, () => undefined)
  expect(() => createApi({ routes: [ping] })).toThrow('ping: the link Next has the expression')
})
