import { resolveReference, type BuiltSchema } from './document-model.ts'

type Schemas = Readonly<Record<string, BuiltSchema>>

/** Whether a value matches a schema, as far as its keywords describe values. */
export function conforms(value: unknown, schema: BuiltSchema, schemas: Schemas): boolean {
  const fits = (part: BuiltSchema, of = value) => conforms(of, part, schemas)
  const { $ref, allOf = [], anyOf, oneOf, not, type, nullable } = schema
  if ($ref !== undefined) {
    const target = resolveReference(schema, schemas)
    return target !== undefined && fits(target)
  }
  if (!(schema.enum?.some((one) => JSON.stringify(one) === JSON.stringify(value)) ?? true)) return false
  if (!allOf.every((part) => fits(part))) return false
  if (!(anyOf?.some((part) => fits(part)) ?? true)) return false
  if (oneOf !== undefined && oneOf.filter((part) => fits(part)).length !== 1) return false
  if (not !== undefined && fits(not)) return false
  if (value === null) return type === undefined || nullable === true
  if (!isOfType(value, type)) return false
  if (typeof value === 'string') return textFits(value, schema)
  if (typeof value === 'number') return numberFits(value, schema)
  if (Array.isArray(value)) return arrayFits(value, schema, fits)
  return typeof value !== 'object' || objectFits(value, schema, fits)
}

function isOfType(value: unknown, type: string | undefined): boolean {
  switch (type) {
    case undefined:
      return true
    case 'array':
      return Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    case 'object':
      return typeof value === 'object' && !Array.isArray(value)
    default:
      return typeof value === type
  }
}

function textFits(value: string, { minLength = 0, maxLength = Infinity, pattern }: BuiltSchema): boolean {
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

function numberFits(value: number, schema: BuiltSchema): boolean {
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  if (exclusiveMinimum === true ? value <= minimum : value < minimum) return false
  if (exclusiveMaximum === true ? value >= maximum : value > maximum) return false
  return multipleOf === undefined || isMultiple(value, multipleOf)
}

/** With a tolerance for binary fractions: 19.99 is a multiple of 0.01, although their quotient is not an integer. */
function isMultiple(value: number, of: number): boolean {
  const ratio = value / of
  return Math.abs(ratio - Math.round(ratio)) < 4 * Number.EPSILON * Math.max(Math.abs(ratio), 1)
}

type Fits = (part: BuiltSchema, of: unknown) => boolean

function arrayFits(value: readonly unknown[], schema: BuiltSchema, fits: Fits): boolean {
  const { minItems = 0, maxItems = Infinity, items, uniqueItems } = schema
  if (value.length < minItems || value.length > maxItems) return false
  if (uniqueItems === true && new Set(value.map((item) => JSON.stringify(item))).size < value.length)
    return false
  return items === undefined || value.every((item) => fits(items, item))
}

function objectFits(value: object, schema: BuiltSchema, fits: Fits): boolean {
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
