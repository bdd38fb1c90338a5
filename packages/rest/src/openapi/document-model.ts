import type { ResponseLink } from '../route.ts'
import type { JsonSchema } from './json-schema.ts'

/** A reference to a component. */
export interface OpenApiReference {
  $ref: string
}

export interface OpenApiHeader {
  description?: string
  required?: boolean
  schema: JsonSchema
}

export interface OpenApiParameter extends OpenApiHeader {
  name: string
  in: 'path' | 'query' | 'header' | 'cookie'
  allowEmptyValue?: boolean
}

export interface OpenApiMedia {
  schema?: JsonSchema
  /** The schema of an item of a stream. */
  itemSchema?: JsonSchema
  'x-itemSchema'?: JsonSchema
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

export type OpenApiContent = Record<string, OpenApiMedia>

interface OpenApiRequestBody {
  description?: string
  required?: boolean
  content: OpenApiContent
}

export interface OpenApiResponse {
  description: string
  headers?: Record<string, OpenApiHeader | OpenApiReference>
  content?: OpenApiContent
  links?: Readonly<Record<string, ResponseLink>>
}

export interface OpenApiOperation {
  operationId: string
  summary: string
  description?: string
  tags?: string[]
  deprecated?: boolean
  security: Record<string, string[]>[]
  parameters?: (OpenApiParameter | OpenApiReference)[]
  requestBody?: OpenApiRequestBody
  responses: Record<string, OpenApiResponse | OpenApiReference>
}

export interface OpenApiComponents {
  schemas?: Record<string, JsonSchema>
  responses?: Record<string, OpenApiResponse>
  parameters?: Record<string, OpenApiParameter>
  headers?: Record<string, OpenApiHeader>
  securitySchemes?: Record<string, OpenApiSecurityScheme>
}

/** A security scheme object of OpenAPI. */
export type OpenApiSecurityScheme = Readonly<Record<string, unknown>> & {
  readonly type: 'apiKey' | 'http' | 'oauth2' | 'openIdConnect'
}

export interface OpenApiInfo {
  readonly title: string
  readonly version: string
  /** @default an introduction that is derived from the routes */
  readonly description?: string
  readonly license?: { readonly name: string; readonly url?: string }
  readonly contact?: { readonly name?: string; readonly url?: string; readonly email?: string }
}

export interface OpenApiTag {
  readonly name: string
  readonly description: string
}

export interface OpenApiServer {
  readonly url: string
  readonly description?: string
}

/** An OpenAPI document, to be serialized as JSON. Its schemas have the keywords of its version. */
export interface OpenApiDocument {
  openapi: '3.0.3' | '3.1.1' | '3.2.0'
  info: OpenApiInfo
  servers: OpenApiServer[]
  tags?: OpenApiTag[]
  paths: Record<string, Record<string, OpenApiOperation>>
  /** What the API sends. OpenAPI 3.0 has it as an extension. */
  webhooks?: Record<string, Record<string, OpenApiOperation>>
  'x-webhooks'?: Record<string, Record<string, OpenApiOperation>>
  components?: OpenApiComponents
}

/** Lists the operations of the API and of the receivers of its webhooks. */
export function listOperations({
  paths,
  webhooks,
  'x-webhooks': extension = webhooks,
}: OpenApiDocument): readonly OpenApiOperation[] {
  return [...Object.values(paths), ...Object.values(extension ?? {})].flatMap((item) => Object.values(item))
}

/** Maps every schema of a document in place. */
export function mapSchemas(document: OpenApiDocument, map: (schema: JsonSchema) => JsonSchema): void {
  const { components = {} } = document
  const operations = listOperations(document)
  const responses = [
    ...operations.flatMap((one) => Object.values(one.responses)),
    ...list(components.responses),
  ]
  const headers = responses
    .flatMap((response) => ('headers' in response ? list(response.headers) : []))
    .filter((header) => 'schema' in header)
  const holders: { schema?: JsonSchema; itemSchema?: JsonSchema }[] = [
    ...operations.flatMap(({ parameters = [] }) => parameters.filter((one) => 'schema' in one)),
    ...list(components.parameters),
    ...headers,
    ...list(components.headers),
    ...operations.flatMap(({ requestBody }) => list(requestBody?.content)),
    ...responses.flatMap((response) => ('content' in response ? list(response.content) : [])),
  ]
  for (const holder of holders) {
    if (holder.schema) holder.schema = map(holder.schema)
    if (holder.itemSchema) holder.itemSchema = map(holder.itemSchema)
  }
  if (!components.schemas) return
  const schemas = Object.entries(components.schemas).map(([name, schema]) => [name, map(schema)] as const)
  components.schemas = Object.fromEntries(schemas)
}

const list = <Value>(values: Readonly<Record<string, Value>> = {}): Value[] => Object.values(values)
