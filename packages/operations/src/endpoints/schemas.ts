import type { Endpoint } from '@sallyport/webhooks/endpoints'
import { z } from 'zod'
import { textField, time } from '@sallyport/internal/resource-fields'
import { subscriptionSummary, type SubscriptionSummary } from '../subscriptions/schemas.ts'

const readOnly = { readOnly: true } as const

const endpointId = z
  .string()
  .regex(/^[\w-]{1,64}$/, 'Must have 1 to 64 letters, digits, underscores and dashes')
  .meta({ examples: ['5Xo2aPq0VnTr8hZkWm3uYd'] })

/** The parameters of `/endpoints/{id}`. */
export const endpointParams = z.object({ id: endpointId })
/** The parameters of `/endpoints/{id}/secrets/{secret_id}`. */
export const secretParams = z.object({ id: endpointId, secret_id: endpointId })

const name = textField({ min: 1, max: 200, example: 'Acme Ltd' })
const provider = textField({ min: 1, max: 63, example: 'codehost' })
export const endpointStatuses = ['active', 'disabled'] as const
const status = z.enum(endpointStatuses).meta({
  description: 'The gateway refuses deliveries to a disabled endpoint with 410, or as it is configured.',
})
const labels = z
  .record(z.string().regex(/^[\w.-]{1,63}$/), textField({ max: 255, example: 'free' }))
  .refine((all) => Object.keys(all).length <= 20, 'Must have at most 20 labels')
  .meta({ examples: [{ plan: 'free' }] })
const pattern = z
  .string()
  .regex(/^[\w-]+(?:\.[\w-]+)*(?:\.\*)?$/, 'Must be a kind, or a kind followed by .*')
  .max(128)
const options = z
  .strictObject({
    only: z
      .array(pattern)
      .min(1)
      .max(100)
      .optional()
      .meta({
        description: 'The accepted kinds; others are ignored. Default: all kinds.',
        examples: [['push', 'pull_request.*']],
      }),
    tolerance_seconds: z
      .int()
      .min(1)
      .max(86_400)
      .optional()
      .meta({
        description:
          'The maximum difference of the signed time to the clock. Only for a provider that signs a time. Default: the tolerance of the provider.',
        examples: [600],
      }),
  })
  .meta({ id: 'EndpointOptions' })
const secret = z
  .string()
  .min(1)
  .max(4096)
  .refine((value) => !value.includes('\0'), 'Must not hold NUL')
  // UTF-8 has no lone surrogates: another secret would verify.
  .refine((value) => value.isWellFormed(), 'Must be well-formed Unicode')
  .refine((value) => value.trim() !== '', 'Must have more than white space')
  .meta({ description: 'The signing secret of the service.', examples: ['a signing secret'] })

const secretReference = z.object({
  id: z.string(),
  created_at: time,
  readable: z.boolean().meta({
    description:
      'Whether `POST /endpoints/{id}/handshake/secret` returns the secret: the service sent it in a handshake, and nobody has read it.',
  }),
})

const resource = {
  id: endpointId.meta(readOnly),
  provider: provider.meta(readOnly),
  name,
  status,
  url: z.string().meta({
    ...readOnly,
    description: 'The address for the service. A path if the server does not know its public address.',
  }),
  secrets: z.array(secretReference).meta({
    ...readOnly,
    description: 'Newest first, without their values. Deliveries verify with any of them.',
  }),
  labels,
  options,
  handshake_until: time.nullable().meta({
    ...readOnly,
    description:
      'Until when the endpoint accepts a handshake in which the service sends its secret. Null while it accepts none.',
  }),
  subscription: subscriptionSummary.nullable().meta({
    ...readOnly,
    description: 'The state of the webhook at the service; null if the server does not register it.',
    examples: [null],
  }),
  created_at: time.meta(readOnly),
  updated_at: time.meta(readOnly),
}

export const endpointResource = z.object(resource).meta({ id: 'Endpoint' })
export type EndpointResource = z.infer<typeof endpointResource>

/** A secret in the response that creates it. */
const shownSecret = z
  .string()
  .nullable()
  .meta({
    description:
      'The generated secret, in this response only. Null for a secret from the request, or from a handshake of the service.',
    examples: ['6f0b…'],
  })

export const createdEndpointResource = z
  .object({ ...resource, secret: shownSecret })
  .meta({ id: 'CreatedEndpoint' })

export const createEndpointBody = z
  .strictObject({
    id: endpointId
      .optional()
      .meta({ description: 'Default: an unguessable id, 22 random letters and digits.' }),
    provider,
    name,
    secret: secret
      .optional()
      .meta({ description: 'Default: a generated secret; none if the service creates it.' }),
    status: status.default('active'),
    labels: labels.default({}),
    options: options.default({}),
  })
  .meta({ id: 'CreateEndpoint' })

export const patchEndpointBody = z
  .strictObject({
    name,
    status,
    labels,
    options,
    // What was read can be written back.
    id: resource.id,
    provider: resource.provider,
    url: resource.url,
    secrets: resource.secrets,
    handshake_until: resource.handshake_until,
    subscription: resource.subscription,
    created_at: resource.created_at,
    updated_at: resource.updated_at,
  })
  .partial()
  .refine((value) => Object.keys(value).length > 0, {
    error: 'Name at least one field to change',
    // A body with only unknown fields already has another problem.
    when: ({ issues }) => issues.length === 0,
  })
  .meta({ id: 'PatchEndpoint', minProperties: 1 })
export type PatchEndpointBody = z.infer<typeof patchEndpointBody>

export const addSecretBody = z
  .strictObject({ secret: secret.optional().meta({ description: 'Default: a generated secret.' }) })
  .meta({ id: 'AddEndpointSecret' })

export const secretResource = z
  .object({ id: z.string(), secret: shownSecret, created_at: time })
  .meta({ id: 'EndpointSecret' })

export const handshakeSecretResource = z
  .object({
    id: z.string(),
    secret: z.string().meta({ description: 'The secret, in this response only.', examples: ['6f0b…'] }),
  })
  .meta({ id: 'HandshakeSecret' })

/** Converts the options of a body. */
export const toOptions = ({ only, tolerance_seconds: toleranceSeconds }: z.infer<typeof options>) => ({
  ...(only !== undefined && { only }),
  ...(toleranceSeconds !== undefined && { toleranceSeconds }),
})

export const showOptions = ({ only, toleranceSeconds }: Endpoint['options']): z.infer<typeof options> => ({
  ...(only !== undefined && { only: [...only] }),
  ...(toleranceSeconds !== undefined && { tolerance_seconds: toleranceSeconds }),
})

const showHandshake = ({ handshakeUntil }: Endpoint): string | null =>
  handshakeUntil === undefined ? null : new Date(handshakeUntil).toISOString()

/** Converts an endpoint; `gatewayUrl` is the address before `/{provider}/{endpoint}`. */
export function toEndpoint(
  endpoint: Endpoint,
  gatewayUrl: string,
  subscription: SubscriptionSummary | null = null,
): EndpointResource {
  const { id, provider, name, status, secrets, labels } = endpoint
  return {
    id,
    provider,
    name,
    status,
    url: `${gatewayUrl}/${provider}/${id}`,
    secrets: secrets.map((one) => ({
      id: one.id,
      created_at: new Date(one.createdAt).toISOString(),
      readable: one.isReadable === true,
    })),
    labels: { ...labels },
    options: showOptions(endpoint.options),
    handshake_until: showHandshake(endpoint),
    subscription,
    created_at: new Date(endpoint.createdAt).toISOString(),
    updated_at: new Date(endpoint.updatedAt).toISOString(),
  }
}
