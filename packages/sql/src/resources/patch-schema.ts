import type { z } from 'zod'

/** Creates the schema of a PATCH body: at least one of the fields. */
export function createPatchSchema<Shape extends z.core.$ZodLooseShape>(
  body: z.ZodObject<Shape, z.core.$strict>,
) {
  return body
    .partial()
    .refine((value) => Object.keys(value).length > 0, {
      error: 'Name at least one field to change',
      // A body with only unknown fields already has another problem.
      when: ({ issues }) => issues.length === 0,
    })
    .meta({ minProperties: 1 })
}
