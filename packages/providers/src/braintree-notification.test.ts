import { expect, it } from 'vitest'
import { readElement } from './braintree-notification.ts'

it('reads the text of the first element with a name', () => {
  expect(readElement('<kind>a</kind><id type="text">b</id><id>c</id>', 'id')).toBe('b')
})

// Regression: the time was quadratic in the number of start tags without an end.
it('reads unfinished start tags in linear time', () => {
  const startedAt = performance.now()
  expect(readElement('<id '.repeat(50_000), 'id')).toBeUndefined()
  expect(performance.now() - startedAt).toBeLessThan(1000)
})
