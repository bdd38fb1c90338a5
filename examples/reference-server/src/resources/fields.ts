import { z } from 'zod'

/** A UUID of any version and variant, in lower case: one that nobody gave out is a resource that is not there. */
export const id = z.guid('Invalid UUID').toLowerCase()

/** RFC 3339 in UTC with milliseconds. */
export const time = z.iso.datetime()

/** What documents say of fields that no request changes. */
const readOnly = { readOnly: true } as const

/** What something belongs to, for good. */
export const belonging = id.meta(readOnly)

/** What every resource begins and ends with. */
export const identity = { id: id.meta(readOnly) }
export const times = { created_at: time.meta(readOnly), updated_at: time.meta(readOnly) }

interface TextOptions {
  readonly min?: number
  readonly max: number
  /** What documents show of it. */
  readonly example: string
}

/** Text of a length in characters (code points, as JSON Schema counts), without what databases cannot hold. */
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

/** A body for PATCH: any of the fields, and at least one. */
export function patchOf<Shape extends z.core.$ZodLooseShape>(body: z.ZodObject<Shape, z.core.$strict>) {
  return body
    .partial()
    .refine((value) => Object.keys(value).length > 0, {
      error: 'Name at least one field to change',
      // Unknown fields are not in the value: somebody who named nothing else did name one.
      when: ({ issues }) => issues.length === 0,
    })
    .meta({ minProperties: 1 })
}

/** The parameters of `/…/{id}`. */
export const idParams = z.object({ id })
