import { expect, it } from 'vitest'
import { formatAuthority } from './authority.ts'

it.each([
  ['127.0.0.1', '127.0.0.1:9464'],
  ['localhost', 'localhost:9464'],
  ['::1', '[::1]:9464'],
  ['::', '[::]:9464'],
])('formats %s for a URL', (host, expected) => {
  expect(formatAuthority(host, 9464)).toBe(expected)
  expect(new URL(`http://${expected}/metrics`).port).toBe('9464')
})
