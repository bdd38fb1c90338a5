import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeText, encodeBytes, type DigestEncoding } from './encoding.ts'

const encodings = ['hex', 'base64', 'base64url'] as const satisfies readonly DigestEncoding[]

describe.each(encodings)('%s', (encoding) => {
  it('encodes like Buffer and decodes the result', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const text = encodeBytes(encoding, bytes)
        expect(text).toBe(Buffer.from(bytes).toString(encoding))
        expect(decodeText(encoding, text)).toEqual(bytes)
      }),
    )
  })

  it('accepts one text for the same bytes', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), (text) => {
        const bytes = decodeText(encoding, text)
        if (bytes) expect(Buffer.from(bytes).toString(encoding)).toBe(text)
      }),
    )
  })

  it('rejects texts that are longer than any key', () => {
    expect(decodeText(encoding, 'a'.repeat(16_384))).toHaveLength(encoding === 'hex' ? 8192 : 12_288)
    expect(decodeText(encoding, 'a'.repeat(16_388))).toBeUndefined()
  })
})

it('writes and reads hexadecimal in upper case', () => {
  const bytes = Uint8Array.of(0xab, 0x01)
  expect(encodeBytes('hex-upper', bytes)).toBe('AB01')
  expect(decodeText('hex-upper', 'AB01')).toEqual(bytes)
  expect(decodeText('hex-upper', 'ab01')).toBeUndefined()
})

it.each([
  ['hex', ['0', 'AB', 'abc', '0x', 'zz', ' ab', 'ab ', '+1', '1.', 'ａｂ']],
  ['base64', ['YQ', 'YQ=', 'YR==', 'YQ===', 'Y', 'Y Q==', 'YQ==\n', '=YQ=', '-_-_', 'YQ==YQ==', 'é===']],
  ['base64url', ['YQ==', 'YR', 'Y', '+/+/', 'Y Q', 'YQ\n', '☃']],
] as const)('rejects malformed %s', (encoding, texts) => {
  for (const text of texts) expect(decodeText(encoding, text), text).toBeUndefined()
})
