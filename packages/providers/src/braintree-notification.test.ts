import { expect, it } from 'vitest'
import { decodePayload, readElement, readPayload } from './braintree-notification.ts'

it('reads the text of the first element with a name', () => {
  expect(readElement('<kind>a</kind><id type="text">b</id><id>c</id>', 'id')).toBe('b')
})

// Regression: the time was quadratic in the number of start tags without an end.
it('reads unfinished start tags in linear time', () => {
  const startedAt = performance.now()
  expect(readElement('<id '.repeat(50_000), 'id')).toBeUndefined()
  expect(performance.now() - startedAt).toBeLessThan(10_000)
})

// Regression: the bytes were the arguments of one call.
it('encodes a sample of any length', () => {
  const xml = Buffer.from(`<kind>${'a'.repeat(500_000)}</kind>`)
  expect(readPayload(xml)).toBe(xml.toString('base64'))
})

it('decodes base64 with line ends, and no other text', () => {
  const decode = (payload: string) =>
    decodePayload(Buffer.from(new URLSearchParams({ bt_payload: payload }).toString()))
  expect(decode('PGE+\nPC9hPg==\n')).toBe('<a></a>')
  for (const payload of ['', 'A', 'AB==', 'PGE+ ', '*']) expect(() => decode(payload), payload).toThrow()
})
