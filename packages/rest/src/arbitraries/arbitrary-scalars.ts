import fc, { type Arbitrary } from 'fast-check'
import type { JsonSchema } from '../openapi/json-schema.ts'

export function makeNumber({ type, multipleOf, ...bounds }: JsonSchema): Arbitrary<unknown> {
  const limit = Number.MAX_SAFE_INTEGER
  const {
    minimum = -limit,
    maximum = limit,
    exclusiveMinimum = -Infinity,
    exclusiveMaximum = Infinity,
  } = bounds
  if (multipleOf === undefined && type === 'number') {
    const [min, max] = [Math.max(minimum, exclusiveMinimum), Math.min(maximum, exclusiveMaximum)]
    return fc.double({ min, max, noNaN: true, minExcluded: min > minimum, maxExcluded: max < maximum })
  }
  const step = multipleOf ?? 1
  const min = Math.ceil(Math.max(minimum, exclusiveMinimum + 1e-9) / step)
  const max = Math.floor(Math.min(maximum, exclusiveMaximum - 1e-9) / step)
  return fc.integer({ min: Math.max(min, -limit), max: Math.min(max, limit) }).map((value) => value * step)
}

const times = fc.date({
  min: new Date('1970-01-01'),
  max: new Date('2099-12-31'),
  noInvalidDate: true,
})

const formats: Readonly<Record<string, Arbitrary<string>>> = {
  uuid: fc.uuid(),
  email: fc.emailAddress(),
  uri: fc.webUrl(),
  date: times.map((time) => time.toISOString().slice(0, 10)),
  'date-time': times.map((time) => time.toISOString()),
  ipv4: fc.ipV4(),
  ipv6: fc.ipV6(),
  hostname: fc.domain(),
  base64: fc.base64String(),
}

const strictFormats = new Set(['uuid', 'email', 'uri', 'date', 'date-time', 'ipv4', 'ipv6'])

/** Whether a value contradicts the format of a schema, which is no constraint in JSON Schema but one for validators. */
export const contradictsFormat = (value: unknown, { format = '' }: JsonSchema): boolean =>
  strictFormats.has(format) && (value === '' || value === 'nonsense')

export function makeText({ format, pattern, minLength = 0, maxLength = 100 }: JsonSchema): Arbitrary<string> {
  const formatted = format === undefined ? undefined : formats[format]
  if (formatted !== undefined) return formatted
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, 'u'), { maxLength })
  return fc.string({ unit: characters, minLength, maxLength: Math.max(minLength, maxLength), size: 'max' })
}

/** Every character that text may hold; often those that JSON, SQL or URLs write in another way. */
const characters = fc.oneof(
  fc.constantFrom(...Array.from('aZ0 \'"\\/%_+&=#;<{$\n')),
  fc
    .constantFrom('\u007f', 'ß', 'İ', 'e\u0301', '\u2028', '\u202e', '\ufeff', '🚪', '\u{10ffff}')
    .chain((text) => fc.constantFrom(...Array.from(text))),
  fc
    .integer({ min: 1, max: 0x10ffff })
    .map((code) => String.fromCodePoint(code >= 0xd800 && code <= 0xdfff ? 0xfffd : code)),
)
