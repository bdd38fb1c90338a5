import { expect, it } from 'vitest'
import { z } from 'zod'
import { defineListQuery } from '../define-list-query.ts'
import { createFetchHandler } from '../fetch/index.ts'
import { createOpenApiDocument } from '../openapi/index.ts'
import { createRouteGroup } from '../route-group.ts'
import { createApi } from './api.ts'

const since = new Date('2026-07-01T00:00:00Z')
const sunset = new Date('2027-01-31T23:59:59Z')
const link = 'https://api.example.com/docs/orders-v2'
const Order = z.object({ id: z.string() })
const route = createRouteGroup({ access: 'public', rateLimit: false })
const routes = [
  route.list(
    '/orders',
    {
      operationId: 'listOrders',
      query: defineListQuery({ sortable: ['id'], pagination: 'offset' }),
      item: Order,
      deprecated: { since, sunset, link },
    },
    () => [{ id: '1' }],
  ),
  route.get('/carts', { operationId: 'getCart', data: Order, deprecated: true }, () => ({ id: '1' })),
]
const handle = createFetchHandler(createApi({ routes }))
const get = (path: string) => handle(new Request(`https://api.example.com${path}`))

it('sends the dates and the page of a deprecation beside the links of a list', async () => {
  const { headers } = await get('/orders')
  expect(headers.get('deprecation')).toBe('@1782864000')
  expect(headers.get('sunset')).toBe('Sun, 31 Jan 2027 23:59:59 GMT')
  expect(headers.get('link')).toContain('rel="first"')
  expect(headers.get('link')).toContain(`<${link}>; rel="deprecation"; type="text/html"`)
})

it('sends them with errors of the route', async () => {
  const { status, headers } = await get('/orders?limit=x')
  expect(status).toBe(400)
  expect(headers.get('deprecation')).toBe('@1782864000')
  expect(headers.get('link')).toBe(`<${link}>; rel="deprecation"; type="text/html"`)
})

it('links to the newer version of the resource below the mount path', async () => {
  const deprecated = { since, link, successor: '/v2/orders/{id}' }
  const getOrder = route.get('/v1/orders/{id}', { operationId: 'getOrder', data: Order, deprecated }, () => {
    return { id: '1' }
  })
  const mounted = createFetchHandler(createApi({ routes: [getOrder], proxyPath: '/shop' }), { mount: '/api' })
  const { headers } = await mounted(new Request('https://api.example.com/api/v1/orders/a%3E%2Fb'))
  expect(headers.get('link')).toBe(
    `<${link}>; rel="deprecation"; type="text/html", </shop/api/v2/orders/a%3E%2Fb>; rel="successor-version"`,
  )
})

it('sends no date that is not declared', async () => {
  expect((await get('/carts')).headers.has('deprecation')).toBe(false)
})

it('documents deprecated operations and their headers', () => {
  const { paths } = createOpenApiDocument({
    info: { title: 'Shop', version: '1' },
    routes: routes.map((one) => one.route),
  })
  expect(paths).toMatchObject({
    '/orders': {
      get: {
        deprecated: true,
        responses: {
          200: { headers: { Deprecation: {}, Sunset: {}, Link: {} } },
          400: { headers: { Link: {} } },
        },
      },
    },
    '/carts': { get: { deprecated: true } },
  })
})

it.each([
  [{ since: new Date('no date') }, 'the deprecation needs a valid date'],
  [{ since: sunset, sunset: since }, 'the sunset must not precede the deprecation'],
  [{ since, link: 'docs' }, 'the link of the deprecation must be a URL'],
  [{ since, successor: '' }, 'must start with a slash'],
  [{ since, successor: 'v2/x' }, 'The path v2/x must start with a slash'],
  [{ since, successor: '/v2/{id}' }, 'the successor has the parameter id, which the path does not have'],
])('refuses the deprecation %j', (deprecated, problem) => {
  expect(() => route.get('/x', { operationId: 'x', deprecated }, () => undefined)).toThrow(problem)
})
