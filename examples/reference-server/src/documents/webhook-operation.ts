import { STATUS_CODES } from 'node:http'
import { statusByCode, type ErrorCode } from '@sallyport/errors'
import type { AnyProvider } from '@sallyport/webhooks'
import type { oas31 } from 'zod-openapi'

/**
 * `POST /webhooks/{provider}` as an OpenAPI operation. The gateway answers it in front of the router, so that no route
 * declares it.
 */
export function webhookOperation(providers: readonly AnyProvider[]): oas31.OperationObject {
  const names = providers.map(({ name }) => name)
  return {
    operationId: 'receiveDelivery',
    summary: 'Take a delivery',
    description: `For the services that are registered here. The body is verified as it was sent, so nothing in between may change it. 200 means that the delivery is durably recorded; one that comes again is answered \`duplicate\`.

A test delivery is \`{ "type": "<kind>", "payload": { … } }\`, signed like any other.`,
    tags: ['webhooks'],
    // The proof is over the body, which no security scheme of OpenAPI describes.
    security: [],
    parameters: [
      {
        name: 'provider',
        in: 'path',
        required: true,
        description: 'Which service sends.',
        schema: { type: 'string', ...(names.length > 0 && { enum: names }) },
      },
      ...signatureHeaders(providers),
    ],
    requestBody: {
      required: true,
      description: 'What the service sends.',
      content: {
        'application/json': {
          schema: { type: 'object', additionalProperties: true },
          examples: testDeliveries(providers),
        },
      },
    },
    responses: { 200: accepted, ...refusals() },
  }
}

function signatureHeaders(providers: readonly AnyProvider[]): oas31.ParameterObject[] {
  const headers = new Set(providers.flatMap(({ signature }) => signature.headers))
  return [...headers].map((name) => {
    const senders = providers.filter(({ signature }) => signature.headers.includes(name))
    return {
      name,
      in: 'header',
      description: `Part of the proof that ${senders.map((sender) => sender.name).join(', ')} sent it.`,
      schema: { type: 'string' },
    }
  })
}

function testDeliveries(providers: readonly AnyProvider[]): Record<string, oas31.ExampleObject> {
  const kinds = providers.flatMap(({ name, events }) =>
    Object.keys(events).map((type) => [`${name}.${type}`, { value: { type, payload: {} } }] as const),
  )
  return Object.fromEntries(kinds)
}

const accepted: oas31.ResponseObject = {
  description: 'It is verified, and recorded unless it is `ignored`.',
  content: {
    'application/json': {
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
    },
  },
}

/** What the gateway refuses a POST with. */
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
