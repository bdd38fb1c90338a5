import { z } from 'zod'

// Parts of the schemas that payloads are read with. A field that an event can do without is null when it is missing
// or of another shape: services add, drop and change fields, and none of that should keep an event from its consumers.

export const text = z.string().min(1)

/** An id as text, whether the service sends text or a number. */
export const id = z.union([text, z.int().nonnegative()]).transform(String)

export const count = z.int().nonnegative()

const isCount = (input: unknown): input is number => Number.isSafeInteger(input) && (input as number) >= 0

/** Makes a field one that an event can do without. */
export function optional<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullable().catch(null).default(null)
}

/**
 * A single value that an event can do without, by one check: `optional` looks at it four times, and these are most of
 * what is read of a payload.
 */
export function optionalValue<Value>(check: (input: unknown) => Value | null) {
  return z.transform(check)
}

export const optionalText = optionalValue((input) =>
  typeof input === 'string' && input !== '' ? input : null,
)
export const optionalId = optional(id)
export const optionalCount = optionalValue((input) => (isCount(input) ? input : null))
export const optionalFlag = optionalValue((input) => (typeof input === 'boolean' ? input : null))

/** An object that an event can do without. */
export const optionalPart = <Shape extends z.ZodRawShape>(shape: Shape) => optional(z.object(shape))

/** What there is of a list, without the elements of another shape. */
export function listOf<Schema extends z.ZodType>(schema: Schema) {
  return z
    .array(optional(schema))
    .nullable()
    .catch(null)
    .default(null)
    .transform((list) => (list ?? []).flatMap((one) => (one === null ? [] : [one as z.output<Schema>])))
}

/** What there is of a map whose names the service's customers choose, without the entries of another shape. */
export function mapOf<Schema extends z.ZodType>(schema: Schema) {
  return optional(z.record(z.string(), optional(schema))).transform((map) =>
    Object.fromEntries(
      Object.entries(map ?? {}).flatMap(([name, one]) =>
        one === null ? [] : [[name, one as z.output<Schema>] as const],
      ),
    ),
  )
}

/** A text in a payload that nothing is known of yet. */
export function textAt(payload: unknown, name: string): string | undefined {
  if (typeof payload !== 'object' || payload === null || !Object.hasOwn(payload, name)) return undefined
  const value = (payload as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' ? value : undefined
}
