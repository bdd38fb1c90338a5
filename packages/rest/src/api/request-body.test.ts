import { expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { createMemoryIdempotencyStore } from '../memory-idempotency-store.ts'
import { multipartBody } from '../multipart/index.ts'
import { createRouteGroup } from '../route-group.ts'
import { createApi } from './api.ts'
import { streamBody } from './request-body.ts'

const group = createRouteGroup()

const base = { operationId: 'x', responses: { 204: { description: 'Done' } } } as const

it('has the type of its content', () => {
  group.post('/x', { ...base, body: streamBody({ limit: 1 }) }, ({ body }) => {
    expectTypeOf(body).toEqualTypeOf<ReadableStream<Uint8Array>>()
    return { status: 204 }
  })
  const fields = multipartBody(z.object({ n: z.coerce.number(), f: z.file() }))
  group.post('/x', { ...base, body: fields }, ({ body }) => {
    expectTypeOf(body).toEqualTypeOf<{ n: number; f: File }>()
    return { status: 204 }
  })
})

it('cannot be optional', () => {
  const route = { ...base, body: streamBody({ limit: 1 }), bodyRequired: false } as const
  expect(() => group.post('/x', route, () => ({ status: 204 }))).toThrow(TypeError)
})

it('cannot have an idempotency key', () => {
  const options = {
    authenticate: () => ({ id: '1' }),
    secrets: ['a secret of at least thirty-two bytes'],
    idempotency: createMemoryIdempotencyStore(),
  }
  expect(() =>
    createApi({
      ...options,
      routes: [
        group.post('/x', { ...base, body: multipartBody(z.object({})), idempotencyKey: true }, () => ({
          status: 204,
        })),
      ],
    }),
  ).toThrow('x has an idempotency key, so its body must be JSON')
})

it.each([0, 1.5, Number.NaN])('cannot have the limit %d', (limit) => {
  expect(() => streamBody({ limit })).toThrow(TypeError)
  expect(() => multipartBody(z.object({}), { limit })).toThrow(TypeError)
})
