import {
  collectSchemas,
  getSubschemas,
  resolveReference,
  type BuiltDocument,
  type BuiltSchema,
} from './document-model.ts'
import { openIntersections } from './intersections.ts'

type Schema = { -readonly [Name in keyof BuiltSchema]: BuiltSchema[Name] }

/** Rewrites, in place, the keywords of later JSON Schema versions that zod emits to OpenAPI 3.0.3. */
export function convertToOpenApi30(document: BuiltDocument): void {
  const schemas = collectSchemas(document)
  for (const schema of schemas) declareRequired(schema)
  // Before the rewrite, because a referenced component decides whether a field may be undefined.
  for (const schema of schemas) relaxRequired(schema, document.components?.schemas ?? {})
  for (const schema of schemas) rewrite(schema)
  openIntersections(document)
}

function rewrite(built: BuiltSchema): void {
  const schema = built as Schema
  for (const part of getSubschemas(schema)) rewrite(part)
  // A schema without values is not an alternative.
  if (schema.anyOf?.some((part) => !acceptsNothing(part)) === true) {
    setAlternatives(
      schema,
      schema.anyOf.filter((part) => !acceptsNothing(part)),
    )
  }
  // zod writes the items of a tuple as alternatives, some of which may be equal.
  if (schema.items?.anyOf !== undefined) {
    const { anyOf } = schema.items
    schema['~tupleItems'] = anyOf
    setAlternatives(schema.items, [...new Map(anyOf.map((part) => [JSON.stringify(part), part])).values()])
  }
  if (schema.type === 'null') Object.assign(schema, nullSchema)
  // A loose record accepts other names.
  if (schema.patternProperties !== undefined && schema.additionalProperties === false) {
    delete schema.additionalProperties
  }
  if (schema.format === 'base64') schema.format = 'byte'
  if (schema.nullable === true) acceptNull(schema)
}

/** OpenAPI 3.0 has no null type. */
const nullSchema = { type: 'string', nullable: true, enum: [null] } as const

/** Annotations, and `format`, which a union overrides. */
const overridden: readonly string[] = ['title', 'description', 'default', 'example', 'format']

/** Sets the alternatives of a union. A single alternative is merged into the union, whose own keywords take precedence. */
function setAlternatives(choice: Schema, left: readonly BuiltSchema[]): void {
  const [only] = left
  if (left.length === choice.anyOf?.length && left.length > 1) return
  if (left.length > 1 || only === undefined) {
    choice.anyOf = left
    return
  }
  delete choice.anyOf
  const both = mergeConstraints(choice, only)
  // Siblings of a reference are ignored, and contradictory constraints must both hold.
  if (both === undefined || (only.$ref !== undefined && Object.keys(choice).length > 0)) {
    choice.allOf = [...(choice.allOf ?? []), only]
  } else Object.assign(choice, both)
}

/** Merges a union with its only alternative and keeps the stricter bounds; `undefined` if one schema cannot express both. */
function mergeConstraints(choice: Schema, only: BuiltSchema): object | undefined {
  const bounds: Record<string, number> = {}
  const exclusive = [choice, only].some((one) => one.exclusiveMinimum ?? one.exclusiveMaximum)
  for (const [keyword, value] of Object.entries(only) as [keyof Schema, unknown][]) {
    const other = choice[keyword]
    if (!(keyword in choice) || overridden.includes(keyword)) continue
    if (JSON.stringify(value) === JSON.stringify(other)) continue
    if (exclusive || typeof value !== 'number' || typeof other !== 'number') return undefined
    if (!/^m(in|ax)/.test(keyword)) return undefined
    bounds[keyword] = keyword.startsWith('min') ? Math.max(value, other) : Math.min(value, other)
  }
  const { format } = only
  return { ...only, ...choice, ...bounds, ...(format !== undefined && { '~inputFormat': format }) }
}

/** Declares the enum keys of a record as properties and closes the object. */
function declareRequired(built: BuiltSchema): void {
  for (const part of getSubschemas(built)) declareRequired(part)
  const schema = built as Schema
  const { type, required = [], properties, additionalProperties } = schema
  // An alternative may require a field that is declared elsewhere.
  if (type !== 'object' || typeof additionalProperties !== 'object') return
  const undeclared = required.filter((name) => !Object.hasOwn(properties ?? {}, name))
  if (undeclared.length === 0) return
  const values = undeclared.map((name) => [name, structuredClone(additionalProperties)] as const)
  schema.properties = { ...properties, ...Object.fromEntries(values) }
  // An object with a catch-all has properties besides those of the record.
  if (properties === undefined) schema.additionalProperties = false
  if (schema['~optional'] === true) delete schema.required
}

