import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bisect } from './bisect.ts'

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

/** What is answered in a batch whose bad pieces reject each part that they are in. */
async function halved(size: number, bad: readonly number[]) {
  const parts: number[] = []
  const answered: number[] = []
  await bisect(size, async (from, to) => {
    parts.push(to - from)
    if (bad.some((index) => index >= from && index < to)) return 'rejected'
    answered.push(...range(from, to))
    return 'answered'
  })
  return { parts, answered: answered.sort((a, b) => a - b) }
}

const without = (size: number, bad: readonly number[]) =>
  range(0, size).filter((index) => !bad.includes(index))

it('answers for all that are good, wherever a few bad ones are', async () => {
  const batch = fc
    .integer({ min: 2, max: 128 })
    .chain((size) =>
      fc.record({ size: fc.constant(size), bad: fc.uniqueArray(fc.nat(size - 1), { maxLength: 4 }) }),
    )
  await fc.assert(
    fc.asyncProperty(batch, async ({ size, bad }) => {
      const { answered, parts } = await halved(size, bad)
      expect(answered).toEqual(without(size, bad))
      expect(parts.length).toBeLessThan(2 * size)
    }),
  )
})

describe('bad pieces that stand together', () => {
  // At the end of a batch, two were once enough for none to be answered.
  it.each([
    ['2 of 4', 4, range(2, 4)],
    ['2 of 100', 100, range(98, 100)],
    ['3 of 100', 100, range(97, 100)],
    ['20 of 100', 100, range(80, 100)],
    ['half of them', 100, range(50, 100)],
    ['20 in front', 100, range(0, 20)],
    ['20 in the middle', 100, range(40, 60)],
    ['every other one', 100, range(0, 50).map((index) => 2 * index + 1)],
  ])('leave no good one without an answer: %s', async (_, size, bad) => {
    expect((await halved(size, bad)).answered).toEqual(without(size, bad))
  })

  it('leave some good ones answered wherever they are, while they are no more than half', async () => {
    for (const from of range(0, 51)) {
      const { answered } = await halved(100, range(from, from + 50))
      expect(answered.length).toBeGreaterThanOrEqual(25)
    }
  })
})

it.each([
  [2, [1, 1]],
  [4, [2, 1, 1, 2, 1, 1]],
  [100, [50, 25, 13, 7, 4, 2, 1, 1, 50, 25, 12, 6, 3, 2, 25, 25]],
])('asks whoever is away no more often than once down and once across %d', async (size, parts) => {
  expect((await halved(size, range(0, size))).parts).toEqual(parts)
})
