import fc from 'fast-check'
import { expect, it } from 'vitest'
import { escapeText, unescapeText } from './text.ts'

const anyText = fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) })
const nearEscapes = fc.string({
  unit: fc.constantFrom('\\', 'u', '0', 'd', '8', '\0', '\ud800', '\udc00', 'x'),
})

it('gives back any text, stored as valid UTF-8 without NUL', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, nearEscapes), (text) => {
      const stored = escapeText(text)
      expect(stored.isWellFormed()).toBe(true)
      expect(stored.includes('\0')).toBe(false)
      expect(unescapeText(stored)).toBe(text)
    }),
  )
})

it('leaves ordinary text as it is', () => {
  for (const text of ['', 'codehost:package.published:1', 'ä🚪\n', 'ud800'])
    expect(escapeText(text)).toBe(text)
})

it('takes nothing but text', () => {
  expect(() => escapeText(undefined as unknown as string)).toThrow(TypeError)
})
