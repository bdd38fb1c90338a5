import type { StandardSchemaV1 } from '@standard-schema/spec'
import { comparison, type Filter, type FilterOptions } from './filters.ts'
import type { ComparisonOperator } from './predicate.ts'
import type { Scalar } from './scalar.ts'

/**
 * A filter whose text is read by a Standard Schema validator, such as one of zod's, synchronously.
 *
 * @throws TypeError at the first use of a validator that answers with a promise
 *
 * @example
 * ```ts
 * import { schemaFilter } from '@sallyport/rest'
 * import { z } from 'zod'
 *
 * const owner = schemaFilter(z.uuid(), { field: 'owner_id', openapi: { type: 'string', format: 'uuid' } })
 * ```
 */
export function schemaFilter<Value extends Scalar, Input = string>(
  schema: StandardSchemaV1<Input & TextInput<Input>, Value>,
  options?: SchemaFilterOptions,
): Filter<Value>
// What a schema that is a type parameter takes is known by its constraint alone, of which nothing is inferred.
export function schemaFilter<Schema extends StandardSchemaV1<string, Scalar>>(
  schema: Schema,
  options?: SchemaFilterOptions,
): Filter<StandardSchemaV1.InferOutput<Schema>>
export function schemaFilter(
  schema: StandardSchemaV1<unknown, Scalar>,
  { op = 'eq', openapi = { type: 'string' }, ...options }: SchemaFilterOptions = {},
): Filter {
  return comparison(op, options, openapi, (text) => {
    const result = schema['~standard'].validate(text)
    if (result instanceof Promise) throw new TypeError('A filter has to validate synchronously')
    if (result.issues === undefined) return { value: result.value }
    return { problem: result.issues.map((issue) => issue.message).join('; ') }
  })
}

/** The input of a schema that takes text, or anything, as those that coerce do; `string` in place of any other. */
export type TextInput<Input> = unknown extends Input
  ? Input
  : [Extract<Input, string>] extends [never]
    ? string
    : Input

export interface SchemaFilterOptions extends FilterOptions {
  /** @default 'eq' */
  readonly op?: ComparisonOperator
  /** The parameter's OpenAPI 3.0 schema. @default { type: 'string' } */
  readonly openapi?: Readonly<Record<string, unknown>>
}
