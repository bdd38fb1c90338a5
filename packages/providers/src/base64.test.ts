import { expect, it } from 'vitest'
import { decodeBase64, encodeBase64 } from './base64.ts'

it('encodes and decodes bytes, also more than a function has arguments', () => {
  for (const length of [0, 1, 0x8000, 300_000]) {
    const bytes = Uint8Array.from({ length }, (_, index) => index & 0xff)
    const text = Buffer.from(bytes).toString('base64')
    expect(encodeBase64(bytes)).toBe(text)
    expect(decodeBase64(text)).toEqual(bytes)
  }
})

it.each(['AA', 'AB==', 'AA==\n', '*'])('does not decode %j', (text) => {
  expect(decodeBase64(text)).toBeUndefined()
})
