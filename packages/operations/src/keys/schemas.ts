import { z } from 'zod'
import { scopePermissions, type Scope } from '../access.ts'
import { selectorField } from '@sallyport/internal/label-selector'
import { textField, time } from '@sallyport/internal/resource-fields'

const scope = z.enum(Object.keys(scopePermissions) as [Scope, ...Scope[]])
const limitDescription =
  'Limits the key to endpoints with these labels, and to what they received; a semicolon separates alternatives. Operations that do not serve such keys answer 403. Null for no limit.'

const keyId = z
  .string()
  .regex(/^[0-9a-f]{16}$/)
  .meta({ examples: ['5d41402abc4b2a76'] })

export const keyParams = z.object({ id: keyId })

/** An API key, without its secret. */
export const keyResource = z
  .object({
    id: keyId,
    name: z.string().meta({ examples: ['CI'] }),
    scopes: z.array(scope).meta({ examples: [['deliveries:read', 'replays:write']] }),
    endpoints: selectorField.nullable().meta({
      description: 'The labels of the endpoints that the key is limited to. Null without a limit.',
      examples: [null],
    }),
    created_by: z
      .string()
      .meta({ description: 'The id of the user that the key acts for.', examples: ['ann'] }),
    created_at: time,
    expires_at: time.nullable().meta({ examples: [null] }),
    last_used_at: time
      .nullable()
      .meta({ description: 'At most a minute before the last use; null for an unused key.' }),
    prefix: z
      .string()
      .meta({ description: 'The first characters of the key.', examples: ['sp_5d41402abc4b2a76'] }),
  })
  .meta({ id: 'Key' })

export type KeyResource = z.infer<typeof keyResource>

export const createdKeyResource = z
  .object({
    ...keyResource.shape,
    key: z.string().meta({
      description: 'The bearer token. It is shown once.',
      examples: ['sp_<id>_<secret>'],
    }),
  })
  .meta({ id: 'CreatedKey' })

export const createKeyBody = z
  .strictObject({
    name: textField({ min: 1, max: 100, example: 'CI' }),
    scopes: z
      .array(scope)
      .min(1)
      .max(Object.keys(scopePermissions).length)
      .refine((scopes) => new Set(scopes).size === scopes.length, 'Must not repeat a scope')
      .meta({ uniqueItems: true }),
    endpoints: selectorField.nullable().default(null).meta({ description: limitDescription }),
    expires_at: z.iso
      .datetime({ offset: true })
      .nullable()
      .default(null)
      .meta({ description: 'Null for a key that does not expire.', examples: ['2027-01-01T00:00:00Z'] }),
  })
  .meta({ id: 'CreateKey' })
