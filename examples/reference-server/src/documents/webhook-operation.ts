import type { AnyProvider } from '@sallyport/webhooks'
import type { oas31 } from 'zod-openapi'
import { webhookResponses } from './webhook-responses.ts'

/**
 * Creates the OpenAPI operation of `POST /webhooks/{provider}`. The gateway answers it before the router, so no route
 * declares it.
 */
export function webhookOperation(providers: readonly AnyProvider[]): oas31.OperationObject {
  const names = providers.map(({ name }) => name)
  const takingForms = providers.filter(acceptsForms)
  return {
    operationId: 'receiveDelivery',
    summary: 'Receive a delivery',
    description: `For the services that are registered here. The body is verified as it was sent, so nothing in between may change it. 200 means that the delivery is durably recorded, unless it is \`ignored\`; one that comes again is answered \`duplicate\`.

A test delivery is \`{ "type": "<kind>", "payload": { … } }\`, signed like any other.`,
    tags: ['webhooks'],
    // OpenAPI has no security scheme for a signature of the body.
    security: [],
    parameters: [
      {
        name: 'provider',
        in: 'path',
        required: true,
        description: 'The name of the provider.',
        schema: { type: 'string', ...(names.length > 0 && { enum: names }) },
      },
      ...signatureHeaders(providers),
    ],
    requestBody: {
      required: true,
      description: 'The delivery of the service.',
      content: {
        'application/json': {
          schema: { type: 'object', additionalProperties: true },
          examples: testDeliveries(providers),
        },
        ...(takingForms.length > 0 && {
          'application/x-www-form-urlencoded': {
            schema: {
              type: 'object',
              required: ['payload'],
              properties: { payload: { type: 'string', description: 'The JSON.' } },
              additionalProperties: false,
            },
            examples: toFormExamples(testDeliveries(takingForms)),
          },
        }),
      },
    },
    responses: webhookResponses(providers),
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

/** Reports whether a provider also parses forms with JSON in the field `payload`, by parsing an empty form. */
function acceptsForms(provider: AnyProvider): boolean {
  try {
    const read = provider.parse?.(emptyForm)
    // The gateway reports a parser that returns a promise.
    if (read instanceof Promise) read.catch(() => undefined)
    return !(read instanceof Promise) && JSON.stringify(read) === '{}'
  } catch {
    return false
  }
}

/** A form whose payload is an empty object. */
const emptyForm = new TextEncoder().encode('payload=%7B%7D')

function toFormExamples(
  deliveries: Record<string, oas31.ExampleObject>,
): Record<string, oas31.ExampleObject> {
  const forms = Object.entries(deliveries).map(
    ([name, { value }]) => [name, { value: { payload: JSON.stringify(value) } }] as const,
  )
  return Object.fromEntries(forms)
}
