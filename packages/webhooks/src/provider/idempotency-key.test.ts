import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatKey } from './idempotency-key.ts'

const parts = fc.array(
  fc.oneof(
    fc.string({ unit: fc.integer({ max: 0xffff }).map((code) => String.fromCharCode(code)) }),
    fc.integer(),
  ),
  { minLength: 1, maxLength: 4 },
)

it('formats provider, kind and parts', () => {
  expect(formatKey('codehost', 'workflow_run.completed', [42, 1])).toBe(
    'codehost:workflow_run.completed:42:1',
  )
  expect(formatKey('p', 'a.b', ['2025-02-10T10:39', 'ü%'])).toBe('p:a.b:2025-02-10T10%3A39:%C3%BC%25')
})

it('gives different lists of parts different keys', () => {
  expect(formatKey('p', 'a.b', ['x:y', 'z'])).not.toBe(formatKey('p', 'a.b', ['x', 'y:z']))
  fc.assert(
    fc.property(parts, parts, (one, other) => {
      const same = JSON.stringify(one.map(String)) === JSON.stringify(other.map(String))
      expect(formatKey('p', 'a.b', one) === formatKey('p', 'a.b', other)).toBe(same)
    }),
  )
})

it('is visible ASCII', () => {
  fc.assert(
    fc.property(parts, (some) => {
      expect(formatKey('p', 'a.b', some)).toMatch(/^[!-~]+$/)
    }),
  )
})
