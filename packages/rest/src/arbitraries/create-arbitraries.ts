import fc, { type Arbitrary } from 'fast-check'
import { conforms } from '../openapi/conforms.ts'
import { resolveSchema, type JsonSchema, type ReferencedSchemas } from '../openapi/json-schema.ts'
import { contradictsFormat, makeNumber, makeText } from './arbitrary-scalars.ts'

export interface ArbitrariesOptions {
  /** The schemas of the components of the document, by name. @default none */
  readonly schemas?: Readonly<Record<string, object>>
  /** Returns the values of a schema or of the property with a name. @default made from the schema */
  readonly choose?: (schema: JsonSchema, name: string | undefined) => Arbitrary<unknown> | undefined
}

/** Values of fast-check by JSON Schemas of an OpenAPI 3.1 document. */
export interface Arbitraries {
  /**
   * Makes values that match a schema, without read-only properties.
   *
   * @throws TypeError if no value can be made, such as for a pattern with lookaheads
   */
  readonly valid: (schema: object) => Arbitrary<unknown>
  /** Makes JSON values that do not match a schema; undefined if there are none. */
  readonly invalid: (schema: object) => Arbitrary<unknown> | undefined
}

/** The depth at which recursive schemas end. */
const maxDepth = 8

/**
 * Creates arbitraries of fast-check from JSON Schemas. Texts contain the characters that JSON, SQL and URLs write in another way.
 *
 * @example
 * ```ts
 * import { createArbitraries } from '@sallyport/rest/arbitraries'
 * import fc from 'fast-check'
 *
 * const { valid } = createArbitraries()
 * fc.assert(fc.property(valid({ type: 'integer', minimum: 1 }), (page) => Number(page) > 0))
 * ```
 */
export function createArbitraries({ schemas = {}, choose }: ArbitrariesOptions = {}): Arbitraries {
  const known: ReferencedSchemas = new Map(
    Object.entries(schemas).map(([name, schema]) => [`#/components/schemas/${name}`, schema]),
  )

  function make(schema: JsonSchema, name: string | undefined, depth: number): Arbitrary<unknown> {
    const chosen = choose?.(schema, name)
    if (chosen !== undefined) return chosen
    const of = (part: JsonSchema, property?: string) => make(part, property ?? name, depth + 1)
    const { $ref, allOf, anyOf, oneOf, type, properties } = schema
    if ($ref !== undefined) {
      const target = resolveSchema(schema, known)
      if (target === undefined) throw new TypeError(`The document has no ${$ref}`)
      return of(target)
    }
    if (schema.const !== undefined) return fc.constant(schema.const)
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
    if (Array.isArray(type)) return fc.oneof(...type.map((one: string) => of({ ...schema, type: one })))
    const alternatives = anyOf ?? oneOf
    if (alternatives !== undefined && properties === undefined)
      return fc.oneof(...alternatives.map((part) => of(part)))
    if (allOf !== undefined) {
      const own = Object.fromEntries(Object.entries(schema).filter(([name]) => name !== 'allOf'))
      const parts = properties === undefined ? allOf : [...allOf, own]
      return fc
        .tuple(...parts.map((part) => of(part)))
        .map((made) => (made.length === 1 ? made[0] : mergeObjects(made)))
    }
    return keepMatching(makeType(schema, of, depth), schema)
  }

  /** Keeps the values that match, because some keywords and combinations are not considered before. */
  function keepMatching(values: Arbitrary<unknown>, schema: JsonSchema): Arbitrary<unknown> {
    const matches = (value: unknown) => conforms(value, schema, known)
    if (!fc.sample(values, { numRuns: 50, seed: 1 }).some(matches))
      throw new TypeError(`No value can be made for ${JSON.stringify(schema).slice(0, 500)}`)
    return values.filter(matches)
  }

  return {
    valid: (schema) => make(schema, undefined, 0),

    invalid(schema) {
      const target = resolveSchema(schema, known) ?? {}
      const wrong = listEdges(target).filter(
        (value) => contradictsFormat(value, target) || !conforms(value, target, known),
      )
      return wrong.length === 0 ? undefined : fc.constantFrom(...wrong)
    },
  }
}

type Of = (schema: JsonSchema, property?: string) => Arbitrary<unknown>

function makeType(schema: JsonSchema, of: Of, depth: number): Arbitrary<unknown> {
  switch (schema.type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
    case 'number':
      return makeNumber(schema)
    case 'string':
      return makeText(schema)
    case 'array':
      return makeArray(schema, of, depth)
    case 'object':
      return makeObject(schema, of, depth)
    case undefined:
    default:
      return fc.jsonValue()
  }
}

function makeArray(schema: JsonSchema, of: Of, depth: number): Arbitrary<unknown> {
  const { prefixItems, items, minItems = 0, maxItems = Infinity, uniqueItems = false } = schema
  if (prefixItems !== undefined) return fc.tuple(...prefixItems.map((item) => of(item)))
  const lengths = {
    minLength: minItems,
    maxLength: Math.max(minItems, Math.min(maxItems, depth < maxDepth ? 3 : 0)),
  }
  if (lengths.maxLength === 0) return fc.constant([])
  const item = typeof items === 'object' ? of(items) : fc.jsonValue()
  if (!uniqueItems) return fc.array(item, lengths)
  return fc.uniqueArray(item, { ...lengths, selector: (value) => JSON.stringify(value) })
}

function makeObject(schema: JsonSchema, of: Of, depth: number): Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema
  const fields = Object.entries(properties)
    .filter(([name, { readOnly }]) => readOnly !== true && (depth < maxDepth || required.includes(name)))
    .map(([name, property]) => [name, of(property, name)] as const)
  const requiredKeys = required.filter((name) => fields.some(([field]) => field === name))
  const own = fc.record(Object.fromEntries(fields), { requiredKeys, noNullPrototype: true })
  if (typeof additionalProperties !== 'object' || depth >= maxDepth) return own
  const others = fc.dictionary(fc.stringMatching(/^[a-z]{1,9}$/), of(additionalProperties), {
    maxKeys: Math.max(3, schema.minProperties ?? 0),
    minKeys: schema.minProperties ?? 0,
    noNullPrototype: true,
  })
  return fc.tuple(others, own).map(mergeObjects)
}

const mergeObjects = (parts: readonly unknown[]): unknown => Object.assign({}, ...parts) as object

/** Lists values of all types, and those beside the bounds of a schema. */
function listEdges(schema: JsonSchema): readonly unknown[] {
  const { minimum, maximum, minLength = 0, maxLength, minItems = 0, maxItems } = schema
  const beside = [minimum !== undefined && minimum - 1, maximum !== undefined && maximum + 1]
  return [
    ...[null, true, 'seven', 7, 0.5, -1, 1e300, '', ' ', 'nonsense', '0'.repeat(36), {}, [], [7], ['a']],
    ...beside.filter((value) => typeof value === 'number'),
    ...(minLength > 0 ? ['x'.repeat(minLength - 1)] : []),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
    ...(minItems > 0 ? [Array.from({ length: minItems - 1 }, () => null)] : []),
    ...(maxItems === undefined ? [] : [Array.from({ length: maxItems + 1 }, () => null)]),
  ]
}
