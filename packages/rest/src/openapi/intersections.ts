import type { BuiltDocument, BuiltSchema } from './built.ts'
import { partsOf, schemasOf } from './walk.ts'

type Schemas = Record<string, BuiltSchema>

/**
 * Opens the members of intersections in place: a closed one refuses the fields of all others. Components, which stay
 * closed elsewhere, are written out where they are members, and left out of the document where they are nothing else.
 * One that refers to itself would have no end, and is opened for all.
 */
export function openIntersections(document: BuiltDocument): void {
  const schemas: Schemas = document.components?.schemas ?? {}
  const writtenOut = new Set<string>()
  for (const schema of schemasOf(document)) openMembers(schema, schemas, writtenOut)
  for (const name of writtenOut) {
    if (!JSON.stringify(document).includes(`"#/components/schemas/${name}"`))
      Reflect.deleteProperty(schemas, name)
  }
}

function openMembers(schema: BuiltSchema, schemas: Schemas, writtenOut: Set<string>): void {
  for (const part of partsOf(schema)) openMembers(part, schemas, writtenOut)
  const { allOf = [] } = schema
  if (allOf.length < 2) return
  const open = allOf.map((member) => opened(member, schemas, writtenOut, []))
  Object.assign(schema, { allOf: open })
}

/** The schema itself when it is open. */
function opened(
  schema: BuiltSchema,
  schemas: Schemas,
  writtenOut: Set<string>,
  within: readonly string[],
): BuiltSchema {
  const name = schema.$ref?.slice('#/components/schemas/'.length)
  if (name !== undefined) {
    const target = schemas[name]
    // A union may be one of its own members.
    if (target === undefined || within.includes(name)) return schema
    const open = opened(target, schemas, writtenOut, [...within, name])
    if (open === target) return schema
    if (refersTo(target, name, schemas)) {
      for (const word of Object.keys(target)) Reflect.deleteProperty(target, word)
      Object.assign(target, open)
      return schema
    }
    writtenOut.add(name)
    return open
  }
  const { additionalProperties, discriminator, ...open } = schema
  let changed = additionalProperties === false
  if (!changed && additionalProperties !== undefined) Object.assign(open, { additionalProperties })
  for (const word of ['allOf', 'anyOf', 'oneOf'] as const) {
    const parts = schema[word]?.map((part) => opened(part, schemas, writtenOut, within))
    if (parts?.some((part, at) => part !== schema[word]?.[at]) !== true) continue
    Object.assign(open, { [word]: parts })
    changed = true
  }
  // A discriminator names components.
  if (discriminator !== undefined && open.oneOf === schema.oneOf) Object.assign(open, { discriminator })
  return changed ? open : schema
}

function refersTo(
  schema: BuiltSchema,
  name: string,
  schemas: Schemas,
  seen: Set<string> = new Set<string>(),
): boolean {
  const references = JSON.stringify(schema).matchAll(/"#\/components\/schemas\/([^"]+)"/g)
  return [...references].some(([, next = '']) => {
    const target = schemas[next]
    if (next === name) return true
    if (target === undefined || seen.has(next)) return false
    return refersTo(target, name, schemas, seen.add(next))
  })
}
