import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import * as mini from 'zod/mini'
import { checkRoute } from './check-route.ts'
import { createRouteGroup } from './route-group.ts'
import { readRequest } from './route-request.ts'
import type { RouteQuery, RouteRequest } from './route.ts'

const base = {
  method: 'GET',
  path: '/reports',
  operationId: 'listReports',
  summary: 'x',
  access: 'public',
  responses: { 204: { description: 'Done' } },
} as const

const listReports = checkRoute({
  ...base,
  query: z.object({ year: z.coerce.number().int(), draft: z.stringbool().optional() }),
  headers: { 'X-Tenant': z.string().min(2), 'x-trace': z.uuid().optional() },
  cookies: { theme: z.enum(['dark', 'light']).default('light'), visits: z.coerce.number().optional() },
})

const send = (headers: Readonly<Record<string, string>>, query = 'year=2026') =>
  readRequest(listReports, { params: {}, query, header: (name) => headers[name] })

describe('parameters', () => {
  it('have the output of their schemas', async () => {
    const request = await send({ 'x-tenant': 'acme', cookie: 'theme=dark; visits=7' }, 'year=2026&draft=yes')
    expect(request).toEqual({
      params: {},
      query: { year: 2026, draft: true },
      headers: { 'X-Tenant': 'acme', 'x-trace': undefined },
      cookies: { theme: 'dark', visits: 7 },
      body: undefined,
    })
    expectTypeOf<RouteRequest<typeof listReports>['headers']>().toEqualTypeOf<{
      readonly 'X-Tenant': string
      readonly 'x-trace': string | undefined
    }>()
    expectTypeOf<RouteRequest<typeof listReports>['cookies']>().toEqualTypeOf<{
      readonly theme: 'dark' | 'light'
      readonly visits: number | undefined
    }>()
  })

  it('are all reported with the part of the request', async () => {
    await expect(send({ 'x-trace': 'x', cookie: 'theme=red' }, 'year=x')).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [
        { code: 'WRONG_TYPE', field: 'year', in: 'query' },
        { code: 'REQUIRED', field: 'X-Tenant', in: 'header' },
        { code: 'INVALID_FORMAT', field: 'x-trace', in: 'header' },
        { code: 'NOT_ONE_OF', field: 'theme', in: 'cookie' },
      ],
    })
  })

  it.each([
    ['theme=dark', 'dark'],
    ['a=b;theme=dark', 'dark'],
    ['a=theme=light; theme="dark"', 'dark'],
    ['theme=dark; theme=light', 'dark'],
    ['theme=%64ark', 'dark'],
    ['xtheme=dark; theme', 'light'],
    ['__proto__=1; =; ;;', 'light'],
  ])('read the cookies %s', async (cookie, theme) => {
    expect(await send({ 'x-tenant': 'acme', cookie })).toMatchObject({ cookies: { theme } })
  })

  it('keep a cookie that is not percent-encoded', async () => {
    const route = checkRoute({ ...base, cookies: { offer: z.string() } })
    const raw = { params: {}, query: '', header: () => 'offer=50%' }
    expect(await readRequest(route, raw)).toMatchObject({ cookies: { offer: '50%' } })
  })

  it('must have a valid name', () => {
    expect(() => checkRoute({ ...base, headers: { 'a b': z.string() } })).toThrow(TypeError)
  })

  it('must accept text', () => {
    const { get } = createRouteGroup()
    // @ts-expect-error a header is never a number
    get('/x', { operationId: 'x', headers: { size: z.number() } }, () => undefined)
    // @ts-expect-error a cookie is never a number
    get('/x', { operationId: 'x', cookies: { size: z.number() } }, () => undefined)
  })
})

describe('an undeclared query parameter', () => {
  const read = (query: RouteQuery | undefined, text: string) =>
    readRequest(checkRoute({ ...base, ...(query && { query }) }), { params: {}, query: text })

  it.each(['year=1&yaer=1', 'yaer=1', '__proto__=1', 'constructor=1'])('is refused in %s', async (text) => {
    const unknown = [{ code: 'UNKNOWN', in: 'query', message: 'Unknown parameter' }]
    const query = { year: z.string().optional() }
    await expect(read(z.object(query), text)).rejects.toMatchObject({ details: unknown })
    await expect(read(z.strictObject(query), text)).rejects.toMatchObject({ details: unknown })
  })

  it('is ignored by a route that declares no query', async () => {
    expect(await read(undefined, 'utm_source=x')).toMatchObject({ query: undefined })
  })

  it('is accepted by a schema that accepts other fields', async () => {
    const query = await read(z.looseObject({}), 'a=1')
    expect(query).toMatchObject({ query: { a: '1' } })
    await read(z.object({}).catchall(z.string()), 'a=1')
  })

  it('is left to a schema of a library that does not list its names', async () => {
    await read(mini.object({ year: mini.optional(mini.string()) }), 'a=1')
    await expect(read(mini.strictObject({}), 'a=1')).rejects.toMatchObject({ details: [{ code: 'UNKNOWN' }] })
  })

  it('is reported with the other problems', async () => {
    await expect(read(z.object({ year: z.string() }), 'a=1&b=%ff&b')).rejects.toMatchObject({
      details: [
        { code: 'INVALID_ENCODING', field: 'b' },
        { code: 'UNKNOWN', field: 'a' },
        { code: 'UNKNOWN', field: 'b' },
        { code: 'REQUIRED', field: 'year' },
      ],
    })
  })
})
