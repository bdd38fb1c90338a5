import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasLongDigits, quoteLargeIntegers } from '@sallyport/internal/large-integers'
import { parseJson } from './parse-json.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

/** Text around and inside of numbers and strings that a scanner may confuse. */
const traps = fc.constantFrom(
  '9007199254740993',
  '-9007199254740993',
  '\\',
  '"',
  ':',
  ',',
  '[1',
  '}',
  'e',
  'ü',
)

/** A text of JSON, and its value with large integers as texts and as numbers. */
interface Json {
  readonly text: string
  readonly value: unknown
  readonly rounded: unknown
}

const integers = fc
  .oneof(
    fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
    fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
  )
  .map((integer): Json => {
    const [text, rounded] = [String(integer), Number(integer)]
    return { text, value: Number.isSafeInteger(rounded) ? rounded : text, rounded }
  })
const otherNumbers = fc
  .oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number.toExponential()),
    fc.constantFrom('0', '-0', '1.1234567890123456789', '12345678901234567890e2', '1234567890123456E-3'),
  )
  .map((text): Json => ({ text, value: Number(text), rounded: Number(text) }))
const strings = fc.array(traps).map((parts): Json => {
  const value = parts.join('')
  return { text: JSON.stringify(value), value, rounded: value }
})
// V8 of Node.js 24 reads the name `"` as `\` if it parsed an object with the name `\` at this place before.
const names = fc.array(traps.filter((part) => part !== '\\')).map((parts) => parts.join(''))
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    integers,
    otherNumbers,
    strings,
    fc.array(tie('json')).map((items) => ({
      text: `[${items.map(({ text }) => text).join(' ,')}]`,
      value: items.map(({ value }) => value),
      rounded: items.map(({ rounded }) => rounded),
    })),
    fc.uniqueArray(fc.tuple(names, tie('json')), { selector: ([name]) => name }).map((members) => ({
      text: `{${members.map(([name, { text }]) => `${JSON.stringify(name)}:\n${text}`).join()}}`,
      value: Object.fromEntries(members.map(([name, { value }]) => [name, value])),
      rounded: Object.fromEntries(members.map(([name, { rounded }]) => [name, rounded])),
    })),
  ),
}))

describe('large integers', () => {
  it('become texts with their digits in any JSON', () => {
    fc.assert(
      fc.property(json, ({ text, value, rounded }) => {
        expect(parseJson(bytes(text))).toEqual(value)
        expect(JSON.parse(quoteLargeIntegers(text))).toEqual(value)
        expect(parseJson(bytes(text), 'number')).toEqual(rounded)
      }),
      { numRuns: 400 },
    )
  })

  it.each([
    ['[9007199254740991,-9007199254740991]', [9007199254740991, -9007199254740991]],
    ['[9007199254740992,-9007199254740992]', ['9007199254740992', '-9007199254740992']],
    ['{"9007199254740993":"9007199254740993"}', { '9007199254740993': '9007199254740993' }],
    ['9007199254740993', '9007199254740993'],
    ['\uFEFF[9007199254740993]', ['9007199254740993']],
    ['["\\\\",9007199254740993,"\\"",9007199254740993.5]', ['\\', '9007199254740993', '"', 9007199254740994]],
  ])('are read from %s', (text, value) => {
    expect(parseJson(bytes(text))).toEqual(value)
  })

  it('have more than the digits of a number', () => {
    const digits = '9'.repeat(400)
    expect(parseJson(bytes(`{"id":${digits}}`))).toEqual({ id: digits })
  })

  it('are searched in runs of 16 digits', () => {
    const text = fc.string({ unit: fc.constantFrom('1', '1', '1', '1', '1', '1', '1', '1', '1', '1', '.') })
    fc.assert(
      fc.property(fc.array(text), (parts) => {
        const joined = parts.join('')
        expect(hasLongDigits(bytes(joined))).toBe(/\d{16}/.test(joined))
      }),
    )
  })

  it('take linear time', () => {
    const list = `[${Array(60_000).fill('"\\\\\\"",1234567890123456').join()},9007199254740993]`
    const startedAt = performance.now()
    expect(parseJson(bytes(list))).toHaveLength(120_001)
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  })
})
