import { expect, it } from 'vitest'
import { authorityOf } from './authority.ts'

it.each([
  ['127.0.0.1', '127.0.0.1:9464'],
  ['localhost', 'localhost:9464'],
  ['::1', '[::1]:9464'],
  ['::', '[::]:9464'],
])('writes %s as a URL can hold it', (host, expected) => {
  expect(authorityOf(host, 9464)).toBe(expected)
  expect(new URL(`http://${expected}/metrics`).port).toBe('9464')
})
