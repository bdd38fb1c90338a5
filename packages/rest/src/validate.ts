import { SallyportError, type ErrorCode, type ErrorDetail } from '@sallyport/errors'
import type { StandardSchemaV1 } from '@standard-schema/spec'

/** The result of validation: the value, or all problems with the input. */
export type ValidationResult<Value> =
  { readonly value: Value } | { readonly problems: readonly ErrorDetail[] }

export interface ValidateOptions extends InvalidInputOptions {
  /**
   * The message of the error.
   *
   * @default 'The input is not valid'
   */
  readonly message?: string
}

/**
 * Validates an input with any Standard Schema validator, such as zod, valibot or arktype.
 *
 * @returns the output of the schema
 * @throws SallyportError `VALIDATION_ERROR` (400, or as the options set) with a detail for each problem. `field` is a
 * dotted path such as `items.0.name`
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
  const result = await safeValidate(schema, input)
  if ('problems' in result) throw invalidInput(message, result.problems, options)
  return result.value
}

/** Validates an input without throwing. */
export async function safeValidate<Schema extends StandardSchemaV1>(
  schema: Schema,
  input: unknown,
): Promise<ValidationResult<StandardSchemaV1.InferOutput<Schema>>> {
  const result = await schema['~standard'].validate(input)
  return result.issues === undefined
    ? { value: result.value }
    : { problems: result.issues.flatMap(toErrorDetails) }
}

/** Converts an issue to error details. Zod reports unknown fields as one issue with their names in `keys`. */
function toErrorDetails(issue: StandardSchemaV1.Issue): readonly ErrorDetail[] {
  const path = (issue.path ?? []).map((segment) =>
    String(typeof segment === 'object' ? segment.key : segment),
  )
  const { code, keys } = issue as { code?: unknown; keys?: unknown }
  if (code === 'unrecognized_keys' && Array.isArray(keys)) {
    return keys.map((key) => ({ field: [...path, String(key)].join('.'), message: 'Unknown field' }))
  }
  return [{ field: path.join('.'), message: issue.message }]
}

/** The error code and status of responses to invalid input. */
export interface InvalidInputOptions {
  /**
   * The error code. The default status of `VALIDATION_FAILED` is 422.
   *
   * @default 'VALIDATION_ERROR'
   */
  readonly code?: ErrorCode | (string & {})
  /** @default the status of the code: 400 for `VALIDATION_ERROR` */
  readonly status?: number
}

const maxDetails = 100

/** Creates the error for invalid input; at most 100 problems become details. */
export function invalidInput(
  message: string,
  details: readonly ErrorDetail[],
  { code = 'VALIDATION_ERROR', status }: InvalidInputOptions = {},
): SallyportError {
  return new SallyportError(code, message, {
    details: details.slice(0, maxDetails),
    ...(status !== undefined && { status }),
  })
}
