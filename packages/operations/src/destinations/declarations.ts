import { SallyportError } from '@sallyport/errors'
import { textField, time } from '@sallyport/internal/resource-fields'
import type { ManagedDestination } from '@sallyport/webhooks/destinations'
import { managedDestinationSchema, type ManagedDestinationDeclaration } from '@sallyport/webhooks/filter'
import { z } from 'zod'

const redacted = '[redacted]'

const secret = textField({ min: 1, max: 4096, example: 'whsec_…' })
  .optional()
  .meta({ description: 'Default: a generated secret of Standard Webhooks.' })

const { name, url, ...members } = managedDestinationSchema.shape
const shown = {
  ...{ name, url, ...members },
  headers: members.headers.meta({
    description: 'Values are hidden.',
    examples: [{ authorization: redacted }],
  }),
  secrets: z
    .array(z.object({ id: z.string(), created_at: time }))
    .meta({ description: 'Newest first, without their values. Standard Webhooks signs with all of them.' }),
  created_at: time,
  updated_at: time,
}

/** A destination that operators created. */
export const managedResource = z.object(shown).meta({ id: 'ManagedDestination' })

const shownSecret = z
  .string()
  .nullable()
  .meta({
    description: 'The generated secret, in this response only. Null for a secret from the request.',
    examples: ['whsec_…'],
  })

export const createdResource = z
  .object({ ...shown, secret: shownSecret })
  .meta({ id: 'CreatedManagedDestination' })

export const createBody = managedDestinationSchema.extend({ secret }).meta({ id: 'CreateDestination' })

export const addSecretBody = z.strictObject({ secret }).meta({ id: 'AddDestinationSecret' })

export const secretResource = z
  .object({ id: z.string(), secret: shownSecret, created_at: time })
  .meta({ id: 'DestinationSecret' })

export const patchBody = z
  .strictObject({
    url: url.optional(),
    mode: z.enum(['original', 'event']).optional(),
    sign: members.sign.nullable(),
    format: members.format.nullable(),
    headers: members.headers.nullable(),
    allow_headers: members.allow_headers.nullable(),
    query: members.query.nullable(),
    filter: members.filter.nullable(),
    redact: members.redact.nullable(),
    order: members.order.nullable(),
    concurrency: members.concurrency.nullable(),
    rate_per_second: members.rate_per_second.nullable(),
    timeout_seconds: members.timeout_seconds.nullable(),
    retry: members.retry.nullable(),
    max_age_seconds: members.max_age_seconds.nullable(),
    statuses: members.statuses.nullable(),
  })
  .partial()
  .meta({ id: 'PatchDestination', description: 'Null removes a member.' })

/** Applies a change. A header with the hidden value keeps its value. */
export function applyPatch(
  declaration: ManagedDestinationDeclaration,
  { headers, ...patch }: z.output<typeof patchBody>,
): ManagedDestinationDeclaration {
  const known = new Map(Object.entries(declaration.headers ?? {}))
  const restore = ([header, value]: [string, string]): [string, string] => {
    const kept = value === redacted ? known.get(header) : value
    if (kept === undefined)
      throw new SallyportError('VALIDATION_ERROR', `The header ${header} has no value that could be kept`)
    return [header, kept]
  }
  const restored = Object.fromEntries(Object.entries(headers ?? {}).map(restore))
  const changes = {
    ...patch,
    ...(headers !== undefined && { headers: headers && restored }),
  }
  const given = Object.entries({ ...declaration, ...changes }).filter(
    ([, value]) => value !== null && value !== undefined,
  )
  return managedDestinationSchema.parse(Object.fromEntries(given))
}

export function toManaged(one: ManagedDestination): z.infer<typeof managedResource> {
  const { declaration, secrets, createdAt, updatedAt } = one
  const hidden = Object.keys(declaration.headers ?? {}).map((header) => [header, redacted])
  return {
    ...declaration,
    ...(declaration.headers && { headers: Object.fromEntries(hidden) as Record<string, string> }),
    secrets: secrets.map(({ id, createdAt: at }) => ({ id, created_at: new Date(at).toISOString() })),
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(updatedAt).toISOString(),
  }
}
