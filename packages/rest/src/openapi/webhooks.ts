import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { OpenApiOperation } from './document-model.ts'
import type { SchemaRegistry } from './schema-registry.ts'

/** A webhook that the API sends to its users, as a POST with a JSON body. */
export interface OpenApiWebhook {
  /** @default the name */
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  /** The schema of the body. */
  readonly body: StandardSchemaV1
  /** The descriptions of headers, such as a signature, by name. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Webhooks by name, such as `order.paid`. */
export type OpenApiWebhooks = Readonly<Record<string, OpenApiWebhook>>

/** Converts a webhook to an operation that the receiver implements. */
export function createWebhookOperation(
  name: string,
  { summary = name, description, tags, body, headers = {} }: OpenApiWebhook,
  registry: SchemaRegistry,
): OpenApiOperation {
  const operationId = name.replaceAll(/[^A-Za-z0-9]+(.?)/g, (_, next: string) => next.toUpperCase())
  const parameters = Object.entries(headers).map(([header, text]) => {
    return {
      name: header,
      in: 'header',
      description: text,
      required: true,
      schema: { type: 'string' },
    } as const
  })
  return {
    operationId,
    summary,
    ...(description !== undefined && { description }),
    ...(tags !== undefined && { tags: [...tags] }),
    security: [],
    ...(parameters.length > 0 && { parameters }),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: registry.convert(body, 'output', operationId) } },
    },
    responses: {
      '2XX': { description: 'The receiver has the webhook.' },
      '4XX': { description: 'The receiver refuses the webhook.' },
    },
  }
}
