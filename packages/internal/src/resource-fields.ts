import { z } from 'zod'

/** A UUID of any version and variant, in lower case; an unknown one gets 404. */
export const id = z.guid().toLowerCase()

/** RFC 3339 in UTC with milliseconds. */
export const time = z.iso.datetime()

const readOnly = { readOnly: true } as const

/** The id of a parent or owner, which never changes. */
export const belonging = id.meta(readOnly)

/** The fields of every resource, which requests cannot change. */
export const identity = { id: belonging }
export const times = { created_at: time.meta(readOnly), updated_at: time.meta(readOnly) }

interface TextOptions {
  readonly min?: number
  readonly max: number
  /** The example in the documents. */
  readonly example: string
}

/** Text with a length in code points, as in JSON Schema, without NUL and lone surrogates, which databases reject. */
export function textField({ min = 0, max, example }: TextOptions) {
  return z
    .string()
    .refine((value) => value.isWellFormed() && !value.includes('\0'), 'Must not hold NUL or lone surrogates')
    .refine((value) => countCharacters(value) >= min, {
      error: `Must be at least ${min} character${min === 1 ? '' : 's'}`,
      params: { code: 'TOO_SHORT' },
    })
    .refine((value) => countCharacters(value) <= max, {
      error: `Must be at most ${max} characters`,
      params: { code: 'TOO_LONG' },
    })
    .meta({ minLength: min, maxLength: max, examples: [example] })
}

const countCharacters = (text: string): number => Array.from(text).length

/** The parameters of `/…/{id}`. */
export const idParams = z.object({ id })
