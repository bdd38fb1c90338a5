import { z } from 'zod'

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

type Shape = z.core.$ZodLooseShape

/**
 * Creates the bodies that create, replace and patch a resource. PUT and PATCH accept read-only fields that do not change.
 *
 * @param name the name of the schema, such as `Post`
 * @param fields `required` of POST and PUT, `cleared` by default in both, and `initial`, whose default is that of POST
 */
export function createBodies<
  Resource extends Shape,
  Required extends Shape,
  Cleared extends Shape,
  Initial extends Shape,
>(
  name: string,
  resource: z.ZodObject<Resource>,
  fields: { readonly required: Required; readonly cleared: Cleared; readonly initial: Initial },
) {
  const { required, cleared, initial } = fields
  const anyField = { ...resource.partial().shape, ...required }
  return {
    create: z.strictObject({ ...required, ...cleared, ...initial }).meta({ id: `Create${name}` }),
    replace: z.strictObject({ ...anyField, ...cleared }).meta({ id: `Replace${name}` }),
    patch: createPatchSchema(z.strictObject(anyField)).meta({ id: `Patch${name}` }),
  }
}
