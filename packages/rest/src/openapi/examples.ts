import { resolveReference, type BuiltMedia, type BuiltOperation, type BuiltSchema } from './document-model.ts'
import { conforms } from './conforms.ts'
import { makeScalar } from './scalars.ts'

/** The direction of an example: a request omits read-only fields, a response write-only fields. */
type Direction = 'request' | 'response'

/**
 * Adds examples to bodies without one. The examples and defaults of fields are used first, then the simplest valid value.
 * A body gets no example if none can be made or if the made example does not match the schema. Refinements are not run,
 * because they may have side effects.
 */
export function addExamples(
  operations: readonly BuiltOperation[],
  schemas: Readonly<Record<string, BuiltSchema>>,
): void {
  for (const { requestBody, responses = {} } of operations) {
    addMediaExamples(requestBody?.content, 'request', schemas)
    for (const [status, { content }] of Object.entries(responses)) {
      if (status.startsWith('2')) addMediaExamples(content, 'response', schemas)
    }
  }
}

function addMediaExamples(
  content: Readonly<Record<string, BuiltMedia>> | undefined,
  direction: Direction,
  schemas: Readonly<Record<string, BuiltSchema>>,
): void {
  for (const media of Object.values(content ?? {})) {
    if (media.schema === undefined || 'example' in media || media.examples !== undefined) continue
    const example = makeExample(media.schema, direction, schemas)
    if (example !== undefined && conforms(example, media.schema, schemas)) media.example = example
  }
}

/** Makes an example of a schema; `undefined` when that is impossible. */
function makeExample(
  schema: BuiltSchema,
  direction: Direction,
  schemas: Readonly<Record<string, BuiltSchema>>,
  depth = 0,
): unknown {
  // Limits recursive schemas.
  if (depth > 16) return undefined
  const of = (part: BuiltSchema) => makeExample(part, direction, schemas, depth + 1)
  const { $ref, allOf, properties = {}, required = [] } = schema
  if ($ref !== undefined) {
    const target = resolveReference(schema, schemas)
    return target && of(target)
  }
  if (schema.example !== undefined) return schema.example
  if (schema.enum !== undefined) return schema.enum[0]
  // An example with all properties usually matches the alternatives that constrain them.
  if (schema.properties !== undefined) return makeObject(properties, required, direction, of)
  const [alternative] = schema.anyOf ?? schema.oneOf ?? []
  if (alternative !== undefined) return of(alternative)
  if (allOf !== undefined) return mergeExamples(allOf.map(of))
  switch (schema.type) {
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
  properties: Readonly<Record<string, BuiltSchema>>,
  required: readonly string[],
  direction: Direction,
  of: (schema: BuiltSchema) => unknown,
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

function makeArray(schema: BuiltSchema, of: (schema: BuiltSchema) => unknown): unknown[] {
  const { items, minItems = 0, maxItems = maxExampleItems } = schema
  if (items === undefined || minItems > maxExampleItems) return []
  const places = minItems > 1 ? (schema['~tupleItems'] ?? items.anyOf ?? []) : []
  const made = Array.from({ length: Math.min(Math.max(minItems, 1), maxItems) }, (_, at) =>
    of(places[at] ?? items),
  )
  return made.some((item) => item === undefined) ? [] : made
}

function mergeExamples(parts: readonly unknown[]): unknown {
  if (parts.length === 1) return parts[0]
  if (!parts.every((part) => typeof part === 'object' && part !== null)) return undefined
  return Object.assign({}, ...parts) as object
}
