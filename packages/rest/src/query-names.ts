import type { ErrorDetail } from '@sallyport/errors'
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import { shorten } from './query-string.ts'

const namesBySchema = new WeakMap<StandardSchemaV1, ReadonlySet<string> | undefined>()

/** Finds the parameters of a query that its schema neither declares nor accepts as additional ones. */
export function findUnknownNames(schema: StandardSchemaV1, names: Iterable<string>): readonly ErrorDetail[] {
  if (!namesBySchema.has(schema)) namesBySchema.set(schema, listNames(schema))
  const known = namesBySchema.get(schema)
  if (known === undefined) return []
  return [...names]
    .filter((name) => !known.has(name))
    .map((name) => ({ code: 'UNKNOWN', field: shorten(name), in: 'query', message: 'Unknown parameter' }))
}

/**
 * Lists the names that a schema declares; undefined if its library cannot list them, or if the schema decides about other
 * names itself.
 */
function listNames(schema: StandardSchemaV1): ReadonlySet<string> | undefined {
  const { jsonSchema } = schema['~standard'] as Partial<StandardJSONSchemaV1.Props>
  try {
    const { properties, additionalProperties } =
      jsonSchema?.input({ target: 'draft-2020-12', libraryOptions: { unrepresentable: 'any' } }) ?? {}
    if (properties === undefined || additionalProperties !== undefined) return undefined
    return new Set(Object.keys(properties as object))
  } catch {
    return undefined
  }
}
