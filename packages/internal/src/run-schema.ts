import type { StandardSchemaV1 } from '@standard-schema/spec'
import { ignoreRejection } from './promises.ts'

type Result<Schema extends StandardSchemaV1> = StandardSchemaV1.Result<StandardSchemaV1.InferOutput<Schema>>

/** The methods of schemas of zod 4. An import of zod would require it of users of other libraries. */
interface ZodSchema {
  readonly safeParse: (input: unknown, options?: object) => ZodResult
  readonly safeParseAsync: (input: unknown, options?: object) => Promise<ZodResult>
  readonly _zod: { readonly run: (payload: ZodPayload, options: object) => ZodPayload | Promise<ZodPayload> }
}
interface ZodResult {
  readonly data?: unknown
  readonly error?: { readonly issues: readonly StandardSchemaV1.Issue[] }
}
interface ZodPayload {
  readonly value: unknown
  readonly issues: readonly unknown[]
}

const isZod = (schema: object): schema is ZodSchema => '_zod' in schema && 'safeParse' in schema

const toResult = ({ data, error }: ZodResult) =>
  error === undefined ? { value: data } : { issues: error.issues }

/**
 * Runs a schema. The result rejects if a check throws or rejects.
 *
 * The Standard Schema method of zod begins with a synchronous run, which starts asynchronous checks and loses their
 * promises: a check would run twice, and the rejection of the first run would end the process.
 *
 * @param zodOptions the options of `safeParseAsync` of zod
 */
export async function runSchema<Schema extends StandardSchemaV1>(
  schema: Schema,
  input: unknown,
  zodOptions?: object,
): Promise<Result<Schema>>
export async function runSchema(
  schema: StandardSchemaV1,
  input: unknown,
  zodOptions?: object,
): Promise<StandardSchemaV1.Result<unknown>> {
  if (isZod(schema)) return toResult(await schema.safeParseAsync(input, zodOptions))
  return await schema['~standard'].validate(input)
}

/**
 * Runs a synchronous schema. @returns undefined for a schema that is asynchronous
 *
 * @param zodOptions the options of `safeParse` of zod
 */
export function runSynchronousSchema<Schema extends StandardSchemaV1>(
  schema: Schema,
  input: unknown,
  zodOptions?: object,
): Result<Schema> | undefined
export function runSynchronousSchema(
  schema: StandardSchemaV1,
  input: unknown,
  zodOptions?: object,
): StandardSchemaV1.Result<unknown> | undefined {
  if (!isZod(schema)) {
    const result = schema['~standard'].validate(input)
    return ignoreRejection(result) ? undefined : (result as StandardSchemaV1.Result<unknown>)
  }
  // `safeParse` would lose the promises of asynchronous checks.
  const payload = schema._zod.run({ value: input, issues: [] }, { async: true })
  if (payload instanceof Promise) {
    ignoreRejection(payload)
    return undefined
  }
  // Only `safeParse` creates the messages.
  return payload.issues.length === 0
    ? { value: payload.value }
    : toResult(schema.safeParse(input, zodOptions))
}
