import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasLongDigits, quoteLargeIntegers } from './large-integers.ts'
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

const numbers = fc.oneof(
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
  fc.constantFrom('0', '-0', '1.1234567890123456789', '12345678901234567890e2', '1234567890123456E-3'),
)
const strings = fc.array(traps).map((parts) => JSON.stringify(parts.join('')))
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    numbers,
    strings,
    fc.array(tie('json')).map((items) => `[${items.join(' ,')}]`),
    fc.array(fc.tuple(strings, tie('json'))).map((members) => {
      const named = new Map(members)
      return `{${[...named].map(([name, value]) => `${name}:\n${value}`).join()}}`
    }),
  ),
}))

/** Replaces integers by the text of the source, as a newer engine reads them. */
const replaceBySource = (text: string): unknown =>
  JSON.parse(text, (_name, value: unknown, { source = '' }: { readonly source?: string } = {}) =>
    typeof value === 'number' && /^-?\d+$/.test(source) && !Number.isSafeInteger(value) ? source : value,
  )

describe('large integers', () => {
  it('become texts with their digits in any JSON', () => {
    fc.assert(
      fc.property(json, (text) => {
        expect(parseJson(bytes(text))).toEqual(replaceBySource(text))
        expect(JSON.parse(quoteLargeIntegers(text))).toEqual(replaceBySource(text))
        expect(parseJson(bytes(text), 'number')).toEqual(JSON.parse(text))
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
    expect(performance.now() - startedAt).toBeLessThan(2000)
  })
})
