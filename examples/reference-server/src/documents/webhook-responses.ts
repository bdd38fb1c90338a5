import { STATUS_CODES } from 'node:http'
import { statusByCode, type ErrorCode } from '@sallyport/errors'
import type { AnyProvider } from '@sallyport/webhooks'
import type { oas31 } from 'zod-openapi'

/** Creates the OpenAPI responses of `POST /webhooks/{provider}`. */
export function webhookResponses(providers: readonly AnyProvider[]): Record<string, oas31.ResponseObject> {
  const challenged = providers.some(({ handshake }) => handshake?.methods.includes('POST'))
  return { 200: taken(challenged), ...refusals() }
}

function taken(challenged: boolean): oas31.ResponseObject {
  const description = 'It is verified, and recorded unless it is `ignored`.'
  return {
    description: challenged
      ? `${description} Or it is a challenge, answered as its service asks.`
      : description,
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

/** The possible response to a challenge of a service. */
const anyObject: oas31.SchemaObject = { type: 'object' }

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
                duplicate: { type: 'boolean', description: 'Whether it was known already.' },
              },
            },
          },
        },
      },
    },
  },
} satisfies oas31.MediaTypeObject

/** The error codes of the gateway for POST. */
const codes = [
  'BAD_REQUEST',
  'INVALID_JSON',
  'INVALID_SIGNATURE',
  'UNKNOWN_PROVIDER',
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'INBOX_UNAVAILABLE',
  'OVERLOADED',
  'PROVIDER_UNAVAILABLE',
] as const satisfies readonly ErrorCode[]

function refusals(): Record<string, oas31.ResponseObject> {
  const byStatus = Map.groupBy(codes, (code) => statusByCode[code])
  const responses = [...byStatus].map(([status, group]) => [String(status), refusal(status, group)] as const)
  return Object.fromEntries(responses)
}

function refusal(status: number, group: readonly ErrorCode[]): oas31.ResponseObject {
  const message = STATUS_CODES[status] ?? String(status)
  const examples = group.map((code) => [code, { value: { error: { code, message } } }] as const)
  return {
    description: `${message}: ${group.join(', ')}.`,
    ...((status === 429 || status === 503) && {
      headers: {
        'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
      },
    }),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ErrorEnvelope' },
        examples: Object.fromEntries(examples),
      },
    },
  }
}
