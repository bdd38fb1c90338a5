import type { ErrorDetail } from '@sallyport/errors'
import { createRouteGroup, type RouteBinding } from '@sallyport/rest'
import type { z } from 'zod'
import type { Caller, RequestContext } from '../http/context.ts'

/** The routes of resources. */
export const route = createRouteGroup<Caller>()

/** The parsed parts of a request. */
export interface Parts<Params, Query = undefined, Body = undefined> {
  readonly params: Params
  readonly query: Query
  readonly body: Body
}

/** Types the parts of a request. The caller guarantees that the schemas of the route produce these types. */
export function withParts<Context, Result>(
  handler: (parts: never, context: Context) => Promise<Result>,
): (parts: unknown, context: Context) => Promise<Result> {
  return (parts, context) => handler(parts as never, context)
}

/** Finds problems of valid fields in an invalid body. */
export type Review<Params> = (
  params: Params,
  fields: Readonly<Record<string, unknown>>,
) => Promise<readonly ErrorDetail[]>

/** Adds a review, whose problems are reported together with those of the schema of the body. */
export function withReview<Params>(
  binding: RouteBinding<RequestContext>,
  schema: z.ZodObject,
  review: Review<Params>,
): RouteBinding<RequestContext> {
  return {
    ...binding,
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
