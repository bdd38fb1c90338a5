import { conforms } from '../openapi/conforms.ts'
import type { OpenApiDocument, OpenApiOperation } from '../openapi/document-model.ts'
import type { ArbitraryRequest } from './arbitrary-requests.ts'
import { follow, listSchemas } from './follow.ts'

export interface ReceivedResponse {
  readonly status: number
  readonly headers: Headers
  readonly type: string | undefined
  /** Empty for a body that is not text. */
  readonly text: string
}

/** Finds what an operation does not declare of a response. */
export function findUndeclared(
  { responses }: OpenApiOperation,
  document: OpenApiDocument,
  { query }: ArbitraryRequest,
  { status, headers, type, text }: ReceivedResponse,
): string | undefined {
  if (status >= 500) return 'The API fails'
  const part = responses[String(status)]
  if (part === undefined) return `The status ${status} is not declared`
  const declared = follow(document, part)
  const missing = Object.entries(declared.headers ?? {}).find(
    ([name, header]) => follow(document, header).required === true && !headers.has(name),
  )
  if (missing !== undefined) return `The header ${missing[0]} is declared and missing`
  const { content = {} } = declared
  const [mediaType = ''] = type?.split(';') ?? []
  const media = content[mediaType] ?? content[type ?? '']
  if (Object.keys(content).length === 0) return text === '' ? undefined : 'A body is not declared'
  if (media === undefined) return '*/*' in content ? undefined : `The media type ${mediaType} is not declared`
  // A list with `fields` has partial items, which the document describes in words.
  const isPartial = query.some(([name]) => name === 'fields')
  if (media.schema === undefined || !mediaType.endsWith('json') || isPartial) return undefined
  const fits = conforms(JSON.parse(text), media.schema, listSchemas(document))
  return fits ? undefined : 'The body does not match its schema'
}
