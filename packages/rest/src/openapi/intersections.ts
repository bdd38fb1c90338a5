import {
  collectSchemas,
  findReferencedSchemas,
  getComponentName,
  getSubschemas,
  resolveReference,
  type BuiltDocument,
  type BuiltSchema,
} from './document-model.ts'

type Schemas = Record<string, BuiltSchema>

/**
 * Removes `additionalProperties: false` from the members of intersections: a closed member rejects the fields of the
 * others. Components stay closed elsewhere: members get an inlined open copy, and components without remaining references
 * are deleted. A recursive component cannot be inlined and is opened everywhere.
 */
export function openIntersections(document: BuiltDocument): void {
  const schemas: Schemas = document.components?.schemas ?? {}
  const intersections = collectSchemas(document).flatMap(intersectionsIn)
  const members = intersections.flatMap(({ allOf = [] }) => allOf)
  if (!members.some((member) => isClosed(member, schemas))) return
  const before = findReferencedSchemas(document)
  const open = createOpener(schemas, findRecursive(members, schemas))
  for (const intersection of intersections) {
    Object.assign(intersection, { allOf: intersection.allOf?.map(open) })
  }
  // Gives every inlined copy its own object.
  Object.assign(document, JSON.parse(JSON.stringify(document)))
  const after = findReferencedSchemas(document)
  for (const name of before) {
    if (!after.has(name)) Reflect.deleteProperty(document.components?.schemas ?? {}, name)
  }
}

function intersectionsIn(schema: BuiltSchema): BuiltSchema[] {
  const inside = getSubschemas(schema).flatMap(intersectionsIn)
  return isIntersection(schema) ? [schema, ...inside] : inside
}

/** zod writes most intersections of objects as one object. */
function isIntersection(schema: BuiltSchema): boolean {
  return schema['~intersection'] === true && schema.allOf !== undefined
}

/** The schemas that can replace a member. Intersections are opened separately; an `allOf` of the user stays. */
function getAlternatives(schema: BuiltSchema): readonly BuiltSchema[] {
  const { allOf = [], anyOf = [], oneOf = [] } = schema
  return isIntersection(schema) ? [] : [...(allOf.length === 1 ? allOf : []), ...anyOf, ...oneOf]
}

/** A recursive union may contain itself. */
function isClosed(schema: BuiltSchema, schemas: Schemas, seen = new Set<BuiltSchema>()): boolean {
  if (seen.has(schema)) return false
  seen.add(schema)
  const target = resolveReference(schema, schemas)
  if (target !== undefined) return isClosed(target, schemas, seen)
  if (schema.additionalProperties === false) return true
  return getAlternatives(schema).some((part) => isClosed(part, schemas, seen))
}

/** The recursive components among the members, which cannot be inlined. */
function findRecursive(members: readonly BuiltSchema[], schemas: Schemas): ReadonlySet<string> {
  const known = new Map<string, readonly string[]>()
  const closedIn = (member: BuiltSchema): readonly string[] => {
    const name = getComponentName(member)
    if (name === undefined) return getAlternatives(member).flatMap(closedIn)
    return isClosed(member, schemas) ? [name] : []
  }
  const within = (name: string) => {
    const target = schemas[name] ?? {}
    const inside = intersectionsIn(target).flatMap(({ allOf = [] }) => allOf)
    const names = known.get(name) ?? [...getAlternatives(target), ...inside].flatMap(closedIn)
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

/** Creates a function that returns an open copy of a schema, or the schema itself if it is open. */
function createOpener(
  schemas: Schemas,
  recursive: ReadonlySet<string>,
): (schema: BuiltSchema) => BuiltSchema {
  const known = new Map<BuiltSchema, BuiltSchema>()
  const open = (schema: BuiltSchema): BuiltSchema => {
    const name = getComponentName(schema)
    const target = name === undefined || recursive.has(name) ? undefined : schemas[name]
    const written = known.get(schema) ?? (target === undefined ? openSchema(schema, open) : open(target))
    known.set(schema, written)
    return target !== undefined && written === target ? schema : written
  }
  for (const name of recursive) {
    const target = schemas[name] ?? {}
    const inPlace = openSchema(target, open)
    for (const keyword of Object.keys(target)) Reflect.deleteProperty(target, keyword)
    Object.assign(target, inPlace)
  }
  return open
}

function openSchema(schema: BuiltSchema, open: (part: BuiltSchema) => BuiltSchema): BuiltSchema {
  if (isIntersection(schema)) return schema
  const { additionalProperties, discriminator, ...rest } = schema
  let changed = additionalProperties === false
  if (!changed && additionalProperties !== undefined) Object.assign(rest, { additionalProperties })
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
    const parts = schema[keyword]
    if (parts === undefined || (keyword === 'allOf' && parts.length > 1)) continue
    const others = parts.map(open)
    if (others.every((part, at) => part === parts[at])) continue
    Object.assign(rest, { [keyword]: others })
    changed = true
  }
  // A discriminator maps to components, so it does not fit inlined alternatives.
  if (discriminator !== undefined && rest.oneOf === schema.oneOf) Object.assign(rest, { discriminator })
  return changed ? rest : schema
}
