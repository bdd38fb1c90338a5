import { expect, it } from 'vitest'
import { readQuery } from './query-string.ts'

const parameters = (count: number) =>
  Array.from({ length: count }, (_, index) => `p${index}=${index}`).join('&')

it('reads as many parameters as it may, and no more', () => {
  expect(readQuery(parameters(64)).values.size).toBe(64)
  expect(readQuery(new URLSearchParams(parameters(64))).values.size).toBe(64)
  const tooMany = expect.objectContaining({ code: 'BAD_REQUEST', status: 400 }) as Error
  expect(() => readQuery(parameters(65))).toThrow(tooMany)
  expect(() => readQuery(new URLSearchParams(parameters(65)))).toThrow(tooMany)
})

it('reads a text as long as it may be, and no longer', () => {
  const text = `a=${'x'.repeat(8190)}`
  expect(readQuery(text).values.get('a')).toHaveLength(8190)
  expect(() => readQuery(`${text}x`)).toThrow(expect.objectContaining({ code: 'URI_TOO_LONG', status: 414 }))
})

it('takes a text with the `?` in front of it for the same, and no second one', () => {
  expect([...readQuery('?a=1').values]).toEqual([...readQuery('a=1').values])
  expect([...readQuery('??a=1').values]).toEqual([['?a', '1']])
  // The first counted as one of the characters.
  const text = `a=${'x'.repeat(8190)}`
  expect(readQuery(`?${text}`).values.get('a')).toHaveLength(8190)
  expect(() => readQuery(`?${text}x`)).toThrow(expect.objectContaining({ code: 'URI_TOO_LONG' }))
})
