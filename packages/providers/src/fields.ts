import * as z from 'zod'
import { readMember, readPath } from './agreement.ts'

// Services add, remove and change the fields of payloads, and such a change must not prevent events: a field without a valid
// value is null.

/** A field of the data of an event: its schema, and how its value is read from a payload. */
export interface Field<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema
  readonly read: (payload: unknown) => z.input<Schema> | null
}

export type Fields = Readonly<Record<string, Field>>

/** The schema of data with such fields. */
export type DataSchema<Read extends Fields = Fields> = z.ZodObject<{
  -readonly [Name in keyof Read]: Read[Name]['schema']
}>

/** Creates a type of field. Its fields have the first valid value among their paths in a payload, else null. */
function fieldType<Schema extends z.ZodType>(
  schema: Schema,
  check: (value: unknown) => z.input<Schema> | undefined,
) {
  return (...paths: readonly string[]): Field<z.ZodNullable<Schema>> => {
    const names = paths.map((path) => path.split('.'))
    return {
      schema: schema.nullable(),
      read(payload) {
        for (const path of names) {
          const value = check(readMember(payload, path))
          if (value !== undefined) return value
        }
        return null
      },
    }
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isInteger = (value: unknown): value is number => Number.isSafeInteger(value)
const isCount = (value: unknown): value is number => isInteger(value) && value >= 0

export const text = fieldType(z.string(), (value) => (isText(value) ? value : undefined))
/** An id as text, from text or from a number. */
export const id = fieldType(z.string(), (value) =>
  isCount(value) ? String(value) : isText(value) ? value : undefined,
)
export const integer = fieldType(z.int(), (value) => (isInteger(value) ? value : undefined))
export const count = fieldType(z.int(), (value) => (isCount(value) ? value : undefined))
export const flag = fieldType(z.boolean(), (value) => (typeof value === 'boolean' ? value : undefined))
/**
 * A time as RFC 3339 in UTC with milliseconds, from RFC 3339 text, or from a number of seconds or milliseconds, which their
 * sizes tell apart. A time before 1970 is missing: some services send year 1 for no time.
 */
export const time = fieldType(z.string(), (value) => {
  const moment =
    typeof value === 'number'
      ? Math.round(value * (value < 1e11 ? 1000 : 1))
      : isText(value)
        ? Date.parse(value)
        : 0
  return moment > 0 && moment < Date.UTC(10_000, 0) ? new Date(moment).toISOString() : undefined
})

/** A field with another way to its value. */
export const computed = <Schema extends z.ZodType>(
  schema: Schema,
  read: (payload: unknown) => z.input<Schema> | null,
): Field<Schema> => ({ schema, read })

/** A field of another value than the payload, such as of an element in a list. */
export const within = <Schema extends z.ZodType>(
  find: (payload: unknown) => unknown,
  { schema, read }: Field<Schema>,
): Field<Schema> => ({ schema, read: (payload) => read(find(payload)) })

/** Makes a field required: a delivery without it is quarantined. */
export const required = <Schema extends z.ZodType>({
  schema,
  read,
}: Field<z.ZodNullable<Schema>>): Field<Schema> => ({ schema: schema.unwrap(), read })

/** Gives a field a value in place of null. */
export const withDefault = <Schema extends z.ZodType>(
  { schema, read }: Field<z.ZodNullable<Schema>>,
  fallback: z.input<Schema>,
): Field<Schema> => ({ schema: schema.unwrap(), read: (payload) => read(payload) ?? fallback })

/** The elements of a list in a payload. */
export function readList(payload: unknown, path: string): readonly unknown[] {
  const list = readPath(payload, path)
  return Array.isArray(list) ? list : []
}

/** The texts of a list. */
export const texts = (path: string): Field<z.ZodArray<z.ZodString>> =>
  computed(z.array(z.string()), (payload) => readList(payload, path).filter(isText))

/** The objects of a list. */
export const list = <Schema extends DataSchema>(path: string, element: Schema): Field<z.ZodArray<Schema>> =>
  computed(z.array(element), (payload) =>
    readList(payload, path)
      .filter((one) => typeof one === 'object' && one !== null)
      .map((one) => readData(element, one)),
  )

const fieldsOf = new WeakMap<z.ZodType, readonly (readonly [name: string, read: Field['read']])[]>()

/** Creates the schema of data from its fields. */
export function data<Read extends Fields>(fields: Read): DataSchema<Read> {
  const entries = Object.entries(fields)
  const shape = Object.fromEntries(entries.map(([name, { schema }]) => [name, schema]))
  const schema = z.object(shape) as DataSchema<Read>
  fieldsOf.set(
    schema,
    entries.map(([name, { read }]) => [name, read]),
  )
  return schema
}

/** Reads the fields of a schema that {@link data} created. A required field can be null: the schema then refuses the data. */
export function readData<Schema extends DataSchema>(schema: Schema, payload: unknown): z.input<Schema> {
  const fields = fieldsOf.get(schema) ?? []
  const data: Record<string, unknown> = {}
  for (const [name, read] of fields) data[name] = read(payload)
  return data as z.input<Schema>
}
