import { expect, it } from 'vitest'
import { joinIds } from './headers.ts'

it('joins ids up to 4 KB', () => {
  expect(joinIds(['a b', 'c'])).toBe('a%20b,c')
  expect(joinIds([])).toBe('')
  const ids = Array.from({ length: 1000 }, (_, index) => `doorbell:${index}`)
  const joined = joinIds(ids)
  expect(joined.length).toBeLessThanOrEqual(4096)
  expect(ids.slice(0, joined.split(',').length)).toEqual(joined.split(','))
  expect(joinIds(['a', '\ud800'])).toBe('a,%EF%BF%BD')
})