/** Adds null to a schema: `nullable` needs a `type` and does not extend an `enum` or a composition. */
function acceptNull(schema: Schema): void {
  if (schema.enum !== undefined && !schema.enum.includes(null)) schema.enum = [...schema.enum, null]
  if (schema.type === undefined) delete schema.nullable
  const { allOf, anyOf, oneOf, type, discriminator, '~intersection': intersection, ...rest } = schema
  if (allOf === undefined && anyOf === undefined && oneOf === undefined) return
  delete rest.nullable
  const composed = {
    ...(allOf !== undefined && { allOf }),
    ...(intersection !== undefined && { '~intersection': intersection }),
    ...(anyOf !== undefined && { anyOf }),
    ...(oneOf !== undefined && { oneOf }),
    ...(type !== undefined && { type }),
    ...(discriminator !== undefined && { discriminator }),
  }
  const [reference] = allOf ?? []
  const plain = Object.keys(composed).length === 1 && allOf?.length === 1 ? reference : undefined
  for (const name of Object.keys(schema)) Reflect.deleteProperty(schema, name)
  Object.assign(schema, rest, { anyOf: [plain ?? composed, { ...nullSchema, enum: [null] }] })
}

type Schemas = Readonly<Record<string, BuiltSchema>>

/** Removes fields that may be undefined from `required`: JSON omits them. */
function relaxRequired(built: BuiltSchema, schemas: Schemas): void {
  for (const part of getSubschemas(built)) relaxRequired(part, schemas)
  const schema = built as { required?: readonly string[] }
  const required = built.required?.filter((name) => {
    const property = Object.hasOwn(built.properties ?? {}, name) ? built.properties?.[name] : undefined
    return property === undefined || !mayBeUndefined(property, schemas, [])
  })
  if (required === undefined || required.length === built.required?.length) return
  if (required.length === 0) delete schema.required
  else schema.required = required
}

function mayBeUndefined(schema: BuiltSchema, schemas: Schemas, within: readonly BuiltSchema[]): boolean {
  if (acceptsNothing(schema)) return true
  // A recursive union may contain itself.
  if (within.includes(schema)) return false
  const of = (part: BuiltSchema) => mayBeUndefined(part, schemas, [...within, schema])
  const { allOf = [], anyOf = [], oneOf = [] } = schema
  const target = resolveReference(schema, schemas)
  if (target !== undefined) return of(target)
  return anyOf.some(of) || oneOf.some(of) || (allOf.length > 0 && allOf.every(of))
}

/** Whether a schema accepts no JSON value, such as the schema of `undefined`. */
function acceptsNothing({ not }: BuiltSchema): boolean {
  return not !== undefined && Object.keys(not).length === 0
}

/** The keywords of a schema object: https://spec.openapis.org/oas/v3.0.3#schema-object */
const keywords: ReadonlySet<string> = new Set([
  ...['title', 'description', 'default', 'example', 'deprecated', 'externalDocs', 'xml', '$ref'],
  ...['type', 'format', 'enum', 'nullable', 'readOnly', 'writeOnly', 'discriminator'],
  ...['multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  ...['maxLength', 'minLength', 'pattern', 'items', 'maxItems', 'minItems', 'uniqueItems'],
  ...['properties', 'required', 'additionalProperties', 'maxProperties', 'minProperties'],
  ...['allOf', 'anyOf', 'oneOf', 'not'],
])

/** Removes, in place, keywords that OpenAPI 3.0 does not define, such as metadata and notes. */
export function removeUnknownKeywords(schema: BuiltSchema): void {
  for (const part of getSubschemas(schema)) removeUnknownKeywords(part)
  removeFormatPattern(schema)
  for (const keyword of Object.keys(schema)) {
    if (!keywords.has(keyword) && !keyword.startsWith('x-')) Reflect.deleteProperty(schema, keyword)
  }
}

/** Removes the pattern that zod adds for a format; other patterns stay. */
function removeFormatPattern(schema: BuiltSchema): void {
  const { format, pattern } = schema
  if (format !== 'uuid' && format !== 'date-time' && format !== 'date') return
  if (pattern === schema['~formatPattern']) Reflect.deleteProperty(schema, 'pattern')
}
