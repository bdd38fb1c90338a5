import type { BuiltSchema } from './built.ts'
import { targetOf } from './components.ts'
import { partsOf } from './walk.ts'

type Schemas = Readonly<Record<string, BuiltSchema>>

/** Requires no field that may be undefined, as it is then absent: JSON has no other way to say so. */
export function leaveOutAbsent(built: BuiltSchema, schemas: Schemas): void {
  for (const part of partsOf(built)) leaveOutAbsent(part, schemas)
  const schema = built as { required?: readonly string[] }
  const required = built.required?.filter((name) => {
    const property = Object.hasOwn(built.properties ?? {}, name) ? built.properties?.[name] : undefined
    return property === undefined || !mayBeAbsent(property, schemas, [])
  })
  if (required === undefined || required.length === built.required?.length) return
  if (required.length === 0) delete schema.required
  else schema.required = required
}

function mayBeAbsent(schema: BuiltSchema, schemas: Schemas, within: readonly BuiltSchema[]): boolean {
  if (isNothing(schema)) return true
  // A union may be one of its own members.
  if (within.includes(schema)) return false
  const of = (part: BuiltSchema) => mayBeAbsent(part, schemas, [...within, schema])
  const { allOf = [], anyOf = [], oneOf = [] } = schema
  const target = targetOf(schema, schemas)
  if (target !== undefined) return of(target)
  return anyOf.some(of) || oneOf.some(of) || (allOf.length > 0 && allOf.every(of))
}

/** Whether a schema takes no value that JSON has: it is what `undefined` is written as. */
export function isNothing({ not }: BuiltSchema): boolean {
  return not !== undefined && Object.keys(not).length === 0
}
