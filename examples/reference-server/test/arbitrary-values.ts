import fc, { type Arbitrary } from 'fast-check'
import { follow, type OpenApiDocument, type Schema } from './openapi.ts'

/** Values by the schemas of a document. */
export interface Values {
  /** Values that the schema and the server accept. */
  readonly valid: (schema: Schema) => Arbitrary<unknown>
  /** Values that the schema rejects, and text that only the server rejects because no database can store it. */
  readonly invalid: (schema: Schema) => Arbitrary<unknown>
}

/** @param reference returns an existing id, for fields that refer to a row */
export function valuesBy(document: OpenApiDocument, reference: () => string): Values {
  function valid(part: Schema): Arbitrary<unknown> {
    const schema = follow(document, part)
    const value = present(schema)
    return schema.nullable === true ? fc.option(value) : value
  }

  function present(schema: Schema): Arbitrary<unknown> {
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
    const { format, type, minimum = 0, maximum = Infinity, minLength = 0, maxLength = 100 } = schema
    if (format === 'uuid') return fc.constant(undefined).map(reference)
    // Not biased towards what is simple, which would soon be taken.
    if (format === 'email') return fc.noBias(fc.uuid()).map((name) => `${name}@example.com`)
    if (format === 'date') return days
    // In the future, where an expiry must be.
    if (format === 'date-time') return days.map((day) => `21${day.slice(2, 8)}01T12:00:00+01:00`)
    // The pages of a list end where its limit times its page is too much.
    if (type === 'integer') return fc.integer({ min: minimum, max: Math.min(maximum, 100_000) })
    if (schema.allOf?.length === 1) return valid(schema.allOf[0]!)
    if (type === 'string' && schema.pattern !== undefined)
      return fc.stringMatching(new RegExp(schema.pattern), { maxLength })
    if (type === 'string' && format === undefined)
      return fc.string({ unit: characters, minLength, maxLength, size: 'max' })
    if (type === 'boolean') return fc.boolean()
    if (type === 'number') return fc.double({ min: minimum, max: maximum, noNaN: true })
    if (type === 'array' && schema.items !== undefined)
      return fc.uniqueArray(valid(schema.items), {
        minLength: schema.minItems ?? 0,
        maxLength: 3,
        selector: (item) => (schema.uniqueItems === true ? item : Symbol('item')),
      })
    if (type === 'object' && schema.properties !== undefined) {
      const fields = Object.entries(schema.properties)
        .filter(([name]) => !describedFields.has(name))
        .map(([name, own]) => [name, valid(own)] as const)
      return fc.record(Object.fromEntries(fields), { requiredKeys: [...(schema.required ?? [])] })
    }
    if (type === 'object' && typeof schema.additionalProperties === 'object')
      return fc.dictionary(fc.stringMatching(/^[a-z]{1,9}$/), valid(schema.additionalProperties), {
        maxKeys: 3,
      })
    throw new Error(`Values by ${JSON.stringify(schema)} are not made yet`)
  }

  function invalid(part: Schema): Arbitrary<unknown> {
    const schema = follow(document, part)
    const { type, nullable, minimum, maximum, minLength = 0, maxLength } = schema
    const isText = type === 'string' && schema.enum === undefined && schema.format === undefined
    const others: unknown[] = [{}, [], ['a'], type === 'string' ? 7 : 'seven', 1e300, 0.5]
    if (type !== 'boolean') others.push(true)
    if (nullable !== true) others.push(null)
    if (type === 'string' && !isText) others.push('', 'nonsense', ' ', 'undefined', '0'.repeat(36))
    if (isText) others.push('a\0b'.padEnd(minLength, 'x'), 'a\ud800b'.padEnd(minLength, 'x'))
    if (isText && minLength > 0) others.push('x'.repeat(minLength - 1))
    if (maxLength !== undefined) others.push('x'.repeat(maxLength + 1))
    if (minimum !== undefined) others.push(minimum - 1)
    if (maximum !== undefined) others.push(maximum + 1)
    return fc.constantFrom(...others)
  }

  return { valid, invalid }
}

/** The document describes in words when the server accepts these fields: only some providers sign a time. */
const describedFields: ReadonlySet<string> = new Set(['tolerance_seconds'])

const days = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

/** Every character that text may hold, those often that are written in some other way in JSON, SQL or URLs. */
const characters = fc.oneof(
  fc.constantFrom(
    'a',
    'Z',
    '0',
    ' ',
    "'",
    '"',
    '\\',
    '/',
    '%',
    '_',
    '+',
    '&',
    '=',
    '#',
    ';',
    '<',
    '{',
    '$',
    '\n',
  ),
  fc
    .constantFrom('\u007f', 'ß', 'İ', 'e\u0301', '\u2028', '\u202e', '\ufeff', '🚪', '\u{10ffff}')
    .chain((text) => fc.constantFrom(...Array.from(text))),
  fc
    .integer({ min: 1, max: 0x10ffff })
    .map((code) => String.fromCodePoint(code >= 0xd800 && code <= 0xdfff ? 0xfffd : code)),
)
