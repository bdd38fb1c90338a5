import type { JsonSchema } from './json-schema.ts'

/** A schema object of OpenAPI 3.0: https://spec.openapis.org/oas/v3.0.3#schema-object */
type Schema30 = Record<string, unknown> & {
  type?: unknown
  enum?: readonly unknown[]
  nullable?: boolean
  allOf?: readonly Schema30[]
}

/** OpenAPI 3.0 has no null type. */
const nullSchema = { type: 'string', nullable: true, enum: [null] } as const

/**
 * Converts a schema from JSON Schema draft 2020-12, which OpenAPI 3.1 uses, to OpenAPI 3.0. A keyword without an equivalent
 * is omitted, so the result may accept more values.
 */
export function toOpenApi30(schema: JsonSchema): Schema30 {
  const { $ref, type, allOf, anyOf, oneOf, ...own } = schema
  const types = [type ?? []].flat()
  const others = types.filter((one) => one !== 'null')
  if (isNull(schema) || (types.length > 0 && others.length === 0))
    return { ...convertKeywords(own), ...nullSchema }
  const result: Schema30 = { ...(others.length === 1 && { type: others[0] }), ...convertKeywords(own) }
  if (allOf) result.allOf = allOf.map(toOpenApi30)
  // Siblings of a reference are ignored.
  if ($ref !== undefined) {
    if (Object.keys(result).length === 0) return { $ref }
    result.allOf = [...(result.allOf ?? []), { $ref }]
  }
  // A schema of 3.0 has one type.
  const choices = anyOf ?? oneOf ?? (others.length > 1 ? types.map((one) => ({ type: one })) : undefined)
  if (choices?.some(isNull) === true)
    return addNull(result, choices.filter((part) => !isNull(part)).map(toOpenApi30))
  if (choices) result[anyOf || !oneOf ? 'anyOf' : 'oneOf'] = choices.map(toOpenApi30)
  return types.length > others.length ? addNull(result, []) : result
}

const isNull = (schema: JsonSchema) => schema.type === 'null' || schema.const === null

/** Adds null to a schema or to its alternatives. `nullable` needs a `type` and does not extend an `enum`. */
function addNull(schema: Schema30, choices: readonly Schema30[]): Schema30 {
  // A choice without keywords accepts null.
  if (choices.some((choice) => Object.keys(choice).length === 0)) return schema
  const merged: Schema30 = { ...choices[0], ...schema, nullable: true }
  if (choices.length > 1 || merged.type === undefined) return { ...schema, anyOf: [...choices, nullSchema] }
  return merged.enum === undefined ? merged : { ...merged, enum: [...merged.enum, null] }
}

/** The keywords that both have. */
const common = new Set<string>([
  ...['title', 'description', 'default', 'deprecated', 'externalDocs', 'xml', 'format', 'enum'],
  ...['readOnly', 'writeOnly', 'discriminator', 'multipleOf', 'maximum', 'minimum', 'maxLength', 'minLength'],
  ...['pattern', 'maxItems', 'minItems', 'uniqueItems', 'required', 'maxProperties', 'minProperties'],
])

type Keywords = Omit<JsonSchema, '$ref' | 'type' | 'allOf' | 'anyOf' | 'oneOf'>

function convertKeywords(schema: Keywords): Schema30 {
  const result: Schema30 = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (common.has(keyword) || keyword.startsWith('x-')) result[keyword] = value
  }
  const { properties, items, prefixItems, additionalProperties, not, contentSchema } = schema
  const [example] = schema.examples ?? []
  if (example !== undefined) result['example'] = example
  if (schema.const !== undefined) Object.assign(result, { type: typeof schema.const, enum: [schema.const] })
  if (schema.contentEncoding === 'base64') result['format'] = 'byte'
  if (schema.exclusiveMinimum !== undefined)
    Object.assign(result, { minimum: schema.exclusiveMinimum, exclusiveMinimum: true })
  if (schema.exclusiveMaximum !== undefined)
    Object.assign(result, { maximum: schema.exclusiveMaximum, exclusiveMaximum: true })
  if (not) result['not'] = toOpenApi30(not)
  if (contentSchema) result['x-contentSchema'] = toOpenApi30(contentSchema)
  if (properties) {
    const parts = Object.entries(properties).map(([name, part]) => [name, toOpenApi30(part)])
    result['properties'] = Object.fromEntries(parts)
  }
  if (prefixItems) {
    const parts = [...prefixItems, ...(typeof items === 'object' ? [items] : [])].map(toOpenApi30)
    const different = [...new Map(parts.map((part) => [JSON.stringify(part), part])).values()]
    result['items'] = different.length === 1 ? different[0] : { anyOf: different }
  } else if (items !== undefined) result['items'] = typeof items === 'object' ? toOpenApi30(items) : {}
  if (additionalProperties !== undefined) {
    result['additionalProperties'] =
      typeof additionalProperties === 'object' ? toOpenApi30(additionalProperties) : additionalProperties
  }
  return result
}
