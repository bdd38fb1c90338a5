/** A JSON Schema in the dialect of OpenAPI 3.0, as far as tests look into it. */
export interface Schema {
  readonly $ref?: string
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean'
  readonly nullable?: boolean
  readonly readOnly?: boolean
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly exclusiveMinimum?: boolean
  readonly maximum?: number
  readonly items?: Schema
  readonly minItems?: number
  readonly uniqueItems?: boolean
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly allOf?: readonly Schema[]
  readonly required?: readonly string[]
  readonly minProperties?: number
  /** Of these, one has to hold. */
  readonly anyOf?: readonly { readonly required?: readonly string[] }[]
}

interface Media {
  readonly schema: Schema
  readonly example?: unknown
}

interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly schema: Schema
}

interface DocumentedHeader {
  readonly $ref?: string
  readonly required?: boolean
  readonly schema: Schema
}

interface DocumentedResponse {
  readonly $ref?: string
  readonly description?: string
  readonly headers?: Readonly<Record<string, DocumentedHeader>>
  readonly content?: Readonly<Record<string, Media>>
}

interface Operation {
  readonly operationId: string
  readonly description?: string
  readonly security: readonly object[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: {
    readonly $ref?: string
    readonly required?: boolean
    readonly content: Readonly<Record<string, Media>>
  }
  readonly responses: Readonly<Record<string, DocumentedResponse>>
}

/** An OpenAPI 3.0 document. Parts of it may be references, which {@link follow} leads to what they mean. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses?: Readonly<Record<string, DocumentedResponse>>
  }
}

export async function fetchDocument(origin: string, name = 'openapi.json'): Promise<OpenApiDocument> {
  const response = await fetch(`${origin}/api/${name}`)
  if (response.status !== 200) throw new Error(`The document is unavailable: ${await response.text()}`)
  return (await response.json()) as OpenApiDocument
}

/** The document describes in words when the server accepts these fields: only some providers sign a time. */
const describedFields: ReadonlySet<string> = new Set(['tolerance_seconds'])

/** Fetches the document for the values of its schemas, without fields that its schemas do not describe. */
export const fetchSchemas = async (origin: string): Promise<OpenApiDocument> =>
  JSON.parse(
    JSON.stringify(await fetchDocument(origin, 'openapi-3.1.json')),
    (name: string, value: unknown) => (describedFields.has(name) ? undefined : value),
  ) as OpenApiDocument

/** Resolves a reference; returns other parts unchanged. */
export function follow<Part extends { readonly $ref?: string }>(document: OpenApiDocument, part: Part): Part {
  if (part.$ref === undefined) return part
  const names = part.$ref.slice('#/'.length).split('/')
  const target = names.reduce<unknown>((node, name) => {
    return (node as Record<string, unknown> | undefined)?.[name.replaceAll('~1', '/').replaceAll('~0', '~')]
  }, document)
  if (target === undefined) throw new Error(`The document refers to ${part.$ref}, which is not there`)
  return follow(document, target as Part)
}

/** The template in the document that a path is one of: the one with the fewest parameters. */
export function getTemplate(document: OpenApiDocument, path: string): string | undefined {
  const segments = path.split('/')
  const matches = Object.keys(document.paths).filter((template) => {
    const parts = template.split('/')
    if (parts.length !== segments.length) return false
    return parts.every((part, index) =>
      part.startsWith('{') ? segments[index] !== '' : part === segments[index],
    )
  })
  const parameters = (template: string) => template.split('{').length
  return matches.sort((a, b) => parameters(a) - parameters(b))[0]
}

/** An operation and where it is, with the references in it followed. */
export interface DeclaredOperation extends Operation {
  /** In capitals. */
  readonly method: string
  /** Its template under the prefix. */
  readonly path: string
}

/** The operations of a document whose paths begin with a prefix. */
export function operationsUnder(document: OpenApiDocument, prefix: string): readonly DeclaredOperation[] {
  return Object.entries(document.paths)
    .filter(([path]) => path.startsWith(`${prefix}/`))
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({
        ...operation,
        method: method.toUpperCase(),
        path: path.slice(prefix.length),
        parameters: (operation.parameters ?? []).map((parameter) => follow(document, parameter)),
        ...(operation.requestBody && { requestBody: follow(document, operation.requestBody) }),
      })),
    )
}
