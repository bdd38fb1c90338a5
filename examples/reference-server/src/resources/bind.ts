import type { ErrorDetail } from '@sallyport/errors'
import type { AnyRoute, AnyRouteResult, RouteBinding } from '@sallyport/rest'
import type { z } from 'zod'
import type { RequestContext } from '../http/context.ts'

interface Parts<Params, Query, Body> {
  readonly params: Params
  readonly query: Query
  readonly body: Body
}

/**
 * Binds a handler to a route that was made for a resource: its schemas give the parts of these types, which only the
 * resource knows.
 */
export function bind<Params, Query = undefined, Body = undefined>(
  route: AnyRoute,
  handler: (parts: Parts<Params, Query, Body>, context: RequestContext) => Promise<AnyRouteResult>,
): RouteBinding<RequestContext> {
  return {
    route,
    handler: (parts, context) => handler(parts as unknown as Parts<Params, Query, Body>, context),
  }
}

/** Finds what is wrong with fields that are valid by themselves, in a body that is not. */
export type Review<Params> = (
  params: Params,
  fields: Readonly<Record<string, unknown>>,
) => Promise<readonly ErrorDetail[]>

/** Binds a handler as `bind` does; what `review` finds is reported together with what the schema of the body finds. */
export function bindReviewed<Params, Body>(
  route: AnyRoute,
  schema: z.ZodObject,
  review: Review<Params>,
  handler: (parts: Parts<Params, undefined, Body>, context: RequestContext) => Promise<AnyRouteResult>,
): RouteBinding<RequestContext> {
  return {
    ...bind(route, handler),
    review: ({ params, body }) => review(params as Params, validFields(schema, body)),
  }
}

/** The fields of a body that are valid by themselves, as the schema reads them. */
function validFields(schema: z.ZodObject, body: unknown): Readonly<Record<string, unknown>> {
  const shape = schema.shape as Readonly<Record<string, z.ZodType>>
  const sent = Object.entries(typeof body === 'object' && body !== null ? body : {})
  return Object.fromEntries(
    sent.flatMap(([name, value]) => {
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined
      const read = field?.safeParse(value)
      return read?.success === true ? [[name, read.data]] : []
    }),
  )
}

/** `post` as the rest of an operation's id: `Post`. */
export function capitalized(noun: string): string {
  return noun.charAt(0).toUpperCase() + noun.slice(1)
}
