import type { BuiltSchema } from './built.ts'
import { conforms } from './conforms.ts'

/** A simple value of a schema of no object and no array, or undefined when none is known. */
export function scalarOf(schema: BuiltSchema): unknown {
  const { type, nullable, not } = schema
  switch (type) {
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return numberOf(schema)
    case 'string':
      return textOf(schema) ?? (nullable === true ? null : undefined)
    case undefined:
      return not === undefined ? {} : undefined
    default:
      return undefined
  }
}

function numberOf(schema: BuiltSchema): number | undefined {
  const { multipleOf } = schema
  const step = multipleOf ?? 1
  // The least and the most that a number holds exactly are no bounds that anybody has set.
  const minimum = boundOf(schema.minimum, Number.MIN_SAFE_INTEGER) ?? -Infinity
  const maximum = boundOf(schema.maximum, Number.MAX_SAFE_INTEGER) ?? Infinity
  const [above, below] = [Math.ceil(minimum / step) * step, Math.floor(maximum / step) * step]
  const simple = minimum === -Infinity ? 1 : minimum
  const candidates = [simple, above, above + step, below, below - step, maximum, (minimum + maximum) / 2]
  const fitting = candidates
    .flatMap((value) => [Number(value.toPrecision(15)), value])
    .filter((value) => Number.isFinite(value) && conforms(value, schema, {}))
  // Most tools divide, and take 0.3 for no multiple of 0.1.
  const exact = (value: number) => multipleOf === undefined || Number.isInteger(value / multipleOf)
  return fitting.find(exact) ?? fitting[0]
}

function boundOf(bound: number | undefined, unset: number): number | undefined {
  return bound === unset ? undefined : bound
}

const formats: Readonly<Record<string, readonly string[]>> = {
  uuid: ['01890a5d-ac96-774b-bcce-b302099a8057', 'f47ac10b-58cc-4372-a567-0e02b2c3d479'],
  'date-time': ['2026-01-31T12:00:00.000Z', '2026-01-31T12:00:00Z'],
  date: ['2026-01-31'],
  email: ['ada@example.com', 'a@b.co'],
  uri: ['https://example.com/', 'http://a.b'],
  byte: ['dGV4dA=='],
  ipv4: ['192.0.2.1'],
  ipv6: ['2001:db8::1'],
  hostname: ['example.com'],
}

function textOf(schema: BuiltSchema): string | undefined {
  if (schema['~untold'] === true) return undefined
  const { '~lengths': [least, most] = [0, null], '~readAs': format = schema.format ?? '' } = schema
  const [minLength, maxLength] = [least, most ?? Infinity]
  const text = 'text'
    .padEnd(Math.max(schema.minLength ?? 0, minLength), '.')
    .slice(0, Math.min(schema.maxLength ?? Infinity, maxLength))
  // A format of another name is a hint, such as that of a password, unless a pattern tells more.
  const candidates = (Object.hasOwn(formats, format) ? formats[format] : undefined) ?? [text]
  const then = { minLength, maxLength }
  return candidates.find((candidate) => conforms(candidate, schema, {}) && conforms(candidate, then, {}))
}
