import { expect, it } from 'vitest'
import { parseQueryString } from './query-string.ts'

const parameters = (count: number) =>
  Array.from({ length: count }, (_, index) => `p${index}=${index}`).join('&')

it('accepts the maximum number of parameters and rejects one more', () => {
  expect(parseQueryString(parameters(64)).values.size).toBe(64)
  expect(parseQueryString(new URLSearchParams(parameters(64))).values.size).toBe(64)
  const tooMany = expect.objectContaining({ code: 'BAD_REQUEST', status: 400 }) as Error
  expect(() => parseQueryString(parameters(65))).toThrow(tooMany)
  expect(() => parseQueryString(new URLSearchParams(parameters(65)))).toThrow(tooMany)
})

it('accepts the maximum length and rejects a longer text', () => {
  const text = `a=${'x'.repeat(8190)}`
  expect(parseQueryString(text).values.get('a')).toHaveLength(8190)
  expect(() => parseQueryString(`${text}x`)).toThrow(
    expect.objectContaining({ code: 'URI_TOO_LONG', status: 414 }),
  )
})

it('ignores one leading `?` and no second one', () => {
  expect([...parseQueryString('?a=1').values]).toEqual([...parseQueryString('a=1').values])
  expect([...parseQueryString('??a=1').values]).toEqual([['?a', '1']])
  // Regression: the leading `?` counted as a character.
  const text = `a=${'x'.repeat(8190)}`
  expect(parseQueryString(`?${text}`).values.get('a')).toHaveLength(8190)
  expect(() => parseQueryString(`?${text}x`)).toThrow(expect.objectContaining({ code: 'URI_TOO_LONG' }))
})
