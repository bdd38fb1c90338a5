import { expect, it } from 'vitest'
import { readReturnPath } from './return-path.ts'

const read = (path: unknown) => readReturnPath(path, 'https://hooks.example', '/console')

it.each(['/', '/console/events?q=a//b#c', '/a//b'])('keeps the path %s', (path) => {
  expect(read(path)).toBe(path)
})

it.each([
  '//other.example',
  '/\\other.example',
  '/a/..//other.example',
  '/.//other.example',
  '/%2e//other.example',
  '/\t/other.example',
  'https://other.example',
  '',
  `/${'a'.repeat(1000)}`,
  undefined,
])('does not lead to %s', (path) => {
  expect(read(path)).toBe('/console')
})
