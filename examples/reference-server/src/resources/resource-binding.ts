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
 * Binds a handler to the route of a resource. The caller guarantees that the schemas of the route produce the given types.
 */
export function bindResourceRoute<Params, Query = undefined, Body = undefined>(
  route: AnyRoute,
  handler: (parts: Parts<Params, Query, Body>, context: RequestContext) => Promise<AnyRouteResult>,
): RouteBinding<RequestContext> {
  return {
    route,
    handler: (parts, context) => handler(parts as unknown as Parts<Params, Query, Body>, context),
  }
}

/** Finds problems of valid fields in an invalid body. */
export type Review<Params> = (
  params: Params,
  fields: Readonly<Record<string, unknown>>,
) => Promise<readonly ErrorDetail[]>

/** Binds a handler like `bindResourceRoute`; the problems of `review` are reported together with those of the schema. */
export function bindReviewedRoute<Params, Body>(
  route: AnyRoute,
  schema: z.ZodObject,
  review: Review<Params>,
  handler: (parts: Parts<Params, undefined, Body>, context: RequestContext) => Promise<AnyRouteResult>,
): RouteBinding<RequestContext> {
  return {
    ...bindResourceRoute(route, handler),
    review: ({ params, body }) => review(params as Params, validFields(schema, body)),
  }
}

/** Parses the valid fields of a body. */
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

/** Capitalizes a noun for an operation id. */
export function capitalized(noun: string): string {
  return noun.charAt(0).toUpperCase() + noun.slice(1)
}
