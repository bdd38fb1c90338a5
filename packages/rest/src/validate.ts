import { SallyportError, type DetailLocation, type ErrorCode, type ErrorDetail } from '@sallyport/errors'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { runSchema } from '@sallyport/internal/run-schema'
import { describeIssue, type ZodIssue } from './issue-details.ts'

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
  /**
   * The part of the request that holds the input.
   *
   * @default 'body'
   */
  readonly in?: DetailLocation
}

/**
 * Validates an input with any Standard Schema validator, such as zod, valibot or arktype.
 *
 * The details of the error have codes and messages of this package for zod 4, unless a schema sets its own message. For other
 * libraries, the code is `INVALID` and the message is the one of the library.
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
  { message = 'The input is not valid', in: location, ...options }: ValidateOptions = {},
): Promise<StandardSchemaV1.InferOutput<Schema>> {
  const result = await safeValidate(schema, input, location)
  if ('problems' in result) throw invalidInput(message, result.problems, options)
  return result.value
}

/** Validates an input without throwing. */
export async function safeValidate<Schema extends StandardSchemaV1>(
  schema: Schema,
  input: unknown,
  location: DetailLocation = 'body',
): Promise<ValidationResult<StandardSchemaV1.InferOutput<Schema>>> {
  const result = await runSchema(schema, input, zodOptions)
  return result.issues === undefined
    ? { value: result.value }
    : { problems: listProblems(schema, result.issues, location) }
}

/** Messages that a schema sets itself take precedence over `error`. */
export const zodOptions = {
  reportInput: true,
  error: (issue: ZodIssue) => describeIssue(issue).message,
}

/** Converts the issues of a schema to error details. */
export function listProblems(
  schema: StandardSchemaV1,
  issues: readonly StandardSchemaV1.Issue[],
  location: DetailLocation,
): readonly ErrorDetail[] {
  const getCode = '_zod' in schema ? (issue: object) => describeIssue(issue).code : () => 'INVALID'
  return issues.flatMap((issue) => toErrorDetails(issue, location, getCode))
}

/** Converts an issue to error details. Zod reports unknown fields as one issue with their names in `keys`. */
function toErrorDetails(
  issue: StandardSchemaV1.Issue,
  location: DetailLocation,
  getCode: (issue: object) => string,
): readonly ErrorDetail[] {
  // Paths of arktype are instances of a class, whose map would return another path.
  const path = Array.from(issue.path ?? [], (segment) =>
    String(typeof segment === 'object' ? segment.key : segment),
  )
  const { code, keys } = issue as { code?: unknown; keys?: unknown }
  if (code === 'unrecognized_keys' && Array.isArray(keys)) {
    const message = location === 'body' ? 'Unknown field' : 'Unknown parameter'
    return keys.map((key) => {
      return { code: 'UNKNOWN', field: [...path, String(key)].join('.'), in: location, message }
    })
  }
  return [{ code: getCode(issue), field: path.join('.'), in: location, message: issue.message }]
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
