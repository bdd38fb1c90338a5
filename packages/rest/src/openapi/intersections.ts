import type { BuiltDocument, BuiltSchema } from './built.ts'
import { componentOf, componentsIn, targetOf } from './components.ts'
import { partsOf, schemasOf } from './walk.ts'

type Schemas = Record<string, BuiltSchema>

/**
 * Opens the members of intersections: a closed one refuses the fields of all others. Components, which stay closed
 * elsewhere, are written out where they are members, and left out of the document where they are nothing else. One that
 * would be written out inside itself has no end, and is opened for all.
 */
export function openIntersections(document: BuiltDocument): void {
  const schemas: Schemas = document.components?.schemas ?? {}
  const intersections = schemasOf(document).flatMap(intersectionsIn)
  const members = intersections.flatMap(({ allOf = [] }) => allOf)
  if (!members.some((member) => isClosed(member, schemas))) return
  const before = componentsIn(document)
  const open = opener(schemas, endlessOf(members, schemas))
  for (const intersection of intersections) {
    Object.assign(intersection, { allOf: intersection.allOf?.map(open) })
  }
  // What is written out in several places is not one object.
  Object.assign(document, JSON.parse(JSON.stringify(document)))
  const after = componentsIn(document)
  for (const name of before) {
    if (!after.has(name)) Reflect.deleteProperty(document.components?.schemas ?? {}, name)
  }
}

function intersectionsIn(schema: BuiltSchema): BuiltSchema[] {
  const inside = partsOf(schema).flatMap(intersectionsIn)
  return isIntersection(schema) ? [schema, ...inside] : inside
}

/** Zod writes most intersections of objects as one object. */
function isIntersection(schema: BuiltSchema): boolean {
  return schema['~intersection'] === true && schema.allOf !== undefined
}

/** What a member of an intersection stands for. Intersections are opened themselves, and what the program says stays. */
function alternativesOf(schema: BuiltSchema): readonly BuiltSchema[] {
  const { allOf = [], anyOf = [], oneOf = [] } = schema
  return isIntersection(schema) ? [] : [...(allOf.length === 1 ? allOf : []), ...anyOf, ...oneOf]
}

/** A union may be one of its own members. */
function isClosed(schema: BuiltSchema, schemas: Schemas, seen = new Set<BuiltSchema>()): boolean {
  if (seen.has(schema)) return false
  seen.add(schema)
  const target = targetOf(schema, schemas)
  if (target !== undefined) return isClosed(target, schemas, seen)
  if (schema.additionalProperties === false) return true
  return alternativesOf(schema).some((part) => isClosed(part, schemas, seen))
}

/** The components that would be written out inside themselves, of those that members stand for. */
function endlessOf(members: readonly BuiltSchema[], schemas: Schemas): ReadonlySet<string> {
  const known = new Map<string, readonly string[]>()
  const closedIn = (member: BuiltSchema): readonly string[] => {
    const name = componentOf(member)
    if (name === undefined) return alternativesOf(member).flatMap(closedIn)
    return isClosed(member, schemas) ? [name] : []
  }
  const within = (name: string) => {
    const target = schemas[name] ?? {}
    const inside = intersectionsIn(target).flatMap(({ allOf = [] }) => allOf)
    const names = known.get(name) ?? [...alternativesOf(target), ...inside].flatMap(closedIn)
    known.set(name, names)
    return names
  }
  const reached = (names: readonly string[], all = new Set<string>()) => {
    for (const name of names) if (!all.has(name)) reached(within(name), all.add(name))
    return all
  }
  const written = reached(members.flatMap(closedIn))
  return new Set([...written].filter((name) => reached(within(name)).has(name)))
}

/** Opens a schema: the schema itself when it is open. */
function opener(schemas: Schemas, endless: ReadonlySet<string>): (schema: BuiltSchema) => BuiltSchema {
  const known = new Map<BuiltSchema, BuiltSchema>()
  const open = (schema: BuiltSchema): BuiltSchema => {
    const name = componentOf(schema)
    const target = name === undefined || endless.has(name) ? undefined : schemas[name]
    const written = known.get(schema) ?? (target === undefined ? opened(schema, open) : open(target))
    known.set(schema, written)
    return target !== undefined && written === target ? schema : written
  }
  for (const name of endless) {
    const target = schemas[name] ?? {}
    const inPlace = opened(target, open)
    for (const word of Object.keys(target)) Reflect.deleteProperty(target, word)
    Object.assign(target, inPlace)
  }
  return open
}

function opened(schema: BuiltSchema, open: (part: BuiltSchema) => BuiltSchema): BuiltSchema {
  if (isIntersection(schema)) return schema
  const { additionalProperties, discriminator, ...rest } = schema
  let changed = additionalProperties === false
  if (!changed && additionalProperties !== undefined) Object.assign(rest, { additionalProperties })
  for (const word of ['allOf', 'anyOf', 'oneOf'] as const) {
    const parts = schema[word]
    if (parts === undefined || (word === 'allOf' && parts.length > 1)) continue
    const others = parts.map(open)
    if (others.every((part, at) => part === parts[at])) continue
    Object.assign(rest, { [word]: others })
    changed = true
  }
  // A discriminator names components.
  if (discriminator !== undefined && rest.oneOf === schema.oneOf) Object.assign(rest, { discriminator })
  return changed ? rest : schema
}
