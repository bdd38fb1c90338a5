import { statusByCode, type ErrorCode } from '@sallyport/errors'
import type { AnyProvider } from '../provider/provider.ts'
import type { OpenApiOperation } from './openapi-model.ts'

type Responses = OpenApiOperation['responses']

/** Creates the OpenAPI responses to a delivery. Only a delivery to an endpoint can be answered with 410. */
export function webhookResponses(providers: readonly AnyProvider[], hasEndpoint = false): Responses {
  const challenged = providers.some(({ handshake }) => handshake?.methods.includes('POST'))
  return { 200: describeSuccess(challenged), ...refusals(hasEndpoint) }
}

function describeSuccess(challenged: boolean): Responses[string] {
  const description = 'The delivery is verified, and recorded unless its status is `ignored`.'
  return {
    description: challenged
      ? `${description} A challenge of a service is answered as the service requires.`
      : description,
    headers,
    content: {
      'application/json': challenged
        ? { ...outcome, schema: { anyOf: [outcome.schema, anyObject] } }
        : outcome,
      ...(challenged && {
        'text/plain': { schema: { type: 'string', maxLength: 1024 }, example: 'f2a9c7d1' },
      }),
    },
  }
}

/** The headers of every response. */
const headers = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } }

/** The possible response to a challenge of a service. */
const anyObject = { type: 'object' }

const outcome = {
  example: {
    data: {
      status: 'accepted',
      events: [
        {
          id: 'codehost:workflow_run.completed:289782451:1',
          name: 'codehost/workflow_run.completed',
          duplicate: false,
        },
      ],
    },
  },
  schema: {
    type: 'object',
    required: ['data'],
    properties: {
      data: {
        type: 'object',
        required: ['status', 'events'],
        properties: {
          status: { type: 'string', enum: ['accepted', 'duplicate', 'ignored', 'quarantined'] },
          events: {
            type: 'array',
            items: {
              type: 'object',
              required: ['id', 'name', 'duplicate'],
              properties: {
                id: { type: 'string', description: 'The idempotency key.' },
                name: { type: 'string', description: 'The provider and the kind.' },
                duplicate: {
                  type: 'boolean',
                  description: 'Whether an event with this id was recorded before.',
                },
              },
            },
          },
        },
      },
    },
  },
}

/** The errors of the gateway for POST, by code, with the messages that it sends. */
const errors = {
  BAD_REQUEST: 'The body ended early',
  INVALID_SIGNATURE: 'The signature of this delivery does not hold',
  UNKNOWN_PROVIDER: 'No provider of this name is registered',
  UNKNOWN_ENDPOINT: 'The provider has no endpoint of this id',
  REQUEST_TIMEOUT: 'The body took too long',
  GONE: 'The endpoint is disabled',
  PAYLOAD_TOO_LARGE: 'The body is larger than 1048576 bytes',
  UNSUPPORTED_MEDIA_TYPE: 'Send the body uncompressed',
  RATE_LIMITED: 'Too many failed verifications: try again',
  INTERNAL_ERROR: 'An unexpected error occurred',
  INBOX_UNAVAILABLE: 'The inbox is unavailable: try again',
  BODY_UNAVAILABLE: 'The store of large bodies does not answer: try again',
  OVERLOADED: 'Too many bodies at the same time: try again',
  PROVIDER_UNAVAILABLE: 'The secret of this provider is not available: try again',
} as const satisfies { readonly [Code in ErrorCode]?: string }

/** The reason phrases of RFC 9110. */
const reasons: ReadonlyMap<number, string> = new Map([
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [404, 'Not Found'],
  [408, 'Request Timeout'],
  [410, 'Gone'],
  [413, 'Payload Too Large'],
  [415, 'Unsupported Media Type'],
  [429, 'Too Many Requests'],
  [500, 'Internal Server Error'],
  [503, 'Service Unavailable'],
])

type GatewayCode = keyof typeof errors

function refusals(hasEndpoint: boolean): Responses {
  const codes = (Object.keys(errors) as GatewayCode[]).filter((code) => code !== 'GONE' || hasEndpoint)
  const byStatus = Map.groupBy(codes, (code) => statusByCode[code])
  const responses = [...byStatus].map(([status, group]) => [String(status), refusal(status, group)] as const)
  return Object.fromEntries(responses)
}

function refusal(status: number, group: readonly GatewayCode[]): Responses[string] {
  const examples = group.map((code) => [code, { value: { error: { code, message: errors[code] } } }] as const)
  return {
    description: `${reasons.get(status) ?? status}: ${group.join(', ')}.`,
    headers: {
      ...headers,
      ...((status === 429 || status === 503) && {
        'Retry-After': {
          description: 'Seconds to wait.',
          required: true,
          schema: { type: 'integer', minimum: 1 },
        },
      }),
    },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ErrorEnvelope' },
        examples: Object.fromEntries(examples),
      },
    },
  }
}
