import { expect, it } from 'vitest'
import { createPace } from './pace.ts'

it('counts the units of the last quarter of a second', () => {
  let now = 0
  const pace = createPace(() => {
    const startedAt = now
    return () => now - startedAt
  })
  for (let unit = 0; unit < 7; unit++) pace.count()
  expect(pace.recent).toBe(0)
  now = 250
  expect(pace.recent).toBe(7)
  pace.count()
  now = 500
  expect(pace.recent).toBe(1)
  for (let unit = 0; unit < 1000; unit++) pace.count()
  now = 750
  expect(pace.recent).toBe(500)
  now = 2000
  expect(pace.recent).toBe(0)
})
