import type { ErrorDetail } from '@sallyport/errors'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { describeSchema, listAlternatives } from './describe-schema.ts'
import type { JsonSchema } from './openapi/json-schema.ts'
import { createParameterReader, textReader, type ParameterReader } from './parameter-reader.ts'
import { shorten } from './query-string.ts'

/** The parameters that a schema declares. */
export interface QuerySchema {
  readonly declared: ReadonlyMap<string, ParameterReader>
  /** The reader of other parameters; undefined if the schema accepts no others. */
  readonly others: ParameterReader | undefined
  /** The members of a union or an intersection of objects; none for a single object, of which `declared` has the readers. */
  readonly objects: readonly QueryObject[]
}

interface QueryObject {
  readonly readers: ReadonlyMap<string, ParameterReader>
  readonly required: readonly string[]
}

type Texts = ReadonlyMap<string, readonly string[]>

const cache = new WeakMap<StandardSchemaV1, QuerySchema>()

/** Reads the parameters that a schema of an object declares. A schema that its library cannot describe declares none. */
export function readQuerySchema(schema: StandardSchemaV1): QuerySchema {
  const known = cache.get(schema) ?? createQuerySchema(schema)
  cache.set(schema, known)
  return known
}

function createQuerySchema(schema: StandardSchemaV1): QuerySchema {
  const described = describeSchema(schema, 'input')
  if (described === undefined) return { declared: new Map(), others: textReader, objects: [] }
  const expand = (part: JsonSchema) => listAlternatives(part, described.schemas)
  const schemas = expand(described.schema)
  const names = new Set(schemas.flatMap(({ properties = {} }) => Object.keys(properties)))
  const declared = [...names].map((name) => {
    const parts = schemas.flatMap(({ properties = {} }) => {
      const part = Object.hasOwn(properties, name) ? properties[name] : undefined
      return part === undefined ? [] : expand(part)
    })
    return [name, createParameterReader(parts, expand)] as const
  })
  const members = schemas.length > 1 ? schemas : []
  const objects = members.map(({ properties = {}, required = [] }) => {
    const readers = Object.entries(properties).map(
      ([name, part]) => [name, createParameterReader(expand(part), expand)] as const,
    )
    return { readers: new Map(readers), required }
  })
  const isClosed = schemas.every(
    ({ properties, additionalProperties }) => properties !== undefined && additionalProperties === undefined,
  )
  const additional = schemas.flatMap(({ additionalProperties: part }) =>
    typeof part === 'object' ? part : [],
  )
  const open =
    additional.length === 0 ? textReader : createParameterReader(additional.flatMap(expand), expand)
  return { declared: new Map(declared), others: isClosed ? undefined : open, objects }
}

/** Returns the reader of a parameter by all objects that declare it. */
export function getReader({ declared, others }: QuerySchema, name: string): ParameterReader {
  return declared.get(name) ?? others ?? textReader
}

/**
 * Converts the texts of a query. Of a union, the members that all texts fit convert them; among their values, text comes first.
 */
export function readTexts(schema: QuerySchema, texts: Texts): Readonly<Record<string, unknown>> {
  const fitting = schema.objects.filter((object) => fits(object, texts))
  const values = [...texts].map(([name, given]) => {
    const readers = fitting.flatMap(({ readers }) => readers.get(name) ?? [])
    const read = readers.map((reader) => reader.read(given))
    const value = read.find((one) => typeof one === 'string') ?? read[0]
    return [name, value ?? getReader(schema, name).read(given)]
  })
  return Object.fromEntries(values) as Record<string, unknown>
}

function fits({ readers, required }: QueryObject, texts: Texts): boolean {
  return (
    required.every((name) => texts.has(name)) &&
    [...readers].every(([name, reader]) => {
      const given = texts.get(name)
      return given === undefined || reader.takes(given)
    })
  )
}

/** Reads the schema of one parameter. */
export function readParameterSchema(schema: StandardSchemaV1): ParameterReader {
  const described = describeSchema(schema, 'input')
  if (described === undefined) return textReader
  const expand = (part: JsonSchema) => listAlternatives(part, described.schemas)
  return createParameterReader(expand(described.schema), expand)
}

/** Finds the parameters of a query that its schema neither declares nor accepts as additional ones. */
export function findUnknownNames(
  { declared, others }: QuerySchema,
  names: Iterable<string>,
): readonly ErrorDetail[] {
  if (others !== undefined) return []
  return [...names]
    .filter((name) => !declared.has(name))
    .map((name) => ({ code: 'UNKNOWN', field: shorten(name), in: 'query', message: 'Unknown parameter' }))
}
