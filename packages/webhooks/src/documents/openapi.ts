import type { AnyProvider } from '../provider/provider.ts'
import type { OpenApiOperation } from './openapi-model.ts'
import { webhookResponses } from './openapi-responses.ts'

/**
 * Creates the paths of a gateway for an OpenAPI document of `createOpenApiDocument` of `@sallyport/rest/openapi`, whose error
 * envelope the responses refer to.
 *
 * @param options `basePath` is the path before the name of the provider, by default `/webhooks`; `tag` is that of the operations
 *
 * @example
 * ```ts
 * import { github } from '@sallyport/providers/github'
 * import { createWebhookPaths } from '@sallyport/webhooks/documents'
 *
 * const paths = createWebhookPaths([github])
 * ```
 */
export function createWebhookPaths(
  providers: readonly AnyProvider[],
  { basePath = '/webhooks', tag = 'webhooks' }: { readonly basePath?: string; readonly tag?: string } = {},
): Record<string, { post: OpenApiOperation }> {
  const operation = webhookOperation(providers, tag)
  return {
    [`${basePath}/{provider}`]: { post: operation },
    [`${basePath}/{provider}/{endpoint}`]: { post: endpointOperation(operation, providers, basePath) },
  }
}

function webhookOperation(providers: readonly AnyProvider[], tag: string): OpenApiOperation {
  const names = providers.map(({ name }) => name)
  const takingForms = providers.filter(acceptsForms)
  return {
    operationId: 'receiveDelivery',
    summary: 'Receive a delivery',
    description: `For the registered services. The signature covers the bytes of the body, so no proxy may change them. 200 means that the delivery is durably recorded, unless its status is \`ignored\`. The status of a repeated delivery is \`duplicate\`.

A test delivery is \`{ "type": "<kind>", "payload": { … } }\` with the same signature as other deliveries.`,
    tags: [tag],
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
              properties: { payload: { type: 'string', description: 'The delivery as JSON.' } },
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

function endpointOperation(
  operation: OpenApiOperation,
  providers: readonly AnyProvider[],
  basePath: string,
): OpenApiOperation {
  return {
    ...operation,
    operationId: 'receiveEndpointDelivery',
    summary: 'Receive a delivery to an endpoint',
    description: `Like \`POST ${basePath}/{provider}\`, with the secrets of the endpoint. The ids of its events begin with \`<provider>@<endpoint>:\`.`,
    parameters: [
      {
        name: 'endpoint',
        in: 'path',
        required: true,
        description: 'The id of the endpoint.',
        schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
      },
      ...operation.parameters,
    ],
    responses: webhookResponses(providers, true),
  }
}

function signatureHeaders(providers: readonly AnyProvider[]): OpenApiOperation['parameters'] {
  const headers = new Set(providers.flatMap(({ signature }) => signature.headers))
  return [...headers].map((name) => {
    const senders = providers.filter(({ signature }) => signature.headers.includes(name))
    return {
      name,
      in: 'header',
      description: `Part of the signature of ${senders.map((sender) => sender.name).join(', ')}.`,
      schema: { type: 'string' },
    }
  })
}

type Examples = Record<string, { value: { type: string; payload: object } }>

function testDeliveries(providers: readonly AnyProvider[]): Examples {
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

function toFormExamples(deliveries: Examples) {
  const forms = Object.entries(deliveries).map(
    ([name, { value }]) => [name, { value: { payload: JSON.stringify(value) } }] as const,
  )
  return Object.fromEntries(forms)
}
