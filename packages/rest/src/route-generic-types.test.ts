import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { dataEnvelope, type DataEnvelope } from './envelope.ts'
import { createRouteGroup } from './route-group.ts'
import type { ParamsSchema, RouteResult } from './route.ts'

const route = createRouteGroup()
const User = z.object({ name: z.string(), tags: z.array(z.string()) })
const found = { name: 'Ada', tags: ['a'] }

// Regression: the check of fields rejected every function that is generic over schemas.
describe('a function can be generic over', () => {
  it('schemas', () => {
    const loading = <S extends z.ZodType>(data: S, load: () => z.output<S>) => {
      const declared = { operationId: 'x', responses: { 200: { data } } }
      route.get('/x', declared, async () => ({ status: 200, body: dataEnvelope(load()) }))
      return route.get('/x', declared, () => ({ status: 200, body: { data: load() } }))
    }
    const typed = <T>(data: z.ZodType<T>, load: () => T) =>
      route.get('/x', { operationId: 'x', responses: { 200: { data } } }, () => ({
        status: 200,
        body: { data: load() },
      }))
    loading(User, () => found)
    typed(User, () => found)
  })

  it('parameters', () => {
    const of = <P extends ParamsSchema<'/x/{id}'>>(params: P): P => {
      route.get('/x/{id}', { operationId: 'x', params }, () => undefined)
      return params
    }
    of(z.object({ id: z.uuid() }))
  })
})

// Regression: envelopes kept literal types, and results were readonly at any depth.
it('envelopes and results have ordinary types', () => {
  const tagged = dataEnvelope({ tags: ['a'] })
  tagged.data.tags.push('b')
  let counted = dataEnvelope({ n: 0 })
  counted = dataEnvelope({ n: counted.data.n + 1 })
  expectTypeOf(counted).toEqualTypeOf<DataEnvelope<{ n: number }>>()
  type Body = RouteResult<{ readonly responses: { readonly 200: { readonly data: typeof User } } }>['body']
  expectTypeOf<Body['data']>().toEqualTypeOf<z.output<typeof User>>()
})
