import { resolveSchema, type JsonSchema, type ReferencedSchemas } from './json-schema.ts'

/** Whether a value matches a schema, as far as its keywords describe values. */
export function conforms(value: unknown, schema: JsonSchema, schemas: ReferencedSchemas): boolean {
  const fits = (part: JsonSchema, of = value) => conforms(of, part, schemas)
  const { $ref, allOf = [], anyOf, oneOf, not, type } = schema
  if ($ref !== undefined) {
    const target = resolveSchema(schema, schemas)
    if (target === undefined || !fits(target)) return false
  }
  if (schema.const !== undefined && schema.const !== value) return false
  if (!(schema.enum?.some((one) => JSON.stringify(one) === JSON.stringify(value)) ?? true)) return false
  if (!allOf.every((part) => fits(part))) return false
  if (!(anyOf?.some((part) => fits(part)) ?? true)) return false
  if (oneOf !== undefined && oneOf.filter((part) => fits(part)).length !== 1) return false
  if (not !== undefined && fits(not)) return false
  if (type !== undefined && ![type].flat().some((one) => isOfType(value, one))) return false
  if (value === null) return true
  if (typeof value === 'string') return textFits(value, schema)
  if (typeof value === 'number') return numberFits(value, schema)
  if (Array.isArray(value)) return arrayFits(value, schema, fits)
  return typeof value !== 'object' || objectFits(value, schema, fits)
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    default:
      return typeof value === type
  }
}

function textFits(value: string, { minLength = 0, maxLength = Infinity, pattern }: JsonSchema): boolean {
  const length = Array.from(value).length
  if (length < minLength || length > maxLength) return false
  return pattern === undefined || compilePattern(pattern)?.test(value) === true
}

/** `undefined` for a pattern without Unicode support: tools reject examples for it. */
function compilePattern(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return undefined
  }
}

function numberFits(value: number, schema: JsonSchema): boolean {
  const { minimum = -Infinity, maximum = Infinity, multipleOf } = schema
  const { exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = schema
  if (value < minimum || value > maximum) return false
  if (value <= exclusiveMinimum || value >= exclusiveMaximum) return false
  return multipleOf === undefined || isMultiple(value, multipleOf)
}

/** With a tolerance for binary fractions: 19.99 is a multiple of 0.01, although their quotient is not an integer. */
function isMultiple(value: number, of: number): boolean {
  const ratio = value / of
  return Math.abs(ratio - Math.round(ratio)) < 4 * Number.EPSILON * Math.max(Math.abs(ratio), 1)
}

type Fits = (part: JsonSchema, of: unknown) => boolean

function arrayFits(value: readonly unknown[], schema: JsonSchema, fits: Fits): boolean {
  const { minItems = 0, maxItems = Infinity, prefixItems = [], items, uniqueItems } = schema
  if (value.length < minItems || value.length > maxItems) return false
  if (uniqueItems === true && new Set(value.map((item) => JSON.stringify(item))).size < value.length)
    return false
  return value.every((item, at) => {
    const part = prefixItems[at] ?? items
    return typeof part === 'object' ? fits(part, item) : part !== false
  })
}

function objectFits(value: object, schema: JsonSchema, fits: Fits): boolean {
  const { properties = {}, required = [], additionalProperties = true } = schema
  const { minProperties = 0, maxProperties = Infinity } = schema
  const fields = Object.entries(value)
  if (fields.length < minProperties || fields.length > maxProperties) return false
  // The direction of the example decides which of these fields it omits.
  const needed = required.filter((name) => {
    const { readOnly, writeOnly } = properties[name] ?? {}
    return readOnly !== true && writeOnly !== true
  })
  if (!needed.every((name) => Object.hasOwn(value, name))) return false
  return fields.every(([name, field]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : additionalProperties
    return typeof property === 'object' ? fits(property, field) : property !== false
  })
}
