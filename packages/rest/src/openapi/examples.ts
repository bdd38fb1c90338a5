import type { BuiltMedia, BuiltOperation, BuiltSchema } from './built.ts'
import { targetOf } from './components.ts'
import { conforms } from './conforms.ts'
import { scalarOf } from './scalars.ts'

/** Whose example it is: a request leaves out what is read-only, a response what is write-only. */
type Direction = 'request' | 'response'

/**
 * Gives the bodies of a document that have no example one that their schemas make: out of the examples and defaults of
 * fields, and otherwise the simplest values that they allow. A schema that none can be made of, or whose words do not fit
 * what was made, is left without. What only the program checks is not looked at: that may ask a database.
 */
export function addExamples(
  operations: readonly BuiltOperation[],
  schemas: Readonly<Record<string, BuiltSchema>>,
): void {
  for (const { requestBody, responses = {} } of operations) {
    illustrate(requestBody?.content, 'request', schemas)
    for (const [status, { content }] of Object.entries(responses)) {
      if (status.startsWith('2')) illustrate(content, 'response', schemas)
    }
  }
}

function illustrate(
  content: Readonly<Record<string, BuiltMedia>> | undefined,
  direction: Direction,
  schemas: Readonly<Record<string, BuiltSchema>>,
): void {
  for (const media of Object.values(content ?? {})) {
    if (media.schema === undefined || 'example' in media || media.examples !== undefined) continue
    const example = exampleOf(media.schema, direction, schemas)
    if (example !== undefined && conforms(example, media.schema, schemas)) media.example = example
  }
}

/** An example of a schema, or undefined when none can be made. */
function exampleOf(
  schema: BuiltSchema,
  direction: Direction,
  schemas: Readonly<Record<string, BuiltSchema>>,
  depth = 0,
): unknown {
  // A schema may refer to itself; deeper than this nobody reads.
  if (depth > 16) return undefined
  const of = (part: BuiltSchema) => exampleOf(part, direction, schemas, depth + 1)
  const { $ref, allOf, properties = {}, required = [] } = schema
  if ($ref !== undefined) {
    const target = targetOf(schema, schemas)
    return target && of(target)
  }
  if (schema.example !== undefined) return schema.example
  if (schema.enum !== undefined) return schema.enum[0]
  // What is said of some of its fields beside them, one that has them all mostly fits.
  if (schema.properties !== undefined) return objectOf(properties, required, direction, of)
  const [alternative] = schema.anyOf ?? schema.oneOf ?? []
  if (alternative !== undefined) return of(alternative)
  if (allOf !== undefined) return merged(allOf.map(of))
  switch (schema.type) {
    case 'object':
      return objectOf(properties, required, direction, of)
    case 'array':
      return arrayOf(schema, of)
    case undefined:
    default:
      return schema.default ?? scalarOf(schema)
  }
}

function objectOf(
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

/** More items than this nobody reads. */
const mostItems = 20

function arrayOf(schema: BuiltSchema, of: (schema: BuiltSchema) => unknown): unknown[] {
  const { items, minItems = 0, maxItems = mostItems } = schema
  if (items === undefined || minItems > mostItems) return []
  const places = minItems > 1 ? (schema['~places'] ?? items.anyOf ?? []) : []
  const made = Array.from({ length: Math.min(Math.max(minItems, 1), maxItems) }, (_, at) =>
    of(places[at] ?? items),
  )
  return made.some((item) => item === undefined) ? [] : made
}

function merged(parts: readonly unknown[]): unknown {
  if (parts.length === 1) return parts[0]
  if (!parts.every((part) => typeof part === 'object' && part !== null)) return undefined
  return Object.assign({}, ...parts) as object
}
