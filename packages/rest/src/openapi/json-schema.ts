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
  readonly discriminator?: object
  readonly readOnly?: boolean
  readonly writeOnly?: boolean
  /** A note for examples: the keywords do not describe which texts are valid. Removed from the finished document. */
  readonly '~incomplete'?: true
}

/** Schemas by the references to them. */
export type ReferencedSchemas = ReadonlyMap<string, JsonSchema>

/** Follows the reference of a schema. Returns other schemas unchanged; undefined for an unknown reference. */
export function resolveSchema(schema: JsonSchema, schemas: ReferencedSchemas): JsonSchema | undefined {
  return schema.$ref === undefined ? schema : schemas.get(schema.$ref)
}

/** Maps the direct subschemas of a schema. */
export function mapSubschemas(schema: JsonSchema, map: (part: JsonSchema) => JsonSchema): JsonSchema {
  const mapped = Object.entries(schema).map(([keyword, value]: [string, unknown]) => {
    switch (keyword) {
      case 'properties': {
        const properties = Object.entries(value as Readonly<Record<string, JsonSchema>>)
        return [keyword, Object.fromEntries(properties.map(([name, part]) => [name, map(part)]))]
      }
      case 'allOf':
      case 'anyOf':
      case 'oneOf':
      case 'prefixItems':
        return [keyword, (value as readonly JsonSchema[]).map(map)]
      case 'items':
      case 'additionalProperties':
      case 'not':
        return [keyword, typeof value === 'boolean' ? value : map(value as JsonSchema)]
      default:
        return [keyword, value]
    }
  })
  return Object.fromEntries(mapped) as JsonSchema
}
