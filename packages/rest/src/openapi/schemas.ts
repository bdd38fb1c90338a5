import { z, type ZodType } from 'zod'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { ListForm } from '../envelope.ts'
import type { PaginationMode } from '../list-query.ts'

const ErrorDetail = z.object({
  field: z.string().meta({ description: 'Dotted path of the field, or name of the parameter.' }),
  message: z.string().meta({ description: 'Description of the problem.' }),
})

const code = z
  .string()
  .regex(/^[A-Z]+(_[A-Z0-9]+)*$/)
  .meta({ description: 'Stable code for programs.' })
const details = z.array(ErrorDetail).optional().meta({ description: 'All problems of the input.' })

/** The error envelope. */
export const ErrorEnvelope = z
  .object({ error: z.object({ code, message: z.string(), details }) })
  .meta({ id: 'ErrorEnvelope', description: 'The body of every error response.' })

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
  .meta({
    id: 'ProblemDetails',
    description: 'An error as RFC 9457 problem details, if Accept prefers them.',
  })

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
  .meta({ id: 'OffsetMeta', description: 'The position of an offset page in its list.' })
const ShortOffsetMeta = z
  .object({ page, limit, total: count })
  .meta({ id: 'ShortOffsetMeta', description: 'The position of an offset page in its list.' })
const CursorMeta = z
  .object({
    nextCursor: z
      .string()
      .meta({ description: 'A cursor on every page; on the last page it finds new items later.' }),
    hasMore: z.boolean(),
  })
  .meta({ id: 'CursorMeta', description: 'The continuation of a cursor page.' })

/** Creates the schema of `{ data }` for one resource, or for an unpaginated array. */
export function dataSchema(schema: StandardSchemaV1): ZodType {
  return z.object({ data: toZodSchema(schema) })
}

/** Creates the schema of the body of a paginated list. */
export function listSchema(
  schema: StandardSchemaV1,
  list: { readonly pagination: PaginationMode; readonly form: ListForm; readonly partial: boolean },
): ZodType {
  const data = z.array(list.partial ? makePartial(toZodSchema(schema)) : toZodSchema(schema))
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
 * Narrows a schema to a zod schema.
 *
 * @throws TypeError for a validator of another library
 */
export function toZodSchema(schema: StandardSchemaV1): ZodType {
  if (!('_zod' in schema)) throw new TypeError('An OpenAPI document needs zod schemas')
  return schema as unknown as ZodType
}

/** A cache, because a component id must belong to one schema. */
const partials = new WeakMap<ZodType, ZodType>()

/** Makes all fields optional, for lists with `fields`. */
function makePartial(schema: ZodType): ZodType {
  const known = partials.get(schema)
  if (known !== undefined) return known
  const optional = makeOptional(schema)
  if (optional === undefined) return schema
  const { id, ...meta } = schema.meta() ?? {}
  const partial = optional.meta({ ...meta, ...(typeof id === 'string' && { id: `${id}Fields` }) })
  partials.set(schema, partial)
  return partial
}

function makeOptional(schema: ZodType): ZodType | undefined {
  // zod rejects partial() on refined objects, and the document omits refinements.
  if (schema instanceof z.ZodObject) return schema.clone({ ...schema.def, checks: [] }).partial()
  if (schema instanceof z.ZodReadonly) return makePartial(schema.unwrap() as ZodType)
  if (schema instanceof z.ZodLazy) return z.lazy(() => makePartial(schema.unwrap() as ZodType))
  if (schema instanceof z.ZodNullable) return makePartial(schema.unwrap() as ZodType).nullable()
  // A response has the output of a pipe.
  if (schema instanceof z.ZodPipe && !(schema.out instanceof z.ZodTransform))
    return makePartial(schema.out as ZodType)
  if (schema instanceof z.ZodIntersection) {
    return z.intersection(makePartial(schema.def.left as ZodType), makePartial(schema.def.right as ZodType))
  }
  // A partial object may match several options, so the union is not discriminated.
  if (schema instanceof z.ZodUnion)
    return z.union(schema.options.map((option) => makePartial(option as ZodType)))
  return undefined
}
