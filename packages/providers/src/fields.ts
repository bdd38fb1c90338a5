import * as z from 'zod'

// Schemas for payloads. An optional field becomes null when it is missing or has another type: services add, remove and
// change fields, and such a change must not prevent events.

export const text = z.string().min(1)

/** An id as text, from text or from a number. */
export const id = z.union([text, z.int().nonnegative()]).transform(String)

export const count = z.int().nonnegative()

const isCount = (input: unknown): input is number => Number.isSafeInteger(input) && (input as number) >= 0

/** Makes a field optional: null when it is missing or invalid. */
export function optional<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullable().catch(null).default(null)
}

/**
 * An optional scalar with a single check. `optional` runs four checks, and scalars are most of a payload.
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

/** An optional object. */
export const optionalPart = <Shape extends z.ZodRawShape>(shape: Shape) => optional(z.object(shape))

/** The valid elements of a list; an empty list when it is missing. */
export function validElements<Schema extends z.ZodType>(schema: Schema) {
  return z
    .array(optional(schema))
    .nullable()
    .catch(null)
    .default(null)
    .transform((list) => (list ?? []).flatMap((one) => (one === null ? [] : [one as z.output<Schema>])))
}

/** Reads a text field of an unvalidated payload. */
export function readText(payload: unknown, name: string): string | undefined {
  if (typeof payload !== 'object' || payload === null || !Object.hasOwn(payload, name)) return undefined
  const value = (payload as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' ? value : undefined
}
