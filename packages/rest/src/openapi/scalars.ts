import { conforms } from './conforms.ts'
import type { JsonSchema } from './json-schema.ts'

/** Makes a simple value of a schema that is neither object nor array; `undefined` when none is known. */
export function makeScalar(schema: JsonSchema): unknown {
  switch (getType(schema)) {
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return makeNumber(schema)
    case 'string':
      return makeText(schema) ?? (schema.type?.includes('null') === true ? null : undefined)
    case 'null':
      return null
    case undefined:
      return schema.not === undefined ? {} : undefined
    default:
      return undefined
  }
}

function makeNumber(schema: JsonSchema): number | undefined {
  const { multipleOf } = schema
  const step = multipleOf ?? 1
  // zod adds the safe integers as bounds.
  const minimum = getBound(schema.minimum ?? schema.exclusiveMinimum, Number.MIN_SAFE_INTEGER) ?? -Infinity
  const maximum = getBound(schema.maximum ?? schema.exclusiveMaximum, Number.MAX_SAFE_INTEGER) ?? Infinity
  const [above, below] = [Math.ceil(minimum / step) * step, Math.floor(maximum / step) * step]
  const simple = minimum === -Infinity ? 1 : minimum
  const candidates = [simple, above, above + step, below, below - step, maximum, (minimum + maximum) / 2]
  const fitting = candidates
    .flatMap((value) => [Number(value.toPrecision(15)), value])
    .filter((value) => Number.isFinite(value) && conforms(value, schema, new Map()))
  // Most tools divide in floating point and reject 0.3 as a multiple of 0.1.
  const exact = (value: number) => multipleOf === undefined || Number.isInteger(value / multipleOf)
  return fitting.find(exact) ?? fitting[0]
}

function getBound(bound: number | undefined, unset: number): number | undefined {
  return bound === unset ? undefined : bound
}

const formats: Readonly<Record<string, readonly string[]>> = {
  uuid: ['01890a5d-ac96-774b-bcce-b302099a8057', 'f47ac10b-58cc-4372-a567-0e02b2c3d479'],
  'date-time': ['2026-01-31T12:00:00.000Z', '2026-01-31T12:00:00Z'],
  date: ['2026-01-31'],
  email: ['ada@example.com', 'a@b.co'],
  uri: ['https://example.com/', 'http://a.b'],
  base64: ['dGV4dA=='],
  ipv4: ['192.0.2.1'],
  ipv6: ['2001:db8::1'],
  hostname: ['example.com'],
}

function makeText(schema: JsonSchema): string | undefined {
  const { minLength = 0, maxLength = Infinity, format, '~incomplete': isIncomplete } = schema
  const text = 'text'.padEnd(minLength, '.').slice(0, maxLength)
  const candidates = format === undefined || format === 'password' ? [text] : (formats[format] ?? [])
  if (isIncomplete === true) return undefined
  return candidates.find((candidate) => conforms(candidate, schema, new Map()))
}

/** The type of a schema, without null if it has another. */
export function getType({ type }: JsonSchema): string | undefined {
  if (type === undefined || typeof type === 'string') return type
  return type.find((one) => one !== 'null') ?? type[0]
}
