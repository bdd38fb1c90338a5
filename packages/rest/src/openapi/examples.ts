import { conforms } from './conforms.ts'
import type { OpenApiContent, OpenApiOperation } from './document-model.ts'
import { resolveSchema, type JsonSchema, type ReferencedSchemas } from './json-schema.ts'
import { getType, makeScalar } from './scalars.ts'

/** The direction of an example: a request omits read-only fields, a response write-only fields. */
type Direction = 'request' | 'response'

/**
 * Adds examples to bodies without one. The examples and defaults of fields are used first, then the simplest valid value.
 * A body gets no example if none can be made or if the made example does not match the schema. Refinements are not run,
 * because they may have side effects.
 *
 * @throws TypeError for an example that does not match its schema
 */
export function addExamples(operations: readonly OpenApiOperation[], schemas: ReferencedSchemas): void {
  for (const { operationId, requestBody, responses } of operations) {
    addMediaExamples(requestBody?.content, 'request', schemas, operationId)
    for (const [status, response] of Object.entries(responses)) {
      if (status.startsWith('2') && 'content' in response)
        addMediaExamples(response.content, 'response', schemas, operationId)
    }
  }
}

function addMediaExamples(
  content: OpenApiContent | undefined,
  direction: Direction,
  schemas: ReferencedSchemas,
  operationId: string,
): void {
  for (const [type, media] of Object.entries(content ?? {})) {
    if (type !== 'application/json' || media.schema === undefined || media.examples !== undefined) continue
    if ('example' in media) {
      if (conforms(media.example, media.schema, schemas)) continue
      throw new TypeError(`${operationId}: the example of the ${direction} does not match its schema`)
    }
    const example = makeExample(media.schema, direction, schemas)
    if (example !== undefined && conforms(example, media.schema, schemas)) media.example = example
  }
}

/** Makes an example of a schema; `undefined` when that is impossible. */
function makeExample(
  schema: JsonSchema,
  direction: Direction,
  schemas: ReferencedSchemas,
  depth = 0,
): unknown {
  // Limits recursive schemas.
  if (depth > 16) return undefined
  const of = (part: JsonSchema) => makeExample(part, direction, schemas, depth + 1)
  const { $ref, allOf, properties = {}, required = [] } = schema
  if (schema.examples !== undefined) return schema.examples[0]
  if ($ref !== undefined) {
    const target = resolveSchema(schema, schemas)
    return target && of(target)
  }
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  // An example with all properties usually matches the alternatives that constrain them.
  if (schema.properties !== undefined) return makeObject(properties, required, direction, of)
  const [alternative] = schema.anyOf ?? schema.oneOf ?? []
  if (alternative !== undefined) return of(alternative)
  if (allOf !== undefined) return mergeExamples(allOf.map(of))
  switch (getType(schema)) {
    case 'object':
      return makeObject(properties, required, direction, of)
    case 'array':
      return makeArray(schema, of)
    case undefined:
    default:
      return schema.default ?? makeScalar(schema)
  }
}

function makeObject(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
  direction: Direction,
  of: (schema: JsonSchema) => unknown,
): object | undefined {
  const shown = Object.entries(properties).filter(([, { readOnly, writeOnly }]) =>
    direction === 'request' ? readOnly !== true : writeOnly !== true,
  )
  const fields = shown.map(([name, schema]) => [name, of(schema)] as const)
  if (fields.some(([name, value]) => value === undefined && required.includes(name))) return undefined
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
}

/** The maximum number of items in an example. */
const maxExampleItems = 20

function makeArray(schema: JsonSchema, of: (schema: JsonSchema) => unknown): unknown[] {
  const { prefixItems = [], items, minItems = 0, maxItems = maxExampleItems } = schema
  if (minItems > maxExampleItems) return []
  const length = Math.min(Math.max(minItems, prefixItems.length, 1), maxItems)
  const parts = Array.from({ length }, (_, at) => prefixItems[at] ?? items)
  const made = parts.map((part) => (typeof part === 'object' ? of(part) : undefined))
  return made.some((item) => item === undefined) ? [] : made
}

function mergeExamples(parts: readonly unknown[]): unknown {
  if (parts.length === 1) return parts[0]
  if (!parts.every((part) => typeof part === 'object' && part !== null)) return undefined
  return Object.assign({}, ...parts) as object
}
