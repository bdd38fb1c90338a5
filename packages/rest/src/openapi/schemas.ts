import { z, type ZodType } from 'zod'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { ListForm } from '../envelope.ts'
import type { PaginationMode } from '../list-query.ts'

const ErrorDetail = z.object({
  field: z.string().meta({ description: 'Dotted path of the field, or the name of the parameter.' }),
  message: z.string().meta({ description: 'What is wrong with it.' }),
})

const code = z
  .string()
  .regex(/^[A-Z]+(_[A-Z0-9]+)*$/)
  .meta({ description: 'Stable; branch on this.' })
const details = z
  .array(ErrorDetail)
  .optional()
  .meta({ description: 'The problems of the input, all of them.' })

/** The error envelope. */
export const ErrorEnvelope = z
  .object({ error: z.object({ code, message: z.string(), details }) })
  .meta({ id: 'ErrorEnvelope', description: 'What every error is answered with.' })

/** An error as problem+json. */
export const ProblemDetails = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int().min(400).max(599),
    detail: z.string(),
    instance: z.string().optional(),
    code,
    details,
  })
  .meta({ id: 'ProblemDetails', description: 'An error in the form of RFC 9457, for those who ask for it.' })

const page = z.int().min(1)
const limit = z
  .int()
  .min(1)
  .meta({ examples: [20] })
const count = z
  .int()
  .nonnegative()
  .meta({ examples: [1] })
const OffsetMeta = z
  .object({ page, limit, total: count, totalPages: count })
  .meta({ id: 'OffsetMeta', description: 'Where an offset page stands in its list.' })
const ShortOffsetMeta = z
  .object({ page, limit, total: count })
  .meta({ id: 'ShortOffsetMeta', description: 'Where an offset page stands in its list.' })
const CursorMeta = z
  .object({
    nextCursor: z
      .string()
      .meta({ description: 'Always a cursor: of the last page, where new items will appear.' }),
    hasMore: z.boolean(),
  })
  .meta({ id: 'CursorMeta', description: 'How to read on from a cursor page.' })

/** The body of one resource, or of an array that is not paginated. */
export function dataSchema(schema: StandardSchemaV1): ZodType {
  return z.object({ data: zodOf(schema) })
}

/** The body of a paginated list. */
export function listSchema(
  schema: StandardSchemaV1,
  list: { readonly pagination: PaginationMode; readonly form: ListForm; readonly partial: boolean },
): ZodType {
  const data = z.array(list.partial ? partialOf(zodOf(schema)) : zodOf(schema))
  const offset =
    list.form === 'bare'
      ? data
      : z.object({ data, meta: list.form === 'full' ? OffsetMeta : ShortOffsetMeta })
  const cursor = z.object({ data, meta: CursorMeta })
  switch (list.pagination) {
    case 'offset':
      return offset
    case 'cursor':
      return cursor
    case 'both':
      return z.union([offset, cursor])
  }
}

/**
 * A schema as the zod schema that it has to be.
 *
 * @throws TypeError for a validator of another library
 */
export function zodOf(schema: StandardSchemaV1): ZodType {
  if (!('_zod' in schema)) throw new TypeError('An OpenAPI document is made from zod schemas')
  return schema as unknown as ZodType
}

/** Kept, so that a component of one name is one schema. */
const partials = new WeakMap<ZodType, ZodType>()

/** Where `fields` may leave some out, no field is required. */
function partialOf(schema: ZodType): ZodType {
  const known = partials.get(schema)
  if (known !== undefined) return known
  const optional = optionalOf(schema)
  if (optional === undefined) return schema
  const { id, ...meta } = schema.meta() ?? {}
  const partial = optional.meta({ ...meta, ...(typeof id === 'string' && { id: `${id}Fields` }) })
  partials.set(schema, partial)
  return partial
}

function optionalOf(schema: ZodType): ZodType | undefined {
  // Without what refines it: that is not documented, and zod makes no part of it.
  if (schema instanceof z.ZodObject) return schema.clone({ ...schema.def, checks: [] }).partial()
  if (schema instanceof z.ZodReadonly) return partialOf(schema.unwrap() as ZodType)
  if (schema instanceof z.ZodLazy) return z.lazy(() => partialOf(schema.unwrap() as ZodType))
  if (schema instanceof z.ZodNullable) return partialOf(schema.unwrap() as ZodType).nullable()
  // What is answered is what comes out of a pipe.
  if (schema instanceof z.ZodPipe && !(schema.out instanceof z.ZodTransform))
    return partialOf(schema.out as ZodType)
  if (schema instanceof z.ZodIntersection) {
    return z.intersection(partialOf(schema.def.left as ZodType), partialOf(schema.def.right as ZodType))
  }
  // No field of a part tells which of several it is of.
  if (schema instanceof z.ZodUnion)
    return z.union(schema.options.map((option) => partialOf(option as ZodType)))
  return undefined
}
