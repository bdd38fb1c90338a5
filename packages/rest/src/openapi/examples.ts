import type { BuiltMedia, BuiltOperation, BuiltSchema } from './built.ts'

/** Whose example it is: a request leaves out what is read-only, a response what is write-only. */
type Direction = 'request' | 'response'

/**
 * Gives the bodies of a document that have no example one that their schemas make: out of the examples and defaults of
 * fields, and otherwise the simplest values that they allow. A schema that none can be made of is left without.
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
    if (example !== undefined) media.example = example
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
  const { $ref, allOf, items, properties = {}, required = [] } = schema
  if ($ref !== undefined) {
    const target = schemas[$ref.slice('#/components/schemas/'.length)]
    return target && of(target)
  }
  if (schema.example !== undefined) return schema.example
  if (schema.enum !== undefined) return schema.enum[0]
  const [alternative] = schema.anyOf ?? schema.oneOf ?? []
  if (alternative !== undefined) return of(alternative)
  if (allOf !== undefined) return merged(allOf.map(of))
  switch (schema.type) {
    case 'object':
      return objectOf(properties, required, direction, of)
    case 'array': {
      const item = items && of(items)
      return item === undefined ? [] : [item]
    }
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

function merged(parts: readonly unknown[]): unknown {
  if (parts.length === 1) return parts[0]
  if (!parts.every((part) => typeof part === 'object' && part !== null)) return undefined
  return Object.assign({}, ...parts) as object
}

function scalarOf({ type, nullable, minimum, maximum, exclusiveMinimum, ...text }: BuiltSchema): unknown {
  switch (type) {
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return Math.min(
        maximum ?? Infinity,
        minimum === undefined ? 1 : minimum + (exclusiveMinimum === true ? 1 : 0),
      )
    case 'string':
      return textOf(text) ?? (nullable === true ? null : undefined)
    case undefined:
      return {}
    default:
      return undefined
  }
}

const formats: Readonly<Record<string, string>> = {
  uuid: '01890a5d-ac96-774b-bcce-b302099a8057',
  'date-time': '2026-01-31T12:00:00.000Z',
  date: '2026-01-31',
  email: 'ada@example.com',
  uri: 'https://example.com/',
}

function textOf({
  format = '',
  pattern,
  minLength = 0,
  maxLength = Infinity,
}: BuiltSchema): string | undefined {
  const known = formats[format]
  if (known !== undefined) return known
  const text = 'text'.padEnd(minLength, '.').slice(0, maxLength)
  return pattern === undefined || new RegExp(pattern, 'u').test(text) ? text : undefined
}
