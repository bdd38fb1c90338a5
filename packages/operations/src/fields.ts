import { z } from 'zod'

/** A UUID of any version and variant, in lower case; an unknown one gets 404. */
export const id = z.guid().toLowerCase()

/** RFC 3339 in UTC with milliseconds. */
export const time = z.iso.datetime()

/** Text of 1 to `maximum` characters, without NUL and lone surrogates, which databases reject. */
export const text = (maximum: number, example: string) =>
  z
    .string()
    .min(1)
    .max(maximum)
    .refine((value) => value.isWellFormed() && !value.includes('\0'), 'Must not hold NUL or lone surrogates')
    .meta({ examples: [example] })

/** The parameters of `/…/{id}`. */
export const idParams = z.object({ id })
