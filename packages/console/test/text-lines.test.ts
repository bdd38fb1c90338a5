import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findLine, findMatches, maxMatches, splitLines } from '../src/app/body/text-lines.ts'

it('splits text into short lines without a loss', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', '\n', 'ä', '\r') }),
      fc.integer({ min: 1, max: 5 }),
      (text, columns) => {
        const lines = splitLines(text, columns)
        const joined = lines
          .map(
            ({ start, end, number }) =>
              (number === undefined || number === 1 ? '' : '\n') + text.slice(start, end),
          )
          .join('')
        expect(joined).toBe(text)
        expect(lines.every(({ start, end }) => end - start <= columns)).toBe(true)
        for (const [index, { start, end }] of lines.entries()) {
          if (end > start) expect(findLine(lines, start)).toBe(index)
        }
      },
    ),
  )
})

it('splits a line of 5 MB', () => {
  const lines = splitLines('x'.repeat(5_000_000), 160)
  expect(lines).toHaveLength(31_250)
  expect(lines[findLine(lines, 4_999_999)]?.end).toBe(5_000_000)
})

it('finds matches without regard to case, up to a limit', () => {
  expect(findMatches('Abc abC', 'ABC')).toEqual([0, 4])
  expect(findMatches('abc', '')).toEqual([])
  expect(findMatches('a'.repeat(5000), 'a')).toHaveLength(maxMatches)
})
