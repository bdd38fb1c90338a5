/** The keywords of JSON Schema draft 2020-12 that the document inspects. */
export interface JsonSchema {
  readonly $ref?: string
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly contentEncoding?: string
  readonly contentMediaType?: string
  readonly contentSchema?: JsonSchema
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly exclusiveMaximum?: number
  readonly multipleOf?: number
  readonly prefixItems?: readonly JsonSchema[]
  readonly items?: JsonSchema | boolean
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: JsonSchema | boolean
  readonly propertyNames?: JsonSchema
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly allOf?: readonly JsonSchema[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly not?: JsonSchema
  readonly discriminator?: {
    readonly propertyName: string
    readonly mapping?: Readonly<Record<string, string>>
  }
  readonly readOnly?: boolean
  readonly writeOnly?: boolean
  /** A note for examples: the keywords do not describe which texts are valid. Removed from the finished document. */
  readonly '~incomplete'?: true
  /** A note for requests: the type of a value that neither text nor JSON can hold. */
  readonly '~kind'?: string
  /** A note for requests: the schema converts text itself. */
  readonly '~coerces'?: true
}

/** Schemas by the references to them. */
export type ReferencedSchemas = ReadonlyMap<string, JsonSchema>

/** Follows the reference of a schema. Returns other schemas unchanged; undefined for an unknown reference. */
export function resolveSchema(schema: JsonSchema, schemas: ReferencedSchemas): JsonSchema | undefined {
  return schema.$ref === undefined ? schema : schemas.get(schema.$ref)
}

const listKeywords = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const recordKeywords = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs'])
const schemaKeywords = new Set([
  ...['items', 'additionalProperties', 'unevaluatedItems', 'unevaluatedProperties', 'propertyNames'],
  ...['contains', 'not', 'if', 'then', 'else', 'contentSchema'],
])

/** Maps the direct subschemas of a schema. */
export function mapSubschemas(schema: JsonSchema, map: (part: JsonSchema) => JsonSchema): JsonSchema {
  const mapped = Object.entries(schema).map(([keyword, value]: [string, unknown]) => {
    if (typeof value !== 'object' || value === null) return [keyword, value]
    if (listKeywords.has(keyword)) return [keyword, (value as readonly JsonSchema[]).map(map)]
    if (recordKeywords.has(keyword)) {
      const parts = Object.entries(value as Readonly<Record<string, JsonSchema>>)
      return [keyword, Object.fromEntries(parts.map(([name, part]) => [name, map(part)]))]
    }
    return [keyword, schemaKeywords.has(keyword) ? map(value) : value]
  })
  return Object.fromEntries(mapped) as JsonSchema
}

/** Removes the notes for examples, at any depth. */
export function removeNotes(schema: JsonSchema): JsonSchema {
  const copy = mapSubschemas(schema, removeNotes)
  Reflect.deleteProperty(copy, '~incomplete')
  return copy
}

/** Maps the references in a schema, at any depth. */
export function mapReferences(schema: JsonSchema, map: ($ref: string) => string): JsonSchema {
  const copy = mapSubschemas(schema, (part) => mapReferences(part, map))
  const { $ref, discriminator } = copy
  const mapping = Object.entries(discriminator?.mapping ?? {}).map(([value, target]) => [value, map(target)])
  return {
    ...copy,
    ...($ref !== undefined && { $ref: map($ref) }),
    ...(discriminator?.mapping && {
      discriminator: { ...discriminator, mapping: Object.fromEntries(mapping) as Record<string, string> },
    }),
  }
}

/** Lists the references in a schema, at any depth. */
export function listReferences(schema: JsonSchema): readonly string[] {
  const found: string[] = []
  mapReferences(schema, ($ref) => {
    found.push($ref)
    return $ref
  })
  return found
}
