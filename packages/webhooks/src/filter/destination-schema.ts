import { z } from 'zod'
import { compilePaths } from '../redaction/paths.ts'
import { eventFilterSchema } from './filter.ts'

const seconds = (maximum: number) => z.number().gt(0).max(maximum)
const week = 7 * 86_400
const statuses = z.array(z.union([z.int().min(200).max(599), z.enum(['2xx', '3xx', '4xx', '5xx'])])).max(100)
const headerName = z.string().regex(/^[\w-]{1,100}$/, 'Must be the name of a header')

/** Paths of values that a destination or a bus does not receive. */
const redactSchema = z
  .array(
    z.string().max(200).refine(isRedactPath, 'Must be like data.object.email, **.email or header:x-email'),
  )
  .min(1)
  .max(100)

/** The declaration of a destination over HTTP in a file; `createHttpDestination` describes the members. */
export const destinationSchema = z.strictObject({
  name: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9._-]{0,63}$/,
      'Must have 1 to 64 lower-case letters, digits, dots, hyphens and underscores',
    ),
  url: z.string().max(2000),
  mode: z.enum(['original', 'event']).default('original'),
  /** The name of the variable with the secrets. */
  secret: z
    .string()
    .regex(
      /^DESTINATION_SECRET(?:_[A-Z0-9_]{1,60})?$/,
      'Must be DESTINATION_SECRET or begin with DESTINATION_SECRET_',
    )
    .default('DESTINATION_SECRET'),
  sign: z.enum(['standard-webhooks', 'provider']).optional(),
  format: z.enum(['standard-webhooks', 'cloudevents']).optional(),
  headers: z.record(headerName, z.string().max(1000)).optional(),
  allow_headers: z.array(headerName).max(100).optional(),
  query: z.boolean().optional(),
  filter: eventFilterSchema.optional(),
  redact: redactSchema.optional(),
  order: z.enum(['subject', 'endpoint', 'none']).optional(),
  concurrency: z.int().min(1).max(1000).optional(),
  rate_per_second: z.int().min(1).max(100_000).optional(),
  timeout_seconds: seconds(3600).optional(),
  retry: z
    .union(
      [
        z.array(seconds(week)).max(1000),
        z.strictObject({
          first_seconds: seconds(week).optional(),
          factor: z.number().min(1).max(100).optional(),
          longest_seconds: seconds(week).optional(),
          for_seconds: seconds(week).optional(),
        }),
      ],
      {
        error:
          'Must be a list of seconds, or an object with first_seconds, factor, longest_seconds and for_seconds',
      },
    )
    .optional(),
  max_age_seconds: z.int().min(1).optional(),
  statuses: z
    .strictObject({
      success: statuses.optional(),
      retry: statuses.optional(),
      dead: statuses.optional(),
      gone: statuses.optional(),
    })
    .optional(),
})

export type DestinationDeclaration = z.output<typeof destinationSchema>

/** The declaration of a destination whose secrets are stored. */
export const managedDestinationSchema = destinationSchema.omit({ secret: true })

export type ManagedDestinationDeclaration = z.output<typeof managedDestinationSchema>

function isRedactPath(path: string): boolean {
  try {
    compilePaths([path])
    return true
  } catch {
    return false
  }
}
