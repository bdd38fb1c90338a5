import { z } from 'zod'

/** A UUID of any version and variant, in lower case; an unknown one gets 404. */
export const id = z.guid('Invalid UUID').toLowerCase()

/** RFC 3339 in UTC with milliseconds. */
export const time = z.iso.datetime()

/** Documents a field that requests cannot change. */
const readOnly = { readOnly: true } as const

/** The id of a parent or owner, which never changes. */
export const belonging = id.meta(readOnly)

/** The fields of every resource. */
export const identity = { id: id.meta(readOnly) }
export const times = { created_at: time.meta(readOnly), updated_at: time.meta(readOnly) }

interface TextOptions {
  readonly min?: number
  readonly max: number
  /** The example in the documents. */
  readonly example: string
}

/** Text with a length in code points, as in JSON Schema, without NUL and lone surrogates, which databases reject. */
export function text({ min = 0, max, example }: TextOptions) {
  const length = min === 0 ? `Must have at most ${max} characters` : `Must have ${min} to ${max} characters`
  return z
    .string()
    .refine((value) => value.isWellFormed() && !value.includes('\0'), 'Must not hold NUL or lone surrogates')
    .refine((value) => isWithin(Array.from(value).length, min, max), length)
    .meta({ minLength: min, maxLength: max, examples: [example] })
}

function isWithin(value: number, min: number, max: number): boolean {
  return value >= min && value <= max
}

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

/** The parameters of `/…/{id}`. */
export const idParams = z.object({ id })
