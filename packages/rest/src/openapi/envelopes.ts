import type { ListForm } from '../envelope.ts'
import type { PaginationMode } from '../list-query.ts'
import type { JsonSchema } from './json-schema.ts'
import type { SchemaRegistry } from './schema-registry.ts'

function object(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', properties, required }
}

const text: JsonSchema = { type: 'string' }
const code: JsonSchema = {
  ...text,
  pattern: '^[A-Z]+(_[A-Z0-9]+)*$',
  description: 'Stable code for programs.',
}

const ErrorDetail = object(
  {
    code: { ...text, description: 'Stable code of the problem for programs.' },
    field: { ...text, description: 'Dotted path of the field, or name of the parameter.' },
    in: {
      ...text,
      enum: ['path', 'query', 'header', 'cookie', 'body'],
      description: 'The part of the request that has the problem.',
    },
    message: { ...text, description: 'Description of the problem.' },
  },
  ['code', 'in'],
)
const details: JsonSchema = { type: 'array', items: ErrorDetail, description: 'All problems of the input.' }

const ErrorEnvelope: JsonSchema = {
  description: 'The body of every error response.',
  ...object({ error: object({ code, message: text, details }, ['details']) }),
}

const ProblemDetails: JsonSchema = {
  description: 'An error as RFC 9457 problem details, if Accept prefers them.',
  ...object(
    {
      type: text,
      title: text,
      status: { type: 'integer', minimum: 400, maximum: 599 },
      detail: text,
      instance: text,
      code,
      details,
    },
    ['instance', 'details'],
  ),
}

/** Adds the schemas of error responses: the envelope and problem details. */
export function addErrorSchemas(registry: SchemaRegistry): { envelope: JsonSchema; problem: JsonSchema } {
  return {
    envelope: registry.add('ErrorEnvelope', ErrorEnvelope),
    problem: registry.add('ProblemDetails', ProblemDetails),
  }
}

const count: JsonSchema = { type: 'integer', minimum: 0, examples: [1] }
const position = {
  page: { type: 'integer', minimum: 1 },
  limit: { type: 'integer', minimum: 1, examples: [20] },
  total: count,
} as const
const description = 'The position of an offset page in its list.'
const OffsetMeta = { description, ...object({ ...position, totalPages: count }) }
const ShortOffsetMeta = { description, ...object(position) }
const CursorMeta: JsonSchema = {
  description: 'The continuation of a cursor page.',
  ...object({
    nextCursor: {
      ...text,
      description: 'A cursor on every page; on the last page it finds new items later.',
    },
    hasMore: { type: 'boolean' },
  }),
}

/** The schema of `{ data }` for one resource, or for an unpaginated array. */
export function createDataSchema(data: JsonSchema): JsonSchema {
  return object({ data })
}

/** The schema of the body of a paginated list. */
export function createListSchema(
  items: JsonSchema,
  { pagination, form }: { readonly pagination: PaginationMode; readonly form: ListForm },
  registry: SchemaRegistry,
): JsonSchema {
  const data: JsonSchema = { type: 'array', items }
  if (form === 'bare' && pagination === 'offset') return data
  const offset = () =>
    form === 'full'
      ? registry.add('OffsetMeta', OffsetMeta)
      : registry.add('ShortOffsetMeta', ShortOffsetMeta)
  const cursor = () => registry.add('CursorMeta', CursorMeta)
  switch (pagination) {
    case 'offset':
      return object({ data, meta: offset() })
    case 'cursor':
      return object({ data, meta: cursor() })
    case 'both':
      if (form === 'bare') return { anyOf: [data, object({ data, meta: cursor() })] }
      return object({ data, meta: { anyOf: [offset(), cursor()] } })
  }
}
