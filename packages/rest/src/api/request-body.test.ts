import { expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { bindRoute } from '../bind-route.ts'
import { defineRoute } from '../define-route.ts'
import { createMemoryIdempotencyStore } from '../memory-idempotency-store.ts'
import { multipartBody } from '../multipart/index.ts'
import type { RouteRequest } from '../route.ts'
import { createApi } from './api.ts'
import { streamBody } from './request-body.ts'

const base = {
  method: 'POST',
  path: '/x',
  operationId: 'x',
  summary: 'x',
  access: 'authenticated',
  responses: { 204: { description: 'Done' } },
} as const

it('has the type of its content', () => {
  const bytes = streamBody({ limit: 1 })
  const upload = defineRoute({ ...base, body: bytes })
  expect(upload.body).toBe(bytes)
  expectTypeOf<RouteRequest<typeof upload>['body']>().toEqualTypeOf<ReadableStream<Uint8Array>>()
  const fields = multipartBody(z.object({ n: z.coerce.number(), f: z.file() }))
  const form = defineRoute({ ...base, body: fields })
  expect(form.body).toBe(fields)
  expectTypeOf<RouteRequest<typeof form>['body']>().toEqualTypeOf<{ n: number; f: File }>()
})

it('cannot be optional', () => {
  expect(() => defineRoute({ ...base, body: streamBody({ limit: 1 }), bodyRequired: false })).toThrow(
    TypeError,
  )
})

it('cannot have an idempotency key', () => {
  const route = defineRoute({ ...base, body: multipartBody(z.object({})), idempotencyKey: true })
  const options = {
    authenticate: () => ({ id: '1' }),
    secrets: ['a secret of at least thirty-two bytes'],
    idempotency: createMemoryIdempotencyStore(),
  }
  expect(() => createApi({ ...options, routes: [bindRoute(route, () => ({ status: 204 }))] })).toThrow(
    'x has an idempotency key, so its body must be JSON',
  )
})

it.each([0, 1.5, Number.NaN])('cannot have the limit %d', (limit) => {
  expect(() => streamBody({ limit })).toThrow(TypeError)
  expect(() => multipartBody(z.object({}), { limit })).toThrow(TypeError)
})
