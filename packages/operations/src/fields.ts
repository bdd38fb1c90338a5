import { z } from 'zod'

/** A UUID of any version and variant, in lower case; an unknown one gets 404. */
export const id = z.guid().toLowerCase()

/** RFC 3339 in UTC with milliseconds. */
export const time = z.iso.datetime()

/**
 * Text of `minimum` (default 1) to `maximum` characters, without NUL and lone surrogates, which databases reject. The length
 * is in code points, as in JSON Schema.
 */
export const text = (maximum: number, example: string, minimum = 1) =>
  z
    .string()
    .refine((value) => value.isWellFormed() && !value.includes('\0'), 'Must not hold NUL or lone surrogates')
    .refine((value) => countCharacters(value) >= minimum, {
      error: `Must be at least ${minimum} character${minimum === 1 ? '' : 's'}`,
      params: { code: 'TOO_SHORT' },
    })
    .refine((value) => countCharacters(value) <= maximum, {
      error: `Must be at most ${maximum} characters`,
      params: { code: 'TOO_LONG' },
    })
    .meta({ minLength: minimum, maxLength: maximum, examples: [example] })

const countCharacters = (value: string): number => Array.from(value).length

/** The parameters of `/…/{id}`. */
export const idParams = z.object({ id })
