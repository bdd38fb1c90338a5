import type { ErrorDetail } from '@sallyport/errors'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { invalidInput, type InvalidInputOptions } from './invalid.ts'

/** What a validator made of an input: its value, or every problem with it. */
export type Checked<Value> = { readonly value: Value } | { readonly problems: readonly ErrorDetail[] }

export interface ValidateOptions extends InvalidInputOptions {
  /**
   * The message of the error.
   *
   * @default 'The input is not valid'
   */
  readonly message?: string
}

/**
 * Validates an input with any Standard Schema validator: zod, valibot, arktype and others.
 *
 * @returns what the schema makes of the input
 * @throws SallyportError `VALIDATION_ERROR` (400, or as the options say) with a detail for each problem, its
 * `field` a dotted path such as `items.0.name`
 * @see https://standardschema.dev
 *
 * @example
 * ```ts
 * import { validate } from '@sallyport/rest'
 * import { z } from 'zod'
 *
 * const body: unknown = { email: 'ada@example.org' }
 * const { email } = await validate(z.strictObject({ email: z.email() }), body)
 * ```
 */
export async function validate<Schema extends StandardSchemaV1>(
  schema: Schema,
  input: unknown,
  { message = 'The input is not valid', ...options }: ValidateOptions = {},
): Promise<StandardSchemaV1.InferOutput<Schema>> {
  const checked = await check(schema, input)
  if ('problems' in checked) throw invalidInput(message, checked.problems, options)
  return checked.value
}

/**
 * Validates an input without throwing, for callers that collect the problems of several.
 *
 * @example
 * ```ts
 * import { check } from '@sallyport/rest'
 * import { z } from 'zod'
 *
 * const checked = await check(z.int(), 'x')
 * if ('problems' in checked) console.error(checked.problems)
 * ```
 */
export async function check<Schema extends StandardSchemaV1>(
  schema: Schema,
  input: unknown,
): Promise<Checked<StandardSchemaV1.InferOutput<Schema>>> {
  const result = await schema['~standard'].validate(input)
  return result.issues === undefined
    ? { value: result.value }
    : { problems: result.issues.flatMap(detailsOf) }
}

/** The details of one issue. Zod reports the unknown fields of an object as one issue with their names in `keys`. */
function detailsOf(issue: StandardSchemaV1.Issue): readonly ErrorDetail[] {
  const path = (issue.path ?? []).map((segment) =>
    String(typeof segment === 'object' ? segment.key : segment),
  )
  const { code, keys } = issue as { code?: unknown; keys?: unknown }
  if (code === 'unrecognized_keys' && Array.isArray(keys)) {
    return keys.map((key) => ({ field: [...path, String(key)].join('.'), message: 'Is unknown here' }))
  }
  return [{ field: path.join('.'), message: issue.message }]
}
