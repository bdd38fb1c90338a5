import fc from 'fast-check'
import { expect, it } from 'vitest'
import { splitVisible, splitWords } from '../src/app/ui/visible-text.ts'

const join = (text: string) =>
  splitVisible(text)
    .map((piece) => ('text' in piece ? piece.text : `[${piece.label}]`))
    .join('')

it.each([
  ['abc\u202egnp.exe', 'abc[RLO]gnp.exe'],
  ['\u001b[31mred', '[\u241b][31mred'],
  ['a\u200bb\u0000c', 'a[ZWSP]b[\u2400]c'],
  ['\ud800x', '[U+D800]x'],
  ['\u{e0041}', '[U+E0041]'],
  ['tab\tand\nfeed', 'tab\tand\nfeed'],
  ['\u0627\u0644\u0639 \u{1f600}', '\u0627\u0644\u0639 \u{1f600}'],
])('shows invisible characters of %j', (text, shown) => {
  expect(join(text)).toBe(shown)
})

it('keeps all visible text in order', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const pieces = splitVisible(text)
      for (const piece of pieces) {
        if ('text' in piece) expect(piece.text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b]/u)
      }
      const length = pieces.reduce(
        (sum, piece) =>
          sum +
          ('text' in piece
            ? piece.text.length
            : String.fromCodePoint(parseInt(piece.name.slice(2), 16)).length),
        0,
      )
      expect(length).toBe(text.length)
    }),
  )
})

it.each([
  ['shopify/customers_marketing.update', ['shopify/', 'customers_', 'marketing.', 'update']],
  ['The bus answered 503.', ['The bus answered 503.']],
  ['https://a.example', ['https://', 'a.', 'example']],
  ['ann@example.com', ['ann@', 'example.', 'com']],
])('breaks %j behind the characters that separate words', (text, words) => {
  expect(splitWords(text)).toEqual(words)
})
