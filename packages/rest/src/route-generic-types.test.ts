import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { bindRoute, type RouteBinding, type RouteHandler } from './bind-route.ts'
import { defineRoute } from './define-route.ts'
import { dataEnvelope, type DataEnvelope } from './envelope.ts'
import type { AnyRoute, ParamsSchema, RouteResult } from './route.ts'

const base = { method: 'GET', path: '/x', operationId: 'x', summary: 'x', access: 'public' } as const
const User = z.object({ name: z.string(), tags: z.array(z.string()) })
const user = defineRoute({ ...base, responses: { 200: { description: 'It', data: User } } })
const found = { name: 'Ada', tags: ['a'] }

// Regression: the check of fields rejected every function that is generic over routes or schemas.
describe('a function can be generic over', () => {
  it('routes and their handlers', () => {
    const logged = <R extends AnyRoute, C>(route: R, handler: RouteHandler<R, C>): RouteBinding<C> =>
      bindRoute(route, handler)
    const around = <R extends AnyRoute>(route: R, handler: RouteHandler<R>) =>
      bindRoute(route, async (request, context) => await handler(request, context))
    const answering = <R extends AnyRoute>(route: R, answer: () => Promise<RouteResult<R>>) =>
      bindRoute(route, answer)
    for (const bind of [logged, around]) bind(user, () => ({ status: 200 as const, body: { data: found } }))
    answering(user, async () => ({ status: 200 as const, body: dataEnvelope(found) }))
    // @ts-expect-error a missing field is still an error
    logged(user, () => ({ status: 200 as const, body: { data: { name: 'Ada' } } }))
  })

  it('schemas', () => {
    const loading = <S extends z.ZodType>(data: S, load: () => z.output<S>) => {
      const route = defineRoute({ ...base, responses: { 200: { description: 'It', data } } })
      bindRoute(route, async () => ({ status: 200, body: dataEnvelope(load()) }))
      return bindRoute(route, () => ({ status: 200, body: { data: load() } }))
    }
    const typed = <T>(data: z.ZodType<T>, load: () => T) => {
      const route = defineRoute({ ...base, responses: { 200: { description: 'It', data } } })
      return bindRoute(route, () => ({ status: 200, body: { data: load() } }))
    }
    loading(User, () => found)
    typed(User, () => found)
  })

  it('parameters', () => {
    const path = '/x/{id}'
    const of = <P extends ParamsSchema<typeof path>>(params: P) =>
      defineRoute({ ...base, path, params, responses: { 204: { description: 'No' } } })
    const { params } = of(z.object({ id: z.uuid() }))
    expectTypeOf(params.parse({ id: crypto.randomUUID() })).toEqualTypeOf<{ id: string }>()
  })
})

// Regression: envelopes kept literal types, and results were readonly at any depth.
it('envelopes and results have ordinary types', () => {
  const tagged = dataEnvelope({ tags: ['a'] })
  tagged.data.tags.push('b')
  let counted = dataEnvelope({ n: 0 })
  counted = dataEnvelope({ n: counted.data.n + 1 })
  expectTypeOf(counted).toEqualTypeOf<DataEnvelope<{ n: number }>>()
  type Body = RouteResult<typeof user>['body']
  expectTypeOf<Body['data']>().toEqualTypeOf<z.output<typeof User>>()
})
