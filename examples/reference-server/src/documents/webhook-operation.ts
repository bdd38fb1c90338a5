import type { AnyProvider } from '@sallyport/webhooks'
import type { oas31 } from 'zod-openapi'
import { webhookResponses } from './webhook-responses.ts'

/**
 * `POST /webhooks/{provider}` as an OpenAPI operation. The gateway answers it in front of the router, so that no route
 * declares it.
 */
export function webhookOperation(providers: readonly AnyProvider[]): oas31.OperationObject {
  const names = providers.map(({ name }) => name)
  const takingForms = providers.filter(takesForms)
  return {
    operationId: 'receiveDelivery',
    summary: 'Take a delivery',
    description: `For the services that are registered here. The body is verified as it was sent, so nothing in between may change it. 200 means that the delivery is durably recorded, unless it is \`ignored\`; one that comes again is answered \`duplicate\`.

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
        ...(takingForms.length > 0 && {
          'application/x-www-form-urlencoded': {
            schema: {
              type: 'object',
              required: ['payload'],
              properties: { payload: { type: 'string', description: 'The JSON.' } },
              additionalProperties: false,
            },
            examples: inForms(testDeliveries(takingForms)),
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

/** Whether it reads JSON in the one field `payload` of a form, too: no declaration tells, what it reads does. */
function takesForms(provider: AnyProvider): boolean {
  try {
    const read = provider.parse?.(formOfNothing)
    // A parser that promises breaks its contract: that is for the gateway to tell, and ends nothing here.
    if (read instanceof Promise) read.catch(() => undefined)
    return !(read instanceof Promise) && JSON.stringify(read) === '{}'
  } catch {
    return false
  }
}

/** The field holds an empty object: what is made of the form itself holds the field. */
const formOfNothing = new TextEncoder().encode('payload=%7B%7D')

function inForms(deliveries: Record<string, oas31.ExampleObject>): Record<string, oas31.ExampleObject> {
  const forms = Object.entries(deliveries).map(
    ([name, { value }]) => [name, { value: { payload: JSON.stringify(value) } }] as const,
  )
  return Object.fromEntries(forms)
}
