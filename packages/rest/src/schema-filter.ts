import { runSynchronousSchema } from '@sallyport/internal/run-schema'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { comparison, type ListFilter, type ListFilterOptions } from './filters.ts'
import type { ComparisonOperator } from './predicate.ts'
import { readParameterSchema } from './parameter-schemas.ts'
import type { Scalar } from './scalar.ts'
import { listProblems, zodOptions } from './validate.ts'

/**
 * A filter that parses its text with a synchronous Standard Schema validator, such as a zod schema.
 *
 * @throws TypeError for a schema that no text satisfies, and at the first use of a validator that returns a promise
 *
 * @example
 * ```ts
 * import { listFilter } from '@sallyport/rest'
 * import { z } from 'zod'
 *
 * const owner = listFilter.schema(z.uuid(), { field: 'owner_id', openapi: { type: 'string', format: 'uuid' } })
 * ```
 */
export function schemaFilter<Value extends Scalar, Input = string>(
  schema: StandardSchemaV1<Input & TextInput<Input>, Value>,
  options?: SchemaFilterOptions,
): ListFilter<Value>
// TypeScript infers only the constraint of a schema that is a type parameter.
export function schemaFilter<Schema extends StandardSchemaV1<string, Scalar>>(
  schema: Schema,
  options?: SchemaFilterOptions,
): ListFilter<StandardSchemaV1.InferOutput<Schema>>
export function schemaFilter(
  schema: StandardSchemaV1<unknown, Scalar>,
  { op = 'eq', openapi = { type: 'string' }, ...options }: SchemaFilterOptions = {},
): ListFilter {
  if (!readParameterSchema(schema).acceptsText)
    throw new TypeError('The schema of a filter must accept text, as z.coerce.number() does')
  return comparison(op, options, openapi, (text) => {
    const result = runSynchronousSchema(schema, text, zodOptions)
    if (result === undefined) throw new TypeError('A filter has to validate synchronously')
    if (result.issues === undefined) return { value: result.value }
    const problems = listProblems(schema, result.issues, 'query')
    const problem = problems.map(({ message }) => message).join('; ')
    return { problem, ...(problems[0]?.code !== undefined && { code: problems[0].code }) }
  })
}

/** `Input` if it includes text or is `unknown`, as for coercing schemas; otherwise `string`. */
export type TextInput<Input> = unknown extends Input
  ? Input
  : [Extract<Input, string>] extends [never]
    ? string
    : Input

export interface SchemaFilterOptions extends ListFilterOptions {
  /** @default 'eq' */
  readonly op?: ComparisonOperator
  /** The JSON Schema (draft 2020-12) of the parameter. @default { type: 'string' } */
  readonly openapi?: Readonly<Record<string, unknown>>
}
