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
}

const cache = new WeakMap<StandardSchemaV1, QuerySchema>()

/** Reads the parameters that a schema of an object declares. A schema that its library cannot describe declares none. */
export function readQuerySchema(schema: StandardSchemaV1): QuerySchema {
  const known = cache.get(schema) ?? createQuerySchema(schema)
  cache.set(schema, known)
  return known
}

function createQuerySchema(schema: StandardSchemaV1): QuerySchema {
  const described = describeSchema(schema, 'input')
  if (described === undefined) return { declared: new Map(), others: textReader }
  const expand = (part: JsonSchema) => listAlternatives(part, described.schemas)
  const objects = expand(described.schema)
  const names = new Set(objects.flatMap(({ properties = {} }) => Object.keys(properties)))
  const declared = [...names].map((name) => {
    const parts = objects.flatMap(({ properties = {} }) => {
      const part = Object.hasOwn(properties, name) ? properties[name] : undefined
      return part === undefined ? [] : expand(part)
    })
    return [name, createParameterReader(parts, expand)] as const
  })
  const isClosed = objects.every(
    ({ properties, additionalProperties }) => properties !== undefined && additionalProperties === undefined,
  )
  const additional = objects.flatMap(({ additionalProperties: part }) =>
    typeof part === 'object' ? part : [],
  )
  const open =
    additional.length === 0 ? textReader : createParameterReader(additional.flatMap(expand), expand)
  return { declared: new Map(declared), others: isClosed ? undefined : open }
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
