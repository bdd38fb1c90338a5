import fc from 'fast-check'
import { expect, it } from 'vitest'
import { uuidV7 } from './uuid-v7.ts'

const largest = 2 ** 48 - 2 ** 20

it('creates UUIDs of version 7 that begin with the time', () => {
  fc.assert(
    fc.property(fc.nat(largest), (time) => {
      const id = uuidV7(() => time)()
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(time)
    }),
    { numRuns: 50 },
  )
})

it('creates increasing ids for a clock that jumps', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          time: fc.double({ min: 0, max: largest, noNaN: true }),
          ids: fc.integer({ min: 1, max: 5000 }),
        }),
        {
          minLength: 1,
          maxLength: 5,
        },
      ),
      (steps) => {
        let time = 0
        const newId = uuidV7(() => time)
        let before = ''
        for (const step of steps) {
          time = step.time
          for (let count = 0; count < step.ids; count++) {
            const id = newId()
            if (id <= before) throw new Error(`${id} follows ${before}`)
            before = id
          }
        }
      },
    ),
    { numRuns: 50 },
  )
})

it('ends each id with different random bits', () => {
  const newId = uuidV7(() => 0)
  const ends = Array.from({ length: 1000 }, () => newId().slice(-15))
  expect(new Set(ends).size).toBe(1000)
})
