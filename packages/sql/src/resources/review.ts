import type { ErrorDetail } from '@sallyport/errors'
import type { RouteBinding } from '@sallyport/rest'
import type { z } from 'zod'
import type { ResourceContext } from './options.ts'

/** Finds problems of valid fields in an invalid body. */
export type Review<Params> = (
  params: Params,
  fields: Readonly<Record<string, unknown>>,
) => Promise<readonly ErrorDetail[]>

/** Adds a review, whose problems are reported together with those of the schema of the body. */
export function withReview<Params>(
  binding: RouteBinding<ResourceContext>,
  schema: z.ZodObject,
  review: Review<Params>,
): RouteBinding<ResourceContext> {
  return {
    ...binding,
    review: ({ params, body }) => review(params as Params, validFields(schema, body)),
  }
}

/** Parses the valid fields of a body. */
function validFields({ shape }: z.ZodObject, body: unknown): Readonly<Record<string, unknown>> {
  const sent = Object.entries(typeof body === 'object' && body !== null ? body : {})
  return Object.fromEntries(
    sent.flatMap(([name, value]) => {
      const field = Object.hasOwn(shape, name) ? (shape[name] as z.ZodType) : undefined
      const read = field?.safeParse(value)
      return read?.success === true ? [[name, read.data]] : []
    }),
  )
}
