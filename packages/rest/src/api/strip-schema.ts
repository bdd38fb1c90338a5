import type { StandardSchemaV1 } from '@standard-schema/spec'
import { describeSchema, listAlternatives } from '../describe-schema.ts'
import type { JsonSchema, ReferencedSchemas } from '../openapi/json-schema.ts'

/** Removes the fields of a value that a schema does not declare. Returns the value itself if there are none. */
export type Strip = (value: unknown) => unknown

const keep: Strip = (value) => value

/** Removes all fields of an object in the place of a scalar, such as a row that was loaded for its id. */
const stripScalar: Strip = (value) => {
  const { toJSON } = Object(value) as { readonly toJSON?: () => unknown }
  const json = typeof toJSON === 'function' ? toJSON.call(value) : value
  return typeof json === 'object' && json !== null ? {} : value
}

/**
 * Creates a function that removes undeclared fields from values of a schema, without validation. A part of a schema that has no
 * JSON Schema keeps its fields. An object in the place of a scalar has no fields. The fields of a union are those of the members whose constants and required fields a value has.
 *
 * @returns undefined for a schema of a library without JSON Schema
 */
export function createStrip(schema: StandardSchemaV1): Strip | undefined {
  const described = describeSchema(schema, 'output')
  return described && createCompiler(described.schemas)(described.schema)
}

function createCompiler(schemas: ReferencedSchemas): (schema: JsonSchema) => Strip {
  const byReference = new Map<string, Strip>()

  function compile(schema: JsonSchema): Strip {
    if (schema.$ref !== undefined) return compileReference(schema.$ref)
    const members = listAlternatives(schema, schemas)
    const objects = members.filter(isObject)
    const lists = members.filter(isList)
    if (members.length > 0 && members.every(isScalar)) return stripScalar
    if (members.some(isOpen) || objects.length + lists.length === 0) return keep
    // An array in the place of an object, such as all rows for one, has no more fields than the object.
    const stripList =
      lists.length === 0 ? (value: unknown) => (value as readonly unknown[]).map(strip) : compileList(lists)
    const stripObject = compileObjects(objects)
    return strip

    function strip(value: unknown): unknown {
      if (typeof value !== 'object' || value === null) return value
      const { toJSON } = value as { readonly toJSON?: () => unknown }
      if (typeof toJSON === 'function') return strip(toJSON.call(value))
      return Array.isArray(value) ? stripList(value) : stripObject(value)
    }
  }

  function compileReference($ref: string): Strip {
    const known = byReference.get($ref)
    if (known !== undefined) return known
    // A schema may refer to itself.
    let strip = keep
    const later: Strip = (value) => strip(value)
    byReference.set($ref, later)
    strip = compile(schemas.get($ref) ?? {})
    return later
  }

  function compileList(lists: readonly JsonSchema[]): Strip {
    const items = lists.flatMap((list) => [...(list.prefixItems ?? []), list.items])
    const stripItem = compile(anyOf(items.filter((item) => typeof item === 'object')))
    return (value) => {
      const given = value as readonly unknown[]
      const kept = given.map((item) => stripItem(item))
      return kept.every((item, index) => item === given[index]) ? value : kept
    }
  }

  function compileObjects(objects: readonly JsonSchema[]): (value: object) => unknown {
    const stripMerged = compileObject(merge(objects))
    if (objects.length < 2) return stripMerged
    const members = objects.map((member) => ({ fits: createTest(member), strip: compileObject(member) }))
    return (value) => {
      const [first, ...others] = members.filter(({ fits }) => fits(value))
      return (others.length === 0 && first !== undefined ? first.strip : stripMerged)(value)
    }
  }

  function compileObject({ properties = {}, additionalProperties }: JsonSchema): (value: object) => unknown {
    const fields = new Map(Object.entries(properties).map(([name, part]) => [name, compile(part)]))
    const others = additionalProperties === true ? {} : additionalProperties
    const stripOther = typeof others === 'object' ? compile(others) : undefined
    return (value) => {
      const object = value as Readonly<Record<string, unknown>>
      const names = Object.keys(object)
      // Most values have declared fields only.
      let kept: [string, unknown][] | undefined
      let index = 0
      for (const name of names) {
        const given = object[name]
        const strip = fields.get(name) ?? stripOther
        const field = typeof given !== 'object' || given === null || strip === keep ? given : strip?.(given)
        if (kept === undefined && (strip === undefined || field !== given))
          kept = names.slice(0, index).map((earlier) => [earlier, object[earlier]])
        if (strip !== undefined) kept?.push([name, field])
        index++
      }
      return kept === undefined ? value : Object.fromEntries(kept)
    }
  }

  return compile
}

const isObject = ({ properties, additionalProperties }: JsonSchema) =>
  properties !== undefined || additionalProperties !== undefined

const isList = ({ items, prefixItems }: JsonSchema) => typeof items === 'object' || prefixItems !== undefined

const scalarTypes: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'null']

const isScalar = ({ type }: JsonSchema) => scalarTypes.includes(type)

/** Whether a schema accepts objects and arrays without a declaration of their parts. */
const isOpen = (schema: JsonSchema) =>
  !isObject(schema) &&
  !isList(schema) &&
  schema.const === undefined &&
  schema.enum === undefined &&
  [undefined, 'object', 'array'].includes(schema.type as string | undefined)

const anyOf = (schemas: readonly JsonSchema[]): JsonSchema =>
  schemas.length === 1 && schemas[0] !== undefined ? schemas[0] : { anyOf: schemas }

/** Merges the fields of objects. */
function merge(objects: readonly JsonSchema[]): JsonSchema {
  const fields = objects.flatMap(({ properties = {} }) => Object.entries(properties))
  const others = objects.flatMap(({ additionalProperties }) =>
    additionalProperties === true ? {} : additionalProperties || [],
  )
  const byName = [...Map.groupBy(fields, ([name]) => name)]
  return {
    properties: Object.fromEntries(
      byName.map(([name, parts]) => [name, anyOf(parts.map(([, part]) => part))]),
    ),
    additionalProperties: others.length > 0 && anyOf(others),
  }
}

/** Creates the test whether an object has the required fields and the constants of a schema. */
function createTest({ properties = {}, required = [] }: JsonSchema): (value: object) => boolean {
  const constants = Object.entries(properties).flatMap(([name, { const: value, enum: values }]) =>
    value === undefined && values === undefined ? [] : [[name, values ?? [value]] as const],
  )
  return (value) =>
    required.every((name) => Object.hasOwn(value, name)) &&
    constants.every(([name, values]) => !Object.hasOwn(value, name) || values.includes(value[name as never]))
}
