import { isNothing, leaveOutAbsent } from './absent.ts'
import type { BuiltDocument, BuiltSchema } from './built.ts'
import { openIntersections } from './intersections.ts'
import { partsOf, schemasOf } from './walk.ts'

type Schema = { -readonly [Name in keyof BuiltSchema]: BuiltSchema[Name] }

/** Rewrites in place what zod says in words of later versions of JSON Schema to those of OpenAPI 3.0.3. */
export function toDialect(document: BuiltDocument): void {
  const schemas = schemasOf(document)
  for (const schema of schemas) declareRequired(schema)
  // Before any is rewritten: what a field refers to tells whether it may be absent.
  for (const schema of schemas) leaveOutAbsent(schema, document.components?.schemas ?? {})
  for (const schema of schemas) rewrite(schema)
  openIntersections(document)
}

function rewrite(built: BuiltSchema): void {
  const schema = built as Schema
  for (const part of partsOf(schema)) rewrite(part)
  // Nothing is no alternative to something.
  if (schema.anyOf?.some((part) => !isNothing(part)) === true) {
    alternatives(
      schema,
      schema.anyOf.filter((part) => !isNothing(part)),
    )
  }
  // The places of a tuple come to be alternatives of its items, of which some may be the same.
  if (schema.items?.anyOf !== undefined) {
    const { anyOf } = schema.items
    schema['~places'] = anyOf
    alternatives(schema.items, [...new Map(anyOf.map((part) => [JSON.stringify(part), part])).values()])
  }
  if (schema.type === 'null') Object.assign(schema, onlyNull)
  // What a loose record does not know of its names, it lets pass.
  if (schema.patternProperties !== undefined && schema.additionalProperties === false) {
    delete schema.additionalProperties
  }
  if (schema.format === 'base64') schema.format = 'byte'
  if (schema.nullable === true) admitNull(schema)
}

/** A type of its own, null is not in 3.0. */
const onlyNull = { type: 'string', nullable: true, enum: [null] } as const

/** What says nothing of the values, and their format, which is said of a choice in order to say it otherwise. */
const overridden: readonly string[] = ['title', 'description', 'default', 'example', 'format']

/** Leaves a choice these; one alone takes its place, and what is said of the choice goes before what is said of that. */
function alternatives(choice: Schema, left: readonly BuiltSchema[]): void {
  const [only] = left
  if (left.length === choice.anyOf?.length && left.length > 1) return
  if (left.length > 1 || only === undefined) {
    choice.anyOf = left
    return
  }
  delete choice.anyOf
  const both = agreed(choice, only)
  // What stands beside a reference is not read, and of two that ask for something both have to be.
  if (both === undefined || (only.$ref !== undefined && Object.keys(choice).length > 0)) {
    choice.allOf = [...(choice.allOf ?? []), only]
  } else Object.assign(choice, both)
}

/** What a choice and its only alternative ask for, the stricter of their bounds; undefined when one schema cannot say it. */
function agreed(choice: Schema, only: BuiltSchema): object | undefined {
  const bounds: Record<string, number> = {}
  const exclusive = [choice, only].some((one) => one.exclusiveMinimum ?? one.exclusiveMaximum)
  for (const [word, said] of Object.entries(only) as [keyof Schema, unknown][]) {
    const other = choice[word]
    if (!(word in choice) || overridden.includes(word)) continue
    if (JSON.stringify(said) === JSON.stringify(other)) continue
    if (exclusive || typeof said !== 'number' || typeof other !== 'number') return undefined
    if (!/^m(in|ax)/.test(word)) return undefined
    bounds[word] = word.startsWith('min') ? Math.max(said, other) : Math.min(said, other)
  }
  const { format } = only
  return { ...only, ...choice, ...bounds, ...(format !== undefined && { '~readAs': format }) }
}

/** The names of a record whose keys are an enum are its fields, and no others are taken. */
function declareRequired(built: BuiltSchema): void {
  for (const part of partsOf(built)) declareRequired(part)
  const schema = built as Schema
  const { type, required = [], properties, additionalProperties } = schema
  // An alternative may do no more than require a field that is declared elsewhere.
  if (type !== 'object' || typeof additionalProperties !== 'object') return
  const undeclared = required.filter((name) => !Object.hasOwn(properties ?? {}, name))
  if (undeclared.length === 0) return
  const values = undeclared.map((name) => [name, structuredClone(additionalProperties)] as const)
  schema.properties = { ...properties, ...Object.fromEntries(values) }
  // An object that takes more than its fields has fields of its own.
  if (properties === undefined) schema.additionalProperties = false
  if (schema['~optional'] === true) delete schema.required
}

/** `nullable` belongs to a `type`, and lifts neither an `enum` nor what is composed: those have to take null themselves. */
function admitNull(schema: Schema): void {
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
  Object.assign(schema, rest, { anyOf: [plain ?? composed, { ...onlyNull, enum: [null] }] })
}
