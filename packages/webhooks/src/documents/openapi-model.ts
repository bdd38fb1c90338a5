/** The schema object of OpenAPI. */
type Schema = Record<string, unknown>

interface Header {
  description?: string
  required?: boolean
  schema: Schema
}

type Content = Record<
  string,
  { schema?: Schema; example?: unknown; examples?: Record<string, { value: unknown }> }
>

/** The operation object of OpenAPI 3. */
export interface OpenApiOperation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters: (Header & { name: string; in: 'path' | 'header' })[]
  requestBody: { description: string; required: boolean; content: Content }
  responses: Record<
    string,
    { description: string; headers?: Record<string, Header | { $ref: string }>; content?: Content }
  >
}
